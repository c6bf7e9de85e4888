// SPDX-License-Identifier: MIT
//
// The game as a whole: taking back, history with mistakes, the graph, turning the board, and the address that holds it.
import { describe, expect } from "vitest";
import { lineOf } from "./kanzen";
import type { Player } from "./player";
import { addressOf, modes, test } from "./visit";

const opening = "/play/dobutsu/official?moves=2c2b.1a2b.1d1c";

/** Whether a row of the history is in the part of it that is scrolled to. */
function isInView(player: Player, number: number): Promise<boolean> {
  return player.historyRows.nth(number).evaluate((row) => {
    const box = row.closest(".scroll")?.getBoundingClientRect();
    const { top, bottom } = row.getBoundingClientRect();
    return box !== undefined && top >= box.top - 1 && bottom <= box.bottom + 1;
  });
}

describe.each(modes)("the game, %s", (mode) => {
  test("takes moves back and plays them again", async ({ visit }) => {
    const player = await visit({ mode, at: opening });
    await player.seesPly(3);
    expect(await player.control("Play again").isDisabled()).toBe(true);
    await player.control("Take back").click();
    await player.seesPly(2);
    await player.seesAddress(/at=2$/);
    await player.control("To the start").click();
    await player.seesPly(0);
    await player.seesWords("Gote wins in 78");
    expect(await player.control("Take back").isDisabled()).toBe(true);
    await player.control("Play again").click();
    await player.seesPly(1);
    await player.control("To the end").click();
    await player.seesPly(3);
    // Another move instead of the third drops that one.
    await player.control("Take back").click();
    await player.click("1d", "1b");
    await player.click("Sente, 1 chick in hand", "1b");
    await player.seesAddress(/moves=2c2b\.1a2b\.C\*1b$/);
    await player.seesPly(3);
    expect(await player.historyRows.count()).toBe(4);
  });

  test("history: the value after each move, and mistakes stand out", async ({ visit }) => {
    // The first move costs two plies; after the third, Gote gives the win away with the fourth.
    const player = await visit({ mode, at: "/play/dobutsu" });
    await player.seesWords("Gote wins in 78");
    await player.click("2c", "2b");
    await player.seesWords("Gote wins in 75");
    await expect.poll(() => player.historyRows.nth(1).innerText()).toMatch(/Chick 2c×2b[^]*Gote wins in 75[^]*2 plies from perfect/);
    const losing = player.moveRows.filter({ hasText: /loses in/ }).first();
    const text = await losing.locator(".move-text").innerText();
    await losing.click();
    await player.seesWords(/^Sente wins in \d+$/);
    const row = player.historyRows.nth(2);
    await expect.poll(() => row.innerText()).toContain("Blunder: from Win to Loss");
    expect(await row.innerText()).toContain(text);
    expect(await row.locator(".sign").innerText()).toBe("??");
    await expect.poll(() => isInView(player, 2)).toBe(true);
    // Choosing a row jumps there.
    await player.historyRows.nth(1).click();
    await player.seesPly(1);
    await player.historyRows.first().click();
    await player.seesWords("Gote wins in 78");
  });

  test("the graph: one point for each position, jumps by click and key", async ({ visit }) => {
    const player = await visit({ mode, at: opening });
    await player.seesPly(3);
    const graph = player.page.getByRole("slider", { name: "How the game stands after each move" });
    await expect.poll(() => graph.locator("circle").count()).toBe(4);
    expect(await graph.getAttribute("aria-valuenow")).toBe("3");
    await graph.locator("circle").nth(1).click({ force: true });
    await player.seesPly(1);
    await expect.poll(() => graph.getAttribute("aria-valuetext")).toBe("After move 1: Gote wins in 75");
    await graph.focus();
    await player.press("ArrowLeft");
    await player.seesPly(0);
    await player.press("ArrowRight", "ArrowRight");
    await player.seesPly(2);
  });

  test("perfect play as a line to step through", async ({ visit }) => {
    const player = await visit({ mode, at: "/play/dobutsu" });
    await player.seesWords("Gote wins in 78");
    await player.button("Add perfect play from here to the game").click();
    await expect.poll(() => player.historyRows.count()).toBe(79);
    await player.control("Play again").click();
    await player.seesPly(1);
    const { plies } = await lineOf("dobutsu", "official");
    await player.seesAddress(new RegExp(`moves=${plies.slice(0, 5).map(({ move }) => move).join("\\.")}\\..*at=1$`));
    await player.press("End");
    await player.seesWords("Gote has won");
    // The row of the position on the board is one that can be seen.
    await expect.poll(() => isInView(player, 78)).toBe(true);
    await player.press("Home");
    await expect.poll(() => isInView(player, 0)).toBe(true);
  });

  test("turns the board", async ({ visit }) => {
    const player = await visit({ mode, at: "/play/dobutsu" });
    await player.seesWords("Gote wins in 78");
    const before = { bottom: await player.middle("2d"), top: await player.middle("2a") };
    expect(before.bottom.y).toBeGreaterThan(before.top.y);
    await player.control("Turn the board").click();
    await player.seesAddress(/flip=1$/);
    await expect.poll(async () => (await player.middle("2a")).y).toBeGreaterThan((await player.middle("2d")).y);
    await player.click("2c", "2b");
    await player.seesAddress(/moves=2c2b&flip=1$/);
    await player.press("f");
    await player.seesAddress(/moves=2c2b$/);
  });

  test("the address has the whole game: after a reload and in another browser", async ({ visit }) => {
    const player = await visit({ mode, at: "/play/dobutsu" });
    await player.seesWords("Gote wins in 78");
    await player.click("2c", "2b", "1a", "2b");
    await player.seesWords("Gote wins in 74"); // by then the moves are known
    await player.click("Sente, 1 chick in hand", "1b");
    await player.seesPly(3);
    await player.control("Take back").click();
    await player.control("Turn the board").click();
    await player.seesAddress(/moves=2c2b\.1a2b\.C\*1b&at=2&flip=1$/);
    const labels = await player.boardLabels();
    const words = await player.words();
    await player.page.reload();
    await player.seesPly(2);
    expect(await player.boardLabels()).toEqual(labels);
    await player.seesWords(words);
    const other = await visit({ mode, at: player.address.slice(1) });
    await other.seesPly(2);
    expect(await other.boardLabels()).toEqual(labels);
    await other.seesWords(words);
    expect(await other.historyRows.count()).toBe(4);
  });

  test("the same for Push Fight", async ({ visit }) => {
    const player = await visit({ mode, at: "/play/pushfight/mini?moves=c3-b3,c1-b1,c2-d2" });
    await player.seesPly(1);
    await player.seesWords(/^(Red|Blue) wins in \d+ turns?$|^Draw/);
    const labels = await player.boardLabels();
    expect(labels.some((label) => label === "d2, Red pusher with the anchor")).toBe(true);
    const other = await visit({ mode, at: player.address.slice(1) });
    await other.seesPly(1);
    await other.seesWords(await player.words());
    expect(await other.boardLabels()).toEqual(labels);
  });
});

test("an address with a move that is not legal: the game up to there, and a message", async ({ visit }) => {
  const player = await visit({ at: "/play/dobutsu/official?moves=2c2b.9z9z" });
  await player.seesPly(1);
  await expect.poll(() => player.page.getByRole("alert").innerText()).toContain("9z9z");
  await player.button("Close the message").click();
  await expect.poll(() => player.page.getByRole("alert").count()).toBe(0);
});

test("Back goes to the tab before, not through the moves", async ({ visit }) => {
  const player = await visit({ at: "/play/dobutsu" });
  await player.seesWords("Gote wins in 78");
  await player.click("2c", "2b");
  await player.seesPly(1);
  await player.openTab("About");
  await player.page.goBack();
  await expect.poll(() => player.tab("Play").getAttribute("aria-current")).toBe("page");
  await player.seesPly(1);
  expect(player.page.url()).toMatch(new RegExp(`^${addressOf("server")}#/play/`));
});
