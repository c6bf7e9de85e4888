// SPDX-License-Identifier: MIT
//
// Which squares a board has, read from the engine's drawing of it: letters of the columns on top, then a line for each
// row with its number, '.' or a piece for a square and a blank where there is none.
//
//     abcdef
//   3  .ox.  3
//   2 .OOXX. 2
//   1  .ox.  1
//     abcdef
import type { Rails } from "./rails";

export interface Square {
  /** "b2". */
  readonly name: string;
  /** 0 is the left column, as the first player sees the board. */
  readonly column: number;
  /** 0 is the top row. */
  readonly row: number;
}

export interface Shape {
  readonly columns: number;
  readonly rows: number;
  /** Row by row from the top, the order of the characters of a position. */
  readonly squares: readonly Square[];
  readonly letters: readonly string[];
  /** The labels of the rows, from the top. */
  readonly digits: readonly string[];
  readonly rails: Rails;
  /** The number of the square there, or -1. */
  at(column: number, row: number): number;
  /** The number of the square of that name, or -1. */
  numberOf(name: string): number;
}

/** Columns begin here in each line of the drawing, after the row's number and a blank. */
const margin = 2;

export function readShape(diagram: string, rails: Rails): Shape | null {
  const lines = diagram.split("\n");
  const letters = [...(lines[0] ?? "").trim()];
  const columns = letters.length;
  const squares: Square[] = [];
  const digits: string[] = [];
  for (const line of lines.slice(1)) {
    const digit = line[0] ?? " ";
    if (digit < "0" || digit > "9") break;
    for (let column = 0; column < columns; column++) {
      const cell = line[margin + column] ?? " ";
      if (cell !== " ") squares.push({ name: `${letters[column]}${digit}`, column, row: digits.length });
    }
    digits.push(digit);
  }
  if (squares.length === 0) return null;
  const places = new Map(squares.map(({ column, row }, number) => [row * columns + column, number]));
  const names = new Map(squares.map(({ name }, number) => [name, number]));
  return {
    columns,
    rows: digits.length,
    squares,
    letters,
    digits,
    rails,
    at: (column, row) => (column < 0 || column >= columns ? -1 : (places.get(row * columns + column) ?? -1)),
    numberOf: (name) => names.get(name) ?? -1,
  };
}

/** The square after `to` on the way from `from` to its neighbour `to`, or -1. */
export function beyond(shape: Shape, from: number, to: number): number {
  const a = shape.squares[from];
  const b = shape.squares[to];
  return a && b ? shape.at(2 * b.column - a.column, 2 * b.row - a.row) : -1;
}

export function neighbours(shape: Shape, square: number): readonly number[] {
  const at = shape.squares[square];
  if (!at) return [];
  const { column, row } = at;
  return [shape.at(column - 1, row), shape.at(column + 1, row), shape.at(column, row - 1), shape.at(column, row + 1)].filter(
    (number) => number >= 0,
  );
}

/** Whether a railing stands where a piece on `to`, pushed from its neighbour `from`, would leave the board. */
export function railed(shape: Shape, from: number, to: number): boolean {
  const a = shape.squares[from];
  const b = shape.squares[to];
  if (!a || !b) return false;
  return (b.row < a.row && b.row === 0 && shape.rails.above) || (b.row > a.row && b.row === shape.rows - 1 && shape.rails.below);
}
