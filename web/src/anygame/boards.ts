// SPDX-License-Identifier: MIT
//
// The boards of games that the page has no view for: the engine says how they look, which piece is where, and which squares a
// person chooses to play a move (docs/api.md, "board"). Each is asked for once.
import { type Signal, signal } from "@preact/signals";
import { makeRequest } from "kanzen/parts";
import type { Side } from "../games/view";
import { engine } from "../state/engine";

export interface Square {
  readonly x: number;
  readonly y: number;
  readonly label: string;
  readonly shape: "square" | "point" | "hand";
}

export interface Kind {
  readonly letter: string;
  readonly emoji: string | null;
  readonly path: string | null;
  readonly side: -1 | Side;
  readonly name: string;
}

export interface BoardMove {
  readonly move: string;
  readonly position: string;
  readonly squares: readonly number[];
  readonly choice: string | null;
}

export interface BoardAnswer {
  readonly position: string;
  readonly mover: Side;
  readonly sides: readonly string[];
  readonly squares: readonly Square[];
  readonly kinds: readonly Kind[];
  readonly lines: readonly (readonly [number, number])[];
  readonly pieces: readonly number[];
  readonly counts: readonly number[];
  readonly moves: readonly BoardMove[];
}

/** What is known of one game. */
export class Boards {
  private readonly boards = new Map<string, Signal<BoardAnswer | null>>();
  private readonly movers = new Map<string, Side>();
  /** The last board that came: squares and names are those of the rules that are played. */
  readonly latest = signal<BoardAnswer | null>(null);

  constructor(
    private readonly game: string,
    private readonly ask: (query: { readonly pos: string; readonly rules: string }) => Promise<BoardAnswer> = async (query) =>
      (await engine()).ask<BoardAnswer>(makeRequest(`${encodeURIComponent(game)}/board`, query)),
  ) {}

  /** The board of a position; null until it is here. Whoever draws it is drawn again then. */
  board(rules: string, position: string): BoardAnswer | null {
    const key = `${rules}\n${position}`;
    let known = this.boards.get(key);
    if (!known) {
      known = signal<BoardAnswer | null>(null);
      this.boards.set(key, known);
      const waiting = known;
      this.ask({ pos: position, rules }).then(
        (answer) => {
          this.remember(answer);
          waiting.value = answer;
          this.latest.value = answer;
        },
        () => this.boards.delete(key), // asked again when it is drawn again
      );
    }
    return known.value;
  }

  private remember(answer: BoardAnswer): void {
    this.movers.set(answer.position, answer.mover);
    for (const { position } of answer.moves) this.movers.set(position, answer.mover === 0 ? 1 : 0);
  }

  /** Who moves there: as far as a board has told. */
  mover(position: string): Side {
    void this.latest.value; // who asks is asked again when more is known
    return this.movers.get(position) ?? 0;
  }

  get name(): string {
    return this.game;
  }
}

/** The moves that begin with the squares that were chosen. */
export function movesFrom(moves: readonly BoardMove[], chosen: readonly number[]): readonly BoardMove[] {
  return moves.filter(({ squares }) => chosen.every((square, place) => squares[place] === square));
}

export interface Choosing {
  /** The squares that are chosen now. */
  readonly chosen: readonly number[];
  /** The move that this completes, or null. */
  readonly move: BoardMove | null;
  /** Moves that the same squares stand for: the person says which. */
  readonly open: readonly BoardMove[];
}

/** What choosing one more square leads to. */
export function choose(moves: readonly BoardMove[], chosen: readonly number[], square: number): Choosing {
  // The last square once more: what is complete is meant, though it could go on.
  const again = chosen.length > 0 && chosen[chosen.length - 1] === square;
  const complete = movesFrom(moves, chosen).filter(({ squares }) => squares.length === chosen.length);
  if (again && complete.length === 1 && complete[0]) return { chosen: [], move: complete[0], open: [] };
  const next = [...chosen, square];
  const rest = movesFrom(moves, next).filter(({ squares }) => squares.length >= next.length);
  if (rest.length === 0) {
    const fresh = chosen.length > 0 && !again ? choose(moves, [], square) : null;
    return fresh ?? { chosen: [], move: null, open: [] };
  }
  const done = rest.filter(({ squares }) => squares.length === next.length);
  if (done.length === 1 && rest.length === 1 && done[0]) return { chosen: [], move: done[0], open: [] };
  return { chosen: next, move: null, open: done.length === rest.length ? done : [] };
}
