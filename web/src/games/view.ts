// SPDX-License-Identifier: MIT
//
// What the page needs from a game to show it. Rules are not part of this: which moves there are and what they lead to
// comes from the engine. A view only reads the canonical notation to draw it, and turns gestures into one of the legal
// moves it was given.
import type { ComponentType } from "preact";
import type { Outcome } from "../engine/types";
import type { Language } from "../i18n";

export type { Outcome };

/** A side as a number: 0 moves first in the game (sente, red), 1 second. */
export type Side = 0 | 1;

/** A move to be marked on the board with an arrow or the like. */
export interface MoveMark {
  readonly move: string;
  /** For the side that makes the move. */
  readonly value: Outcome;
}

export interface BoardProps {
  /** The rules (for Push Fight: the board). */
  readonly rules: string;
  /** In the game's canonical notation, as the engine writes it. */
  readonly position: string;
  /** The moves that may be played here, as the engine writes them. Empty: the board is for looking only. */
  readonly legal: readonly string[];
  /** The best moves, to be marked with arrows. Empty when the player does not want to see them. */
  readonly marks: readonly MoveMark[];
  /** A move to show, because the pointer or the focus is on its row; drawn instead of `marks`. */
  readonly shown: MoveMark | null;
  /** The move that led to this position, to be highlighted. */
  readonly last: string | null;
  /** True: side 1 sits at the bottom. */
  readonly flipped: boolean;
  readonly language: Language;
  /** Called with one of `legal`. */
  readonly onMove: (move: string) => void;
}

export interface EditorProps {
  readonly rules: string;
  /** The position being built. It need not be legal, but it is one that the editor wrote, or a legal one. */
  readonly position: string;
  readonly flipped: boolean;
  readonly language: Language;
  /** Called with a position text after each change; the engine is asked whether it is legal, and its message shown. */
  readonly onChange: (position: string) => void;
}

export interface GameView {
  /** The name that the engine uses: "dobutsu", "pushfight". */
  readonly name: string;
  readonly Board: ComponentType<BoardProps>;
  /** The board with palette, hands and side to move. */
  readonly Editor: ComponentType<EditorProps>;
  /** A position with nothing or next to nothing on the board, to begin editing from. */
  emptyPosition(rules: string): string;
  sideToMove(position: string): Side;
  sideName(side: Side, language: Language): string;
  rulesName(rules: string, language: Language): string;
  /** A move for the lists: short. `position` is the one it is played in. */
  moveText(move: string, position: string, language: Language): string;
  /** A move as it is said aloud, for screen readers. */
  moveSpeech(move: string, position: string, language: Language): string;
  /** What the keyboard does on this game's board, one sentence or two. */
  boardHelp(language: Language): string;
  /** A small picture of a position for galleries and lists: no interaction, aria-hidden. */
  readonly Thumbnail: ComponentType<{ readonly rules: string; readonly position: string; readonly flipped: boolean }>;
}
