// SPDX-License-Identifier: MIT
//
// What the engine can do: games, rules, levels. Asked once.
import { signal } from "@preact/signals";
import type { GameInfo } from "../engine/types";
import { addGames } from "../games/registry";
import { engine } from "./engine";

const games = signal<readonly GameInfo[]>([]);
let asked: Promise<readonly GameInfo[]> | null = null;

async function ask(): Promise<readonly GameInfo[]> {
  try {
    games.value = await (await engine()).games();
    addGames(games.value);
    return games.value;
  } catch (error) {
    asked = null; // asked again when somebody needs it
    throw error;
  }
}

/** All games of the engine. */
export function allGames(): Promise<readonly GameInfo[]> {
  asked ??= ask();
  return asked;
}

/** A game that was made on this page. */
export function addOwnGame(info: GameInfo): void {
  games.value = [...games.value.filter(({ name }) => name !== info.name), info];
  asked = Promise.resolve(games.value);
  addGames(games.value);
}

/** What the engine says about a game; null until it has answered. For components: they are drawn again then. */
export function gameInfo(name: string): GameInfo | null {
  if (!asked) allGames().catch(() => undefined); // whoever needs an answer more than this says what went wrong
  return games.value.find((game) => game.name === name) ?? null;
}

/** The rules that a game has first. */
export async function firstRules(name: string): Promise<string> {
  return (await allGames()).find((game) => game.name === name)?.rules[0]?.name ?? "";
}
