// SPDX-License-Identifier: MIT
//
// What the engine answers (docs/api.md), and what an engine is.

export type Outcome = "win" | "draw" | "loss" | "unknown";

export interface MoveAnswer {
  readonly move: string;
  /** The position after the move. */
  readonly position: string;
  /** For the side that makes the move. */
  readonly value: Outcome;
  readonly distance: number | null;
  readonly plies: number | null;
}

export interface PositionAnswer {
  readonly game: string;
  readonly rules: string;
  readonly position: string;
  readonly side: string;
  readonly value: Outcome;
  readonly distance: number | null;
  readonly plies: number | null;
  readonly unit: "plies" | "turns";
  readonly source: "rules" | "table" | "search" | "none";
  readonly over: boolean;
  readonly count: number;
  readonly moves: readonly MoveAnswer[];
  /** Null: this notation can't hold the position. */
  readonly notations: Readonly<Record<string, string | null>>;
}

export interface LegalMove {
  readonly move: string;
  readonly position: string;
}

export interface LegalAnswer {
  readonly game: string;
  readonly rules: string;
  readonly position: string;
  readonly count: number;
  readonly moves: readonly LegalMove[];
}

export interface LineAnswer {
  readonly game: string;
  readonly rules: string;
  readonly position: string;
  readonly value: Outcome;
  readonly distance: number | null;
  readonly plies: number | null;
  readonly line: readonly MoveAnswer[];
  readonly ending: "over" | "repetition" | "limit" | "unknown";
  readonly complete: boolean;
}

export interface PlayAnswer {
  readonly move: string | null;
  readonly position: string;
}

export interface ValueCount {
  readonly value: Outcome;
  readonly distance: number | null;
  readonly plies: number | null;
  readonly count: number;
}

export interface TableAnswer {
  readonly game: string;
  readonly rules: string;
  readonly positions: number;
  readonly bytes: number;
  readonly digest: string;
  readonly counts: readonly ValueCount[];
}

export interface RulesInfo {
  readonly name: string;
  readonly start: string;
  readonly diagram: string;
  readonly table: boolean;
}

export interface GameInfo {
  readonly name: string;
  readonly title: string;
  readonly unit: "plies" | "turns";
  readonly proves: boolean;
  readonly notations: readonly string[];
  readonly levels: readonly string[];
  readonly rules: readonly RulesInfo[];
}

/** What an error is about, for the page to word it: numbers, names, lists of names. */
export type ErrorParams = Readonly<Record<string, string | number | readonly string[]>>;

/** What went wrong: a status as in HTTP (0: no connection), a code that the page words in its language, and a sentence. */
export class EngineError extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly code: string = "",
    readonly params: ErrorParams = {},
  ) {
    super(message);
  }

  /** Whether the same question may be answered later: no connection, or a host that is busy. */
  get passes(): boolean {
    return this.status === 0 || this.status === 502 || this.status === 503 || this.status === 504;
  }
}

export interface Engine {
  games(): Promise<readonly GameInfo[]>;
  /** `position` in any notation; without it, the start. */
  position(game: string, rules: string, position?: string, moves?: number): Promise<PositionAnswer>;
  legal(game: string, rules: string, position?: string): Promise<LegalAnswer>;
  line(game: string, rules: string, position?: string, limit?: number): Promise<LineAnswer>;
  play(
    game: string,
    rules: string,
    position: string,
    player: { readonly level: string; readonly aggressive: boolean; readonly seed?: number },
    /** Moves that were played from `position` on: it is the move after them that is asked for. */
    played?: readonly string[],
  ): Promise<PlayAnswer>;
  table(game: string, rules: string): Promise<TableAnswer>;
}

/** An entry of POST .../positions: a position without moves, or what is wrong with its text. */
export type BatchAnswer = Omit<PositionAnswer, "moves"> | {
      readonly error: { readonly status: number; readonly message: string; readonly code?: string; readonly params?: ErrorParams };
    };

export interface ValueAnswer {
  readonly value: Outcome;
  readonly distance: number | null;
  readonly plies: number | null;
}

export interface AnnotatedMove {
  readonly side: string;
  readonly move: string;
  readonly position: string;
  /** The value of the position, and that of the move, for the side that moves. */
  readonly before: ValueAnswer;
  readonly after: ValueAnswer;
  readonly mistake: "longer_win" | "shorter_loss" | "draw_to_loss" | "win_to_draw" | "win_to_loss" | null;
  readonly cost: number | null;
  readonly best: string | null;
}

export interface AnnotateAnswer {
  readonly game: string;
  readonly rules: string;
  readonly position: string;
  readonly result: "first" | "second" | "draw" | "unfinished";
  readonly moves: readonly AnnotatedMove[];
}

export interface Puzzle extends ValueAnswer {
  readonly position: string;
  readonly side: string;
  /** The only one that wins. */
  readonly move: string;
}

export interface PuzzlesAnswer {
  readonly game: string;
  readonly rules: string;
  readonly puzzles: readonly Puzzle[];
}

/** A request of docs/api.md. With `positions` or `body`, it is a POST. */
export interface ApiRequest {
  /** "/api/v1/dobutsu/position" */
  readonly path: string;
  /** "pos=...&rules=...", as in a URL. */
  readonly query: string;
  readonly positions?: readonly string[];
  /** JSON, for requests that take something else than positions. */
  readonly body?: string;
}

/** The engine that the page found, with all it can do. */
export interface FoundEngine extends Engine {
  /** Over HTTP, or in this program, which then works without a network once its tables are here. */
  readonly kind: "server" | "local";
  ask<T>(request: ApiRequest): Promise<T>;
  /** Up to 1,000 positions at once. */
  positions(game: string, rules: string, positions: readonly string[]): Promise<readonly BatchAnswer[]>;
}

/** A table on its way here. */
export interface TableProgress {
  readonly game: string;
  readonly rules: string;
  readonly loaded: number;
  /** Bytes that have to come before the first answer. */
  readonly total: number;
  readonly done: boolean;
}
