// SPDX-License-Identifier: MIT
//
// The state of the page, one signal for each thing that can change by itself. Components read them, actions
// (actions.ts) write them.
import { computed, signal } from "@preact/signals";
import type { GameView, MoveMark, Side } from "../games/view";
import type { GameRecord } from "./record";
import { positionAt } from "./record";

/** The pages behind the tabs. */
export type Tab = "play" | "puzzles" | "gallery" | "numbers" | "about";
/** What the board of the Play tab is for. */
export type Mode = "play" | "edit";

export const tab = signal<Tab>("play");
export const mode = signal<Mode>("play");
/** What comes after the tab's name in the address, "dobutsu/7" in #/puzzles/dobutsu/7: the page in front may read and set it. */
export const subpath = signal("");

/** The game on the board of the Play tab. `start` is "" until the engine has told the start position. */
export const record = signal<GameRecord>({ game: "dobutsu", rules: "official", start: "", plies: [] });
/** How many plies of the record have been played on the board; the rest can be redone. */
export const index = signal(0);
/** True: side 1 sits at the bottom. */
export const flipped = signal(false);
/** The view of the record's game, null until it is loaded. */
export const view = signal<GameView | null>(null);
/** Whether values, the list of moves and arrows are shown; off, the page is just a board. */
export const hints = signal(true);
/** The move whose row has the pointer or the focus. */
export const shownMove = signal<MoveMark | null>(null);
/** In edit mode: the position being built. */
export const draft = signal("");
/** A sentence about what went wrong, for the person; null when all is well. */
export const problem = signal<string | null>(null);
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
export const opponent = signal<Opponent>({ side: null, level: "medium", aggressive: false });

export const position = computed(() => positionAt(record.value, index.value));
