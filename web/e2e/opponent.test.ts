// SPDX-License-Identifier: MIT
//
// Playing against the computer.
import { describe, expect } from "vitest";
import { lineOf, movesOf } from "./kanzen";
import type { Player } from "./player";
import { addressOf, modes, test } from "./visit";

const panel = (player: Player) => player.section("Opponent");

async function against(player: Player, side: string, level: string): Promise<void> {
  const choice = panel(player).getByRole("radio", { name: `The computer plays ${side}` });
  await choice.check();
  await panel(player).getByLabel("Strength").selectOption({ label: level });
}

const at = (game: string, rules: string, position: string) =>
  `/play/${game}/${rules}?start=${encodeURIComponent(position.replaceAll(" ", "_"))}`;

/** The position six plies before the end of perfect play: Sente to move has lost. */
async function nearTheEnd(): Promise<string> {
  const { plies } = await lineOf("dobutsu", "official");
  const found = plies.find(({ value, distance }) => value === "loss" && distance === 6);
  if (!found) throw new Error("perfect play has no such position");
  return found.position;
}

describe.each(modes)("the computer, %s", (mode) => {
  test("perfect, as second player: keeps its win and takes what it is given", async ({ visit }) => {
    const player = await visit({ mode, at: "/play/dobutsu" });
    await player.seesWords("Gote wins in 78");
    await against(player, "Gote", "Perfect");
    // The best defence; then the worst, which loses at once.
    await player.moveRows.first().click();
    await player.seesPly(2);
    await player.seesWords("Gote wins in 76");
    const worst = (await player.rows()).at(-1);
    expect(worst).toMatchObject({ value: "loss", distance: 2 });
    await player.moveRows.last().click();
    await player.seesPly(4);
    await player.seesWords("Gote has won");
    expect(await player.historyRows.locator(".sign").allInnerTexts()).toEqual(["", "", "", "·", ""]);
    // Taking back takes the computer's move, too.
    await player.control("Take back").click();
    await player.seesPly(2);
  });

  test("perfect: wins to the end", async ({ visit }) => {
    const player = await visit({ mode, at: at("dobutsu", "official", await nearTheEnd()) });
    await player.seesWords("Gote wins in 6");
    await against(player, "Gote", "Perfect");
    for (const left of [4, 2]) {
      await player.moveRows.first().click();
      await player.seesWords(`Gote wins in ${left}`);
    }
    await player.moveRows.first().click();
    await player.seesWords("Gote has won");
    expect(await player.moveRows.count()).toBe(0);
  });

  test("begins when it plays the first side, and the person sits at the near side", async ({ visit }) => {
    const player = await visit({ mode, at: "/play/dobutsu" });
    await player.seesWords("Gote wins in 78");
    await against(player, "Sente", "Beginner");
    await player.seesPly(1);
    await player.seesAddress(/flip=1$/);
    await player.seesWords(/^(Gote|Sente) wins in \d+$/);
    expect(await panel(player).getByLabel("Strength").locator("option").allTextContents()).toEqual([
      "Beginner",
      "Easy",
      "Medium",
      "Hard",
      "Expert",
      "Perfect",
    ]);
  });

  test("aggressive: of equally good moves one that leaves the fewest good replies", async ({ visit }) => {
    // Sente has lost with every move; three are equally good by distance.
    const { moves } = await movesOf("dobutsu", "official");
    const best = moves.filter(({ distance }) => distance === moves[0]?.distance);
    const replies = await Promise.all(
      best.map(async ({ move, position }) => {
        const answer = await movesOf("dobutsu", "official", position);
        return { move, good: answer.moves.filter(({ value }) => value === "win").length };
      }),
    );
    const fewest = Math.min(...replies.map(({ good }) => good));
    const right = replies.filter(({ good }) => good === fewest).map(({ move }) => move);
    expect(right.length).toBeLessThan(replies.length);

    const player = await visit({ mode, at: "/play/dobutsu" });
    await player.seesWords("Gote wins in 78");
    // Chosen first, so that the computer's first move is by all of it.
    await against(player, "Gote", "Perfect");
    await panel(player).getByRole("checkbox", { name: /^Aggressive/ }).check();
    await panel(player).getByRole("radio", { name: "The computer plays Sente" }).check();
    await player.seesPly(1);
    expect(right).toContain(/moves=(\w+)/.exec(player.address)?.[1]);
  });

  test("plays Push Fight", async ({ visit }) => {
    const player = await visit({ mode, at: "/play/pushfight/mini" });
    const { distance } = await movesOf("pushfight", "mini");
    await player.seesWords(`Red wins in ${distance} turns`);
    await against(player, "Red", "Perfect");
    await player.seesPly(1);
    await player.seesWords(`Red wins in ${(distance ?? 0) - 1} turns`);
    await player.moveRows.first().click();
    await player.seesPly(3);
    await player.seesWords(/^Red (wins in \d+ turns?|has won)$/);
  });
});

test("the perfect player does not come back to a drawn position that was there before", async () => {
  const ask = async (query: string, seed: number) => {
    const response = await fetch(new URL(`api/v1/dobutsu/play?${query}&seed=${seed}`, addressOf("server")));
    return ((await response.json()) as { readonly move: string }).move;
  };
  const seeds = [...Array(20).keys()];
  // Each side goes to and fro; 3c2d would be the fourth of these moves. There is one other move that draws.
  const without = await Promise.all(seeds.map((seed) => ask("pos=gl1/gc1/E1C/L1E+b+-+1", seed)));
  expect(without).toContain("3c2d");
  const played = await Promise.all(seeds.map((seed) => ask("pos=gl1/gc1/2C/LEE+w+-+1&played=2a1a+2d3c+1a2a", seed)));
  expect(new Set(played).size).toBe(1);
  expect(played).not.toContain("3c2d");
});
