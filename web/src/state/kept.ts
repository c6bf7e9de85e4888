// SPDX-License-Identifier: MIT
//
// Games that were on the board before. Another game, other rules or an edited position don't lose anything: what was there is
// kept by the browser, the last one first.
import { effect, signal } from "@preact/signals";
import { load, save } from "./storage";
import type { Ply } from "./record";
import { index, leaf, tree } from "./store";
import { childWith, decodeTree, encodeTree, leafOf, pathTo, type GameTree } from "./tree";

export interface KeptGame {
  readonly tree: GameTree;
  readonly leaf: number;
  readonly index: number;
}

const most = 20;
/** How long a game may go on before it is written again. */
const writeEveryMs = 400;

function read(text: string | null): readonly KeptGame[] {
  try {
    const list: unknown = JSON.parse(text ?? "[]");
    if (!Array.isArray(list)) return [];
    return list.slice(0, most).flatMap((entry: unknown) => {
      const found = decodeTree(typeof entry === "string" ? entry : null);
      return found ? [{ tree: found, leaf: leafOf(found, 0), index: pathTo(found, leafOf(found, 0)).length - 1 }] : [];
    });
  } catch {
    return [];
  }
}

/** The games that can be fetched back. */
export const earlier = signal<readonly KeptGame[]>(read(load("games")));

function store(games: readonly KeptGame[]): void {
  earlier.value = games.slice(0, most);
  save("games", JSON.stringify(earlier.value.map((game) => encodeTree(game.tree))));
}

const sameStart = (one: GameTree, other: GameTree): boolean =>
  one.game === other.game && one.rules === other.rules && one.nodes[0]?.position === other.nodes[0]?.position;

/** Keeps the game on the board before `next` takes its place. False: there is nothing to keep, or nothing is lost. */
export function keepGame(next: GameTree): boolean {
  const now = { tree: tree.value, leaf: leaf.value, index: index.value };
  if (now.tree.nodes.length < 2) return false;
  // The same game with more in it.
  if (sameStart(now.tree, next) && next.nodes.length >= now.tree.nodes.length && contains(next, now.tree)) return false;
  store([now, ...earlier.value.filter((game) => !(sameStart(game.tree, now.tree) && contains(now.tree, game.tree)))]);
  return true;
}

function contains(large: GameTree, small: GameTree): boolean {
  const walk = (inLarge: number, inSmall: number): boolean =>
    (small.nodes[inSmall]?.children ?? []).every((child) => {
      const match = childWith(large, inLarge, small.nodes[child]?.move ?? "");
      return match !== null && walk(match, child);
    });
  return walk(0, 0);
}

/** Takes a game out of those that are kept. */
export function takeBackGame(number: number): KeptGame | null {
  const game = earlier.value[number];
  if (!game) return null;
  store(earlier.value.filter((_, at) => at !== number));
  return game;
}

let last: GameTree | null = decodeTree(load("game"));

/** The tree of the last visit, if the game that the address names is a line of it. */
export function keptTree(game: string, rules: string, start: string, plies: readonly Ply[]): GameTree | null {
  const known = last;
  if (!known || plies.length === 0) return null;
  if (known.game !== game || known.rules !== rules || known.nodes[0]?.position !== start) return null;
  let at = 0;
  for (const { move } of plies) {
    const next = childWith(known, at, move);
    if (next === null) return null;
    at = next;
  }
  earlier.value = earlier.value.filter((kept) => !(sameStart(kept.tree, known) && contains(known, kept.tree)));
  return known;
}

/** From now on the browser keeps the game on the board. */
export function startKeeping(): void {
  if (last && last.nodes.length > 1) {
    const found = last;
    if (!earlier.value.some((game) => sameStart(game.tree, found) && contains(game.tree, found))) {
      const end = leafOf(found, 0);
      store([{ tree: found, leaf: end, index: pathTo(found, end).length - 1 }, ...earlier.value]);
    }
  }
  let timer: ReturnType<typeof setTimeout> | null = null;
  effect(() => {
    const now = tree.value;
    if (now.nodes.length < 2) return;
    if (timer) clearTimeout(timer);
    timer = setTimeout(() => {
      last = now;
      save("game", encodeTree(now));
    }, writeEveryMs);
  });
}
