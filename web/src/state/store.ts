// SPDX-License-Identifier: MIT
//
// The state of the page, one signal for each thing that can change by itself. Components read them, actions
// (actions.ts) write them.
import { computed, signal } from "@preact/signals";
import { gameNames } from "../games/registry";
import type { GameView, MoveMark, Side } from "../games/view";
import { positionAt } from "./record";
import { kept, readBoolean } from "./storage";
import { newTree, pathTo, recordOf, type GameTree } from "./tree";

/** The pages behind the tabs. */
export type Tab = "play" | "puzzles" | "lesson" | "gallery" | "numbers" | "about" | "developers" | "variants";
/** What the board of the Play tab is for. */
export type Mode = "play" | "edit" | "place";
/** The parts of the panel beside the board. */
export type Panel = "moves" | "game" | "explore" | "share";

export const tab = signal<Tab>("play");
export const mode = signal<Mode>("play");
/** What comes after the tab's name in the address, "dobutsu/7" in #/puzzles/dobutsu/7: the page in front may read and set it. */
export const subpath = signal("");

/** The game of the Play tab with all its variations. The start is "" until the engine has told it. */
export const tree = signal<GameTree>(newTree(gameNames()[0] ?? "", "", ""));
/** The end of the line that is shown: a node of the tree without children, mostly. */
export const leaf = signal(0);
/** The line that is shown. */
export const record = computed(() => recordOf(tree.value, leaf.value));
/** How many plies of the record have been played on the board; the rest can be redone. */
export const index = signal(0);
/** The nodes of the line, the start included. */
export const path = computed(() => pathTo(tree.value, leaf.value));
/** The node that is on the board. */
export const node = computed(() => path.value[index.value] ?? 0);
/** True: side 1 sits at the bottom. */
export const flipped = signal(false);
/** The view of the record's game, null until it is loaded. */
export const view = signal<GameView | null>(null);
/** Whether values, the list of moves and arrows are shown; off, the page is just a board. */
export const hints = kept("hints", true, readBoolean);
/** Whether the computer is thinking; then nobody else moves for it. */
export const thinking = signal(false);
/** A move that is being made in steps: those that can still come of it. */
export const begun = signal<ReadonlySet<string> | null>(null);
/** The move whose row has the pointer or the focus. */
export const shownMove = signal<MoveMark | null>(null);
/** In edit mode: the position being built. */
export const draft = signal("");
/** What went wrong, and what the person had typed; null when all is well. */
export const problem = signal<{ readonly error: unknown; readonly typed: string } | null>(null);
/** Something that was done and can be undone; `words` says what. */
export const notice = signal<{ readonly words: () => string; readonly undo: (() => void) | null } | null>(null);
/** Whether the dialog for a new game is open. */
export const newGameOpen = signal(false);
/** Which part of the panel is in front. */
export const panel = signal<Panel>("moves");
/** The last move in words, until the value of the position that it led to is told with it. */
export const spokenMove = signal("");
/** What a screen reader is told; each new text is read aloud. */
export const announcement = signal("");

export interface Opponent {
  /** The side that the computer plays, or null when people play both. */
  readonly side: Side | null;
  /** One of the engine's levels for the game. */
  readonly level: string;
  readonly aggressive: boolean;
}

function readOpponent(value: unknown): Opponent | null {
  const { side, level, aggressive } = (value ?? {}) as Partial<Record<keyof Opponent, unknown>>;
  if ((side !== null && side !== 0 && side !== 1) || typeof level !== "string" || typeof aggressive !== "boolean") return null;
  return { side, level, aggressive };
}

export const opponent = kept<Opponent>("opponent", { side: null, level: "medium", aggressive: false }, readOpponent);
/** Sounds when pieces move and games end. */
export const sound = kept("sound", false, readBoolean);
/** Words for children: easy Japanese with readings over the characters. */
export const kids = kept("kids", false, readBoolean);

export const position = computed(() => positionAt(record.value, index.value));
