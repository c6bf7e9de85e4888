// SPDX-License-Identifier: MIT
//
// Dobutsu Shogi by mouse, finger and keyboard.
import { describe, expect } from "vitest";
import { modes, test } from "./visit";

const start = "/play/dobutsu";

describe.each(modes)("Dobutsu Shogi, %s", (mode) => {
  test("clicks", async ({ visit }) => {
    const player = await visit({ mode, at: start });
    await player.seesWords("Gote wins in 78");
    await player.click("2c");
    expect(await player.place("2c").getAttribute("aria-pressed")).toBe("true");
    expect(await player.label("2b")).toBe("2b, Gote chick, loses in 76");
    await player.click("2b");
    await player.seesAddress(/moves=2c2b$/);
    await expect.poll(() => player.label("2b")).toBe("2b, Sente chick");
    expect(await player.label("Sente, 1 chick in hand")).toBe("Sente, 1 chick in hand");
    await player.seesWords("Gote wins in 75");
    // A square that no piece can go to puts the piece back.
    await player.click("1a", "3d");
    expect(await player.place("1a").getAttribute("aria-pressed")).toBe("false");
    expect(player.address).toMatch(/moves=2c2b$/);
  });

  test("drags, and drops from the hand", async ({ visit }) => {
    const player = await visit({ mode, at: start });
    await player.seesWords("Gote wins in 78");
    await player.drag("2c", "2b");
    await player.seesAddress(/moves=2c2b$/);
    await player.seesWords("Gote wins in 75");
    await player.drag("1a", "2b");
    await player.seesAddress(/moves=2c2b\.1a2b$/);
    await player.seesWords(/wins in/);
    // By drag, and by click after taking it back.
    await player.drag("Sente, 1 chick in hand", "1b");
    await player.seesAddress(/moves=2c2b\.1a2b\.C\*1b$/);
    await expect.poll(() => player.label("1b")).toBe("1b, Sente chick");
    await player.control("Take back").click();
    await expect.poll(() => player.label("1b")).toBe("1b, empty");
    await player.click("Sente, 1 chick in hand", "3c");
    await player.seesAddress(/moves=2c2b\.1a2b\.C\*3c$/);
    // A drag to where the piece can't go changes nothing.
    await player.seesPly(3);
    await player.drag("3a", "3d");
    await player.seesPly(3);
    expect(player.address).toMatch(/moves=2c2b\.1a2b\.C\*3c$/);
  });

  test("a finger", async ({ visit }) => {
    const player = await visit({
      mode,
      at: start,
      profile: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 },
    });
    await player.seesWords("Gote wins in 78");
    await player.tap("2c", "2b");
    await player.seesAddress(/moves=2c2b$/);
    await player.seesWords("Gote wins in 75");
    await player.canPlay();
    await player.swipe("1a", "2b");
    await player.seesAddress(/moves=2c2b\.1a2b$/);
    await player.canPlay();
    await player.tap("Sente, 1 chick in hand", "1b");
    await player.seesAddress(/moves=2c2b\.1a2b\.C\*1b$/);
  });

  test("the keyboard alone", async ({ visit }) => {
    const player = await visit({ mode, at: start });
    await player.seesWords("Gote wins in 78");
    // One place of the board is in the order of Tab; arrow keys lead to the others.
    await player.tabToBoard();
    await player.press("Tab");
    expect(await player.isOnBoard()).toBe(false);
    await player.press("Shift+Tab");
    expect(await player.isOnBoard()).toBe(true);
    expect(await player.focused()).toMatch(/^2c, Sente chick/);
    await player.press("Enter", "ArrowUp");
    expect(await player.focused()).toBe("2b, Gote chick, loses in 76");
    await player.press("Escape");
    expect(await player.focused()).toBe("2b, Gote chick");
    await player.press("ArrowDown", " ", "ArrowUp", "Enter");
    await player.seesAddress(/moves=2c2b$/);
    await player.seesWords("Gote wins in 75");
    // What happened is read aloud.
    await expect.poll(() => player.page.getByRole("status").first().textContent()).toMatch(/chick from 2c takes chick on 2b.*wins in/);
    await player.press("ArrowUp", "ArrowLeft");
    expect(await player.focused()).toMatch(/^3a, Gote giraffe/);
    await player.press("z");
    await player.seesPly(0);
    await player.press("y");
    await player.seesPly(1);
    await player.press("Home");
    await player.seesPly(0);
    await player.press("End");
    await player.seesPly(1);
  });

  test("a move from the list, by click and by key", async ({ visit }) => {
    const player = await visit({ mode, at: start });
    await player.seesWords("Gote wins in 78");
    await player.moveRows.nth(3).click();
    await player.seesAddress(/moves=2c2b$/);
    await player.seesWords("Gote wins in 75");
    await player.moveRows.first().focus();
    await player.press("Enter");
    await player.seesPly(2);
    await player.seesWords(/^Gote wins in 74$/);
  });
});
