// SPDX-License-Identifier: MIT
//
// Puzzles, the gallery of the longest wins, and the histogram.
import { describe, expect } from "vitest";
import { galleryOf, movesOf, puzzlesOf, statsOf, type Puzzle } from "./kanzen";
import type { Player } from "./player";
import { modes, test } from "./visit";

const letters: Readonly<Record<string, string>> = { C: "chick", E: "elephant", G: "giraffe" };

/** Until the moves of the position are there, clicks do nothing. */
async function waitForMoves(player: Player): Promise<void> {
  await expect.poll(() => player.board.getAttribute("class")).toContain("playable");
}

/** Plays a move of Dobutsu Shogi by clicks. */
async function playDobutsu(player: Player, move: string): Promise<void> {
  await waitForMoves(player);
  const drop = /^(\w)\*(\d\w)$/.exec(move);
  if (drop) await player.click(`(Sente|Gote), [12] ${letters[drop[1] ?? ""]}s? in hand`, drop[2] ?? "");
  else await player.click(move.slice(0, 2), move.slice(2, 4));
}

async function playPushFight(player: Player, turn: string): Promise<void> {
  await waitForMoves(player);
  for (const step of turn.split(",")) await player.click(...step.split("-"));
}

const feedback = (player: Player) => player.page.locator(".feedback");
/** A puzzle by its length and its number, which is 1 for the first of them. */
function ofLength(puzzles: readonly Puzzle[], length: number, number: number): { puzzle: Puzzle; path: string } {
  const puzzle = puzzles.filter(({ distance }) => distance === length)[number - 1];
  if (!puzzle) throw new Error(`there are no ${number} puzzles of length ${length}`);
  return { puzzle, path: `${length}/${number}` };
}

describe.each(modes)("learning, %s", (mode) => {
  test("a puzzle of Dobutsu Shogi: wrong, right, and on to the game", async ({ visit }) => {
    const { puzzle, path } = ofLength(await puzzlesOf("dobutsu", "official"), 5, 2);
    const wrong = (await movesOf("dobutsu", "official", puzzle.position)).moves.at(-1);
    expect(wrong?.value).not.toBe("win");
    const player = await visit({ mode, at: `/puzzles/dobutsu/official/${path}` });
    await expect.poll(() => player.page.getByRole("main").innerText()).toContain("to move wins in 5 plies.");
    await playDobutsu(player, wrong?.move ?? "");
    await expect.poll(() => feedback(player).innerText()).toMatch(/Try again!$/);
    await playDobutsu(player, puzzle.move);
    await expect.poll(() => feedback(player).innerText()).toMatch(/^✓ Now it is right: .* wins\.$/);
    await expect.poll(() => player.section("Your score").innerText()).toMatch(/0 of 1/);
    await player.button("Play on against the computer").click();
    await expect.poll(() => player.tab("Play").getAttribute("aria-current")).toBe("page");
    // The computer answers; the person still wins.
    await player.seesPly(1);
    await player.seesWords(/^(Sente|Gote) wins in 3$/);
  });

  test("a puzzle of Push Fight", async ({ visit }) => {
    const { puzzle, path } = ofLength(await puzzlesOf("pushfight", "mini"), 2, 1);
    const player = await visit({ mode, at: `/puzzles/pushfight/mini/${path}` });
    await expect.poll(() => player.page.getByRole("main").innerText()).toContain("to move wins in 2 turns.");
    await playPushFight(player, puzzle.move);
    await expect.poll(() => feedback(player).innerText()).toMatch(/^✓ Right! .* wins\.$/);
    await expect.poll(() => player.section("Your score").innerText()).toMatch(/1 of 1/);
    await player.page.reload();
    await expect.poll(() => player.section("Your score").innerText()).toMatch(/1 of 1/);
  });

  test("lengths to choose from, the answer shown, the next one", async ({ visit }) => {
    const player = await visit({ mode, at: "/puzzles/dobutsu/official" });
    await player.page.getByLabel("Length").selectOption({ label: "7 plies" });
    await player.seesAddress(/^#\/puzzles\/dobutsu\/official\/7\/\d+$/);
    await expect.poll(() => player.page.getByRole("main").innerText()).toContain("wins in 7 plies.");
    await player.button("Show the answer").click();
    await expect.poll(() => feedback(player).innerText()).toMatch(/^The answer is /);
    await expect.poll(() => player.board.locator(".arrows > *").count()).toBe(1);
    const before = player.address;
    await player.button("Next puzzle").click();
    await expect.poll(() => player.address).not.toBe(before);
    await expect.poll(() => feedback(player).innerText()).toBe("");
  });

  test("the gallery of the longest wins", async ({ visit }) => {
    const gallery = await galleryOf("dobutsu", "official");
    const player = await visit({ mode, at: "/gallery/dobutsu/official" });
    const entries = player.page.getByRole("listitem").getByRole("button", { name: /wins in/ });
    await expect.poll(() => entries.count()).toBeGreaterThan(10);
    expect(await entries.first().innerText()).toMatch(new RegExp(`wins in ${gallery[0]?.distance}$`));
    // The longest known win of the game.
    expect(gallery[0]?.distance).toBe(173);
    expect(await entries.first().locator("svg").count()).toBe(1);
    await entries.first().click();
    await expect.poll(() => player.position("sfen")).toBe(gallery[0]?.position);
    await player.seesWords(/wins in 173$/);
  });

  test("the gallery of Push Fight", async ({ visit }) => {
    const gallery = await galleryOf("pushfight", "mini");
    const player = await visit({ mode, at: "/gallery/pushfight/mini" });
    const entries = player.page.getByRole("listitem").getByRole("button", { name: /wins in/ });
    await expect.poll(() => entries.count()).toBeGreaterThan(10);
    await entries.nth(1).click();
    await expect.poll(() => player.position("string")).toBe(gallery[1]?.position);
    await player.seesWords(new RegExp(`^(Red|Blue) wins in ${gallery[1]?.distance} turns$`));
  });
});

test("numbers and histogram are those of the table", async ({ visit }) => {
  for (const [game, rules] of [
    ["dobutsu", "official"],
    ["pushfight", "mini"],
  ] as const) {
    const stats = await statsOf(game, rules);
    const player = await visit({ at: `/numbers/${game}/${rules}` });
    const main = player.page.getByRole("main");
    await expect.poll(() => main.innerText()).toContain(`${stats.positions.toLocaleString("en-GB")} positions`);
    const text = await main.innerText();
    for (const count of [stats.wins, stats.losses, stats.draws]) expect(text).toContain(count.toLocaleString("en-GB"));
    expect(text).toContain(stats.sha256);
    // A bar for each distance that there is, with its number.
    const picture = player.page.getByRole("img", { name: /^How many positions/ });
    const bars = await picture.locator("rect").evaluateAll((all) => all.map((bar) => bar.textContent ?? ""));
    const unit = game === "dobutsu" ? ["ply", "plies"] : ["turn", "turns"];
    const right = stats.distances.flatMap((row) => {
      const distance = row.plies ?? row.turns ?? 0;
      const length = `${distance} ${distance === 1 ? unit[0] : unit[1]}`;
      const words = (count: number) => (count === 1 ? "1 position" : `${count.toLocaleString("en-GB")} positions`);
      return [
        ...(row.wins > 0 ? [`${length}, won: ${words(row.wins)}`] : []),
        ...(row.losses > 0 ? [`${length}, lost: ${words(row.losses)}`] : []),
      ];
    });
    expect([...bars].sort()).toEqual(right.sort());
  }
});
