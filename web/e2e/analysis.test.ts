// SPDX-License-Identifier: MIT
//
// The list of moves, values in words, and marks on the board: what the page says is what the command line says.
import { describe, expect } from "vitest";
import { dobutsuMove } from "./dobutsu";
import { galleryOf, movesOf } from "./kanzen";
import { pushfightTurn } from "./pushfight";
import type { Player } from "./player";
import { modes, test } from "./visit";

const at = (game: string, rules: string, position: string) =>
  `/play/${game}/${rules}?start=${encodeURIComponent(position.replaceAll(" ", "_"))}`;

/** The list of the page and that of the command, once the page has one. */
async function compare(player: Player, game: string, rules: string, position: string): Promise<void> {
  const right = await movesOf(game, rules, position);
  const name = game === "dobutsu" ? "sfen" : "string";
  await expect.poll(() => player.position(name)).toBe(right.position);
  const all = player.button(/^Show all/);
  if ((await all.count()) > 0) await all.click();
  await expect.poll(() => player.moveRows.count()).toBe(right.moves.length);
  const shown = (await player.rows()).map(({ text, value, distance }) => ({
    move: game === "dobutsu" ? dobutsuMove(text) : pushfightTurn(text),
    value,
    distance,
  }));
  expect(shown).toEqual(right.moves.map(({ move, value, distance }) => ({ move, value, distance })));
}

describe.each(modes)("analysis, %s", (mode) => {
  test("all moves of Dobutsu Shogi positions, best first", async ({ visit }) => {
    const [longest] = await galleryOf("dobutsu", "official");
    const positions = [
      "gle/1c1/1C1/ELG b - 1",
      longest?.position ?? "",
      "1l1/3/1C1/1L1 b GEgec 1", // drops of everything
      "1l1/C2/3/1L1 b GEgec 1", // a chick becomes a hen
      "gle/1c1/1C1/ELG w - 1",
    ];
    const player = await visit({ mode, at: at("dobutsu", "official", positions[0] ?? "") });
    for (const [number, position] of positions.entries()) {
      if (number > 0) await player.open(position);
      await compare(player, "dobutsu", "official", position);
    }
  });

  test("all turns of Push Fight positions, best first", async ({ visit }) => {
    const [longest] = await galleryOf("pushfight", "mini");
    const player = await visit({ mode, at: "/play/pushfight/mini" });
    await compare(player, "pushfight", "mini", "");
    await player.open(longest?.position ?? "");
    await compare(player, "pushfight", "mini", longest?.position ?? "");
  });

  test("rows show their moves on the board", async ({ visit }) => {
    const player = await visit({ mode, at: "/play/dobutsu" });
    await player.seesWords("Gote wins in 78");
    // Three moves are equally good.
    const arrows = player.board.locator(".arrows > *");
    await expect.poll(() => arrows.count()).toBe(3);
    await player.moveRows.nth(3).hover();
    await expect.poll(() => arrows.count()).toBe(1);
    const arrow = await arrows.first().boundingBox();
    const from = await player.middle("2c");
    const to = await player.middle("2b");
    if (!arrow) throw new Error("no arrow");
    // It lies between the two squares, and points from one to the other.
    expect(Math.abs(arrow.x + arrow.width / 2 - from.x)).toBeLessThan(3);
    expect(arrow.y).toBeGreaterThanOrEqual(to.y - 30);
    expect(arrow.y + arrow.height).toBeLessThanOrEqual(from.y + 30);
    expect(arrow.height).toBeGreaterThan(20);
    await player.page.mouse.move(5, 5);
    await expect.poll(() => arrows.count()).toBe(3);
    // The same by keyboard.
    await player.moveRows.first().focus();
    await expect.poll(() => arrows.count()).toBe(1);
    // Without hints the board is just a board.
    await player.button("Show values and arrows").click();
    await expect.poll(() => arrows.count()).toBe(0);
    expect(await player.moveRows.count()).toBe(0);
  });

  test("rows of Push Fight show their turns on the board", async ({ visit }) => {
    const player = await visit({ mode, at: "/play/pushfight/mini" });
    await player.seesWords(/^Red wins in/);
    const row = player.moveRows.filter({ hasText: /^\W*b2–a2, c2⇒d2/ }).first();
    await row.hover();
    const turn = player.board.locator(".arrows > *");
    await expect.poll(() => turn.count()).toBe(1);
    // A line for the move, an arrow for the push.
    await expect.poll(() => turn.locator(".move-line").count()).toBe(1);
    await expect.poll(() => turn.locator(".push-arrow").count()).toBe(1);
  });

  test("values are told in colours, signs and words", async ({ visit }) => {
    const player = await visit({ mode, at: at("dobutsu", "official", "gle/1C1/3/ELG w C 2") });
    await player.seesWords("Gote wins in 75");
    const rows = await player.rows();
    expect(new Set(rows.map(({ value }) => value))).toEqual(new Set(["win", "loss"]));
    const look = (index: number) =>
      player.moveRows.nth(index).evaluate((row) => {
        const badge = row.firstElementChild;
        return badge ? [badge.textContent, getComputedStyle(badge).color, getComputedStyle(badge).backgroundColor].join() : "";
      });
    expect(await look(0)).not.toBe(await look(rows.length - 1));
    expect((await look(0)).split(",")[0]).not.toBe((await look(rows.length - 1)).split(",")[0]);
  });
});

test("values in words, in both languages", async ({ visit }) => {
  const player = await visit({ at: "/play/dobutsu" });
  await player.seesWords("Gote wins in 78");
  await player.button("日本語").click();
  await player.seesWords("後手の勝ち(あと78手)");
  await player.button("English").click();
  await player.seesWords("Gote wins in 78");
  // A draw, from the list of Push Fight's start.
  const { moves } = await movesOf("pushfight", "mini");
  const draw = moves.find(({ value }) => value === "draw");
  await player.page.goto(`${player.host}#${at("pushfight", "mini", draw?.position ?? "")}`);
  await player.seesWords("Draw with best play");
  await player.button("日本語").click();
  await player.seesWords("最善を尽くせば引き分け");
});
