// SPDX-License-Identifier: MIT
//
// Edit mode and pasting: a position from pieces, or from any notation; and why it is illegal if it is.
import { describe, expect } from "vitest";
import type { Player } from "./player";
import { modes, test } from "./visit";

const verdict = (player: Player) => player.section("Edit the position").getByRole("status");
const saysLegal = (player: Player) => expect.poll(() => verdict(player).innerText()).toContain("The position is legal.");
const tool = (player: Player, name: string | RegExp) => player.page.getByRole("radio", { name, exact: true });

describe.each(modes)("editing, %s", (mode) => {
  test("Dobutsu Shogi: from an empty board to a game", async ({ visit }) => {
    const player = await visit({ mode, at: "/play/dobutsu" });
    await player.seesWords("Gote wins in 78");
    await player.control("Edit the position").click();
    await saysLegal(player);
    await player.button("Clear the board").click();
    await expect.poll(() => verdict(player).innerText()).toMatch(/This can't be played:\s+\S+/);
    expect(await player.button("Play from here").isDisabled()).toBe(true);
    expect(await verdict(player).innerText()).toContain("Sente has no lion.");
    // Two lions, and all other pieces in hands.
    await tool(player, "Sente lion").click();
    await player.click("2d");
    await tool(player, "Gote lion").click();
    await player.click("1a");
    for (const piece of ["chick", "elephant", "giraffe"]) {
      for (const side of ["Sente", "Gote"]) {
        await player.button(`${side}: One ${piece} more`).click();
        await expect.poll(() => player.button(`${side}: One ${piece} less`).isEnabled()).toBe(true);
      }
    }
    await saysLegal(player);
    await player.page.getByRole("radio", { name: "Gote", exact: true }).check();
    await expect.poll(() => verdict(player).innerText()).toContain("Gote to move");
    await player.button("Play from here").click();
    await expect.poll(() => player.position("sfen")).toMatch(/^2l\/3\/3\/1L1 w GECgec/);
    await player.seesWords(/ wins in \d+$|^Draw/);
    await player.click("Gote, 1 chick in hand", "2b");
    await player.seesPly(1);
  });

  test("Dobutsu Shogi: drags move pieces and take them away, and the reason is told", async ({ visit }) => {
    const player = await visit({ mode, at: "/play/dobutsu" });
    await player.seesWords("Gote wins in 78");
    await player.control("Edit the position").click();
    await saysLegal(player);
    await player.drag("1d", "1c");
    await expect.poll(() => player.label("1c")).toBe("1c, Sente giraffe");
    await saysLegal(player);
    const lion = await player.middle("2a");
    const box = await player.board.boundingBox();
    await player.page.mouse.move(lion.x, lion.y);
    await player.page.mouse.down();
    await player.page.mouse.move((box?.x ?? 0) + 4, lion.y + 300, { steps: 5 });
    await player.page.mouse.up();
    await expect.poll(() => player.label("2a")).toBe("2a, empty");
    await expect.poll(() => verdict(player).innerText()).toMatch(/lion/i);
    await player.button("Start position").click();
    await saysLegal(player);
    await player.button("Cancel").click();
    await player.seesWords("Gote wins in 78");
  });

  test("Push Fight: pieces, the anchor, and who is to move", async ({ visit }) => {
    const player = await visit({ mode, at: "/play/pushfight/mini" });
    await player.seesWords(/^Red wins in/);
    await player.control("Edit the position").click();
    await saysLegal(player);
    await tool(player, "Remove").click();
    await player.click("c3");
    await expect.poll(() => verdict(player).innerText()).toMatch(/This can't be played:\s+\S+/);
    await tool(player, /^Red mover, 1 of 2/).click();
    await player.click("b3");
    await saysLegal(player);
    await tool(player, "Anchor").click();
    await player.click("c2");
    await expect.poll(() => player.label("c2")).toBe("c2, Red pusher with the anchor");
    await expect.poll(() => verdict(player).innerText()).toContain("Blue to move");
    await player.button("Play from here").click();
    await expect.poll(() => player.position("string")).toBe("o.x..OPXX..ox.");
    await player.seesWords(/^(Red|Blue) (wins in \d+ turns?|has won)$|^Draw/);
  });

  test("the keyboard edits, too", async ({ visit }) => {
    const player = await visit({ mode, at: "/play/dobutsu" });
    await player.seesWords("Gote wins in 78");
    await player.control("Edit the position").click();
    await saysLegal(player);
    await player.place("2b").focus();
    await player.press("Delete");
    await expect.poll(() => player.label("2b")).toBe("2b, empty");
    await tool(player, "Gote chick").focus();
    await player.press("Enter");
    await player.place("2b").focus();
    await player.press("Enter");
    await expect.poll(() => player.label("2b")).toBe("2b, Gote chick");
    await saysLegal(player);
  });
});

describe.each(modes)("pasting, %s", (mode) => {
  test("any notation of either game, and addresses", async ({ visit }) => {
    const player = await visit({ mode, at: "/play/dobutsu" });
    await player.seesWords("Gote wins in 78");
    // Every notation of one position, as the page tells them: each leads back to it.
    await player.click("2c", "2b");
    await player.seesWords("Gote wins in 75");
    await expect.poll(() => player.position("sfen")).toBe("gle/1C1/3/ELG w C 2");
    await player.showPanel("Share");
    const names = await player.page.locator(".notations dt").allTextContents();
    expect(names).toEqual(["sfen", "lishogi", "fairy", "clausecker", "state40", "index18"]);
    const texts = await player.page.locator(".notations code").allTextContents();
    for (const [number, text] of texts.entries()) {
      await player.open("startpos");
      await player.seesWords("Gote wins in 78");
      await player.open(text);
      // Numbers are of the position as the side to move sees it, and don't tell who that is.
      const isNumber = ["state40", "index18"].includes(names[number] ?? "");
      await player.seesWords(isNumber ? "Sente wins in 75" : "Gote wins in 75");
    }
    // Of the other game: one line, and a drawn board of several lines.
    await player.open(".ox....OOX......OXX....ox.");
    await player.seesAddress(/^#\/play\/pushfight\/standard/);
    await expect.poll(() => player.label("d3")).toMatch(/^d3, /);
    await player.open("  abcdefgh\n4   .ox..  4\n3 ..OOX... 3\n2 ...OXX.. 2\n1  ..ox.   1\n  abcdefgh");
    await expect.poll(() => player.label("d3")).toMatch(/^d3, Red pusher/);
    await player.open(`${player.host}#/play/dobutsu/official?moves=2c2b`);
    await player.seesPly(1);
    await player.seesWords("Gote wins in 75");
  });

  test("what makes no sense is told, and the game stays", async ({ visit }) => {
    const player = await visit({ mode, at: "/play/dobutsu/official?moves=2c2b" });
    await player.seesWords("Gote wins in 75");
    await player.open("gle/1c1/1C1/ELX b - 1");
    await expect.poll(() => player.page.getByRole("alert").innerText()).toContain("“X b - 1” can't be read");
    await player.showPanel("Share");
    expect(await player.page.getByLabel(/^Paste a position/).inputValue()).toBe("gle/1c1/1C1/ELX b - 1");
  });
});
