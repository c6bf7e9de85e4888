// SPDX-License-Identifier: MIT
//
// The pieces on the squares, and how it looks when they are moved or pushed. A position is the engine's notation: a
// character for each square. Whether a move or push is allowed is not decided here.
import type { Side } from "../games/view";
import { beyond, type Shape } from "./shape";

export type Kind = "pusher" | "mover";

export interface Piece {
  readonly kind: Kind;
  readonly side: Side;
  readonly anchored: boolean;
}

const pieces: Readonly<Record<string, Piece>> = {
  O: { kind: "pusher", side: 0, anchored: false },
  P: { kind: "pusher", side: 0, anchored: true },
  o: { kind: "mover", side: 0, anchored: false },
  X: { kind: "pusher", side: 1, anchored: false },
  Y: { kind: "pusher", side: 1, anchored: true },
  x: { kind: "mover", side: 1, anchored: false },
};

export function pieceAt(position: string, square: number): Piece | null {
  return pieces[position[square] ?? ""] ?? null;
}

export function letterOf({ kind, side, anchored }: Piece): string {
  if (kind === "mover") return side === 0 ? "o" : "x";
  return anchored ? (side === 0 ? "P" : "Y") : side === 0 ? "O" : "X";
}

/** The anchor is on a piece of the side that moved last; without one, red makes the first turn of the game. */
export function sideToMove(position: string): Side {
  return position.includes("P") ? 1 : 0;
}

export function emptyBoard(squares: number): string {
  return ".".repeat(squares);
}

/** A move, or the push that ends a turn: from one square to another. */
export interface Step {
  readonly from: number;
  readonly to: number;
}

export interface Turn {
  readonly moves: readonly Step[];
  readonly push: Step;
}

/** "b2-a2,c2-d2": moves, and the push last. null if it is not of this board. */
export function readTurn(shape: Shape, text: string): Turn | null {
  const steps: Step[] = [];
  for (const part of text.split(",")) {
    const [from = "", to = ""] = part.split("-");
    const step = { from: shape.numberOf(from), to: shape.numberOf(to) };
    if (step.from < 0 || step.to < 0) return null;
    steps.push(step);
  }
  const push = steps.pop();
  return push ? { moves: steps, push } : null;
}

/** The squares as a list that can be changed. */
export type Cells = string[];

export function moveIn(cells: Cells, { from, to }: Step): void {
  cells[to] = cells[from] ?? ".";
  cells[from] = ".";
}

export interface Pushed {
  /** The squares that pieces left, the pusher's first. */
  readonly line: readonly number[];
  /** Where the last of them went, or -1: it fell. */
  readonly end: number;
  /** What fell. */
  readonly fallen: Piece | null;
}

/**
 * Pushes: the piece and all that stand in a row before it go one square on, and it gets the anchor, which comes off any
 * other piece. The last of them goes to an empty square or off the board.
 */
export function pushIn(shape: Shape, cells: Cells, { from, to }: Step): Pushed {
  const line = [from];
  let next = to;
  let last = from;
  while (next >= 0 && cells[next] !== ".") {
    line.push(next);
    const after = beyond(shape, last, next);
    last = next;
    next = after;
  }
  const fallen = next < 0 ? (pieces[cells[last] ?? ""] ?? null) : null;
  for (let i = line.length - 1; i >= 0; i--) {
    const target = i === line.length - 1 ? next : line[i + 1];
    if (target !== undefined && target >= 0) cells[target] = cells[line[i] ?? from] ?? ".";
  }
  cells[from] = ".";
  for (let square = 0; square < cells.length; square++) {
    if (cells[square] === "Y") cells[square] = "X";
    else if (cells[square] === "P") cells[square] = "O";
  }
  cells[to] = cells[to] === "X" ? "Y" : "P";
  return { line, end: next, fallen };
}

export function afterMoves(position: string, moves: readonly Step[]): string {
  const cells = [...position];
  for (const move of moves) moveIn(cells, move);
  return cells.join("");
}

export function afterTurn(shape: Shape, position: string, turn: Turn): string {
  const cells = [...position];
  for (const move of turn.moves) moveIn(cells, move);
  pushIn(shape, cells, turn.push);
  return cells.join("");
}
