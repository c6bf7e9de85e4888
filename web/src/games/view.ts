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

/** What a move is worth to the side that makes it. */
export interface MoveWorth {
  readonly value: Outcome;
  readonly distance: number | null;
}

export interface BoardProps {
  /** The rules (for Push Fight: the board). */
  readonly rules: string;
  /** In the game's canonical notation, as the engine writes it. */
  readonly position: string;
  /** The moves that may be played here, as the engine writes them. Empty: the board is for looking only. */
  readonly legal: readonly string[];
  /** They are not known yet: what is chosen now counts when they are. */
  readonly awaited?: boolean;
  /** The best moves, to be marked with arrows. Empty when the player does not want to see them. */
  readonly marks: readonly MoveMark[];
  /** A move to show, because the pointer or the focus is on its row; drawn instead of `marks`. */
  readonly shown: MoveMark | null;
  /** What the moves are worth, as far as it is known and wanted: to colour where a piece that is taken up can go. */
  readonly values: ReadonlyMap<string, MoveWorth>;
  /** The game is over: nobody is to move. */
  readonly over: boolean;
  /** The move that led to this position, to be highlighted. */
  readonly last: string | null;
  /** True: side 1 sits at the bottom. */
  readonly flipped: boolean;
  readonly language: Language;
  /** Called with one of `legal`. */
  readonly onMove: (move: string) => void;
  /** Called when a move is being made in steps, with the moves that can still come of it; null: nothing has been begun. */
  readonly onBegun?: (moves: ReadonlySet<string> | null) => void;
  /** Called when somebody tries what is not allowed, with the reason in words. */
  readonly onRefused?: (why: string) => void;
}

/** A piece that is held over the board: the position with it on each other square. */
export interface Shift {
  readonly positions: ReadonlyMap<number, string>;
}

/** The value of such a position, for the side to move; null: the position is not legal. */
export type ShiftValue = MoveWorth | null;

export interface EditorProps {
  readonly rules: string;
  /** The position being built. It need not be legal, but it is one that the editor wrote, or a legal one. */
  readonly position: string;
  readonly flipped: boolean;
  readonly language: Language;
  /** Called with a position text after each change; the engine is asked whether it is legal. */
  readonly onChange: (position: string) => void;
  /** Called with all positions that come of putting one piece elsewhere, when the person asks for that; null: no more. */
  readonly onShift?: (shift: Shift | null) => void;
  /** What those positions are worth, as far as it is known. */
  readonly shifted?: ReadonlyMap<string, ShiftValue>;
}

/** A step of the lesson: a position, what to do there, and the moves that do it. */
export interface LessonStep {
  readonly words: Readonly<Record<Language, string>>;
  readonly rules: string;
  readonly position: string;
  /** Whether a move is what was asked for. */
  readonly isRight: (move: string) => boolean;
}

export interface PlacingProps {
  readonly rules: string;
  readonly language: Language;
  /** Called with the position that the game begins with. */
  readonly onDone: (position: string) => void;
  readonly onCancel: () => void;
}

export interface GameView {
  /** The name that the engine uses: "dobutsu", "pushfight". */
  readonly name: string;
  /** A small picture of a side, to show who wins. */
  readonly Emblem: ComponentType<{ readonly side: Side }>;
  /** One sentence about the game with these rules as a whole: what perfect play leads to. */
  fact(rules: string, language: Language): string;
  /** The rule about repeated positions: how often one may come, and what makes two texts the same position. null: none. */
  readonly repetition: { readonly times: number; same(position: string): string } | null;
  /** Why a position of the editor can't be played, as far as the pieces tell; the engine has the last word. */
  whyIllegal(rules: string, position: string, language: Language): readonly string[];
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
  /** Every way to write a move that is read from a record; `last` is the move before it. */
  spellings(move: string, position: string, last: string | null): readonly string[];
  /** How KIF writes the game's name and its moves; null: KIF is not for this game. */
  readonly kif: { readonly name: string; move(move: string, position: string, last: string | null): string } | null;
  /** Texts of positions that this one may come from; the engine says which do. null: the game does not tell. */
  readonly before: ((position: string, rules: string) => readonly string[]) | null;
  /** More of them, if there may be too many to be shown at once; missing: those of `before` are all. They are asked for in steps. */
  readonly beforeMore?: (position: string, rules: string) => Iterator<string>;
  /** What the list shows at first and what in steps, in a sentence or two; missing: all at once. */
  readonly beforeNote?: (language: Language) => string;
  /** A move as it is said aloud, for screen readers. */
  moveSpeech(move: string, position: string, language: Language): string;
  /** Where a move begins and where it ends, in words: for hints. */
  hint(move: string, position: string, language: Language): { readonly from: string; readonly to: string };
  /** How the players set up before the first move; null: the game has one start position. */
  readonly Placing: ComponentType<PlacingProps> | null;
  /** The rules, piece by piece. */
  readonly lesson: readonly LessonStep[];
  /** What the keyboard does on this game's board, one sentence or two. */
  boardHelp(language: Language): string;
  /** A small picture of a position for galleries and lists: no interaction, aria-hidden. */
  readonly Thumbnail: ComponentType<{ readonly rules: string; readonly position: string; readonly flipped: boolean }>;
}
