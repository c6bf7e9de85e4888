// SPDX-License-Identifier: MIT
//
// Push Fight by mouse, finger and keyboard: turns of up to two moves and a push, and the way back inside a turn.
import { describe, expect } from "vitest";
import { movesOf } from "./kanzen";
import type { Player } from "./player";
import { modes, test } from "./visit";

// The small board, whose start is
//     abcdef
//   3  .ox.  3
//   2 .OOXX. 2
//   1  .ox.  1
const start = "/play/pushfight/mini";

async function begins(player: Player): Promise<void> {
  const { distance } = await movesOf("pushfight", "mini");
  await player.seesWords(`Red wins in ${distance} turns`);
}

const turn = (player: Player) => player.page.getByRole("group", { name: "Turn", exact: true });
const takeBack = (player: Player) => turn(player).getByRole("button", { name: "Take back" });

describe.each(modes)("Push Fight, %s", (mode) => {
  test("a turn of two moves and a push by clicks, with steps taken back", async ({ visit }) => {
    const player = await visit({ mode, at: start });
    await begins(player);
    await player.click("c3");
    expect(await player.label("b3")).toBe("b3, empty, the piece can move here");
    await player.click("b3");
    await expect.poll(() => player.label("b3")).toMatch(/^b3, Red mover/);
    await expect.poll(() => turn(player).innerText()).toMatch(/Move 1\s+c3–b3/);
    // The other move, back, another one, both back, and again.
    await player.click("c1", "b1");
    await expect.poll(() => turn(player).innerText()).toMatch(/Move 2\s+c1–b1/);
    expect(await turn(player).innerText()).toContain("Now push.");
    await takeBack(player).click();
    await expect.poll(() => player.label("c1")).toMatch(/^c1, Red mover/);
    await takeBack(player).click();
    await expect.poll(() => player.label("c3")).toMatch(/^c3, Red mover/);
    expect(player.address).not.toContain("moves=");
    await player.click("c3", "b3", "c1", "b1", "c2");
    expect(await player.label("d2")).toMatch(/^d2, Blue pusher, can be pushed/);
    await player.click("d2");
    await player.seesAddress(/moves=c3-b3,c1-b1,c2-d2$/);
    await expect.poll(() => player.label("d2")).toBe("d2, Red pusher with the anchor");
    await expect.poll(() => player.label("f2")).toMatch(/^f2, Blue pusher/);
    const { moves } = await movesOf("pushfight", "mini");
    const played = moves.find(({ move }) => move === "c3-b3,c1-b1,c2-d2");
    await expect.poll(() => player.position("string")).toBe(played?.position);
  });

  test("a push without moves, and a turn by drags", async ({ visit }) => {
    const player = await visit({ mode, at: start });
    await begins(player);
    await player.drag("c2", "d2");
    await player.seesAddress(/moves=c2-d2$/);
    await player.control("Take back").click();
    await player.seesPly(0);
    await player.drag("b2", "a2");
    await expect.poll(() => turn(player).innerText()).toMatch(/Move 1\s+b2–a2/);
    await player.drag("c2", "d2");
    await player.seesAddress(/moves=b2-a2,c2-d2$/);
  });

  test("a finger", async ({ visit }) => {
    const player = await visit({
      mode,
      at: start,
      profile: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 },
    });
    await begins(player);
    await player.tap("b2", "a2");
    await expect.poll(() => turn(player).innerText()).toMatch(/Move 1\s+b2–a2/);
    await takeBack(player).tap();
    await expect.poll(() => player.label("b2")).toMatch(/^b2, Red pusher/);
    await player.swipe("b2", "a2");
    await expect.poll(() => turn(player).innerText()).toMatch(/Move 1\s+b2–a2/);
    await player.tap("c2", "d2");
    await player.seesAddress(/moves=b2-a2,c2-d2$/);
  });

  test("the keyboard alone", async ({ visit }) => {
    const player = await visit({ mode, at: start });
    await begins(player);
    // One place of the board is in the order of Tab; arrow keys lead to the others.
    await player.tabToBoard();
    await player.press("Tab");
    expect(await player.isOnBoard()).toBe(false);
    await player.press("Shift+Tab");
    expect(await player.isOnBoard()).toBe(true);
    for (let count = 0; count < 8 && !(await player.focused()).startsWith("b2"); count++) await player.press("ArrowLeft");
    expect(await player.focused()).toMatch(/^b2, Red pusher/);
    // Move it to a2, think again, move it, and push with the other one.
    await player.press("Enter", "ArrowLeft", "Enter");
    await expect.poll(() => turn(player).innerText()).toMatch(/Move 1\s+b2–a2/);
    await player.press("Escape");
    await expect.poll(() => player.label("b2")).toMatch(/^b2, Red pusher/);
    await player.press("ArrowRight", "Enter", "ArrowLeft", "Enter");
    await expect.poll(() => turn(player).innerText()).toMatch(/Move 1\s+b2–a2/);
    await player.press("ArrowRight", "ArrowRight");
    expect(await player.focused()).toMatch(/^c2, Red pusher/);
    await player.press("Shift+ArrowRight");
    await player.seesAddress(/moves=b2-a2,c2-d2$/);
    await expect
      .poll(() => player.page.getByRole("status").first().textContent())
      .toMatch(/pusher from b2 to a2, then pusher on c2 pushes Blue pusher on d2/);
  });

  test("a piece pushed off the board ends the game", async ({ visit }) => {
    const player = await visit({ mode, at: start });
    await begins(player);
    // Perfect play to the end, one turn of the list after the other.
    await player.button("Add perfect play from here to the game").click();
    await expect.poll(() => player.historyRows.count()).toBe(6);
    await player.control("To the end").click();
    await player.seesWords("Red has won");
    await expect.poll(() => player.section("Moves, best first").innerText()).toContain("The game is over");
  });

  test("the standard board, which may have no table", async ({ visit }) => {
    const player = await visit({ mode, at: "/play/pushfight/standard" });
    await expect.poll(() => player.label("d2")).toMatch(/^d2, (Red|Blue|empty)/);
    await player.seesWords(/^(Not known|Draw with best play|(Red|Blue) wins in \d+ turns?)$/);
    // Without a table no list says "not known" a thousand times, unless somebody wants to see it.
    const moves = player.section("Moves, best first");
    if ((await player.moveRows.count()) === 0) {
      expect(await moves.innerText()).toContain("No move has a known value");
      await moves.getByRole("button", { name: /^Show all/ }).click();
    }
    await expect.poll(() => player.moveRows.count()).toBeGreaterThan(0);
    await player.seesAddress(/^#\/play\/pushfight\/standard\?start=/);
  });
});

test("the board grows with a large screen, and all of it is seen", async ({ visit }) => {
  const player = await visit({ at: "/play/pushfight/standard", profile: { viewport: { width: 2560, height: 1440 } } });
  await player.canPlay();
  const box = await player.board.boundingBox();
  expect(box?.width).toBeGreaterThan(1100);
  expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThan(1440);
});
