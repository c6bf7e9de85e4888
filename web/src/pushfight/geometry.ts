// SPDX-License-Identifier: MIT
//
// Where things are in the drawing. A square is 100 units wide.
import type { Shape } from "./shape";

export interface Point {
  readonly x: number;
  readonly y: number;
}

export const cell = 100;
/** How far the board reaches beyond its squares. */
export const rim = 14;
/** Room for the rim, the railings and the labels. */
const side = 48;
const top = 68;

export interface Geometry {
  readonly shape: Shape;
  readonly width: number;
  readonly height: number;
  readonly flipped: boolean;
  /** The centre of a square. */
  centre(square: number): Point;
  /** The same for a column and row, whether there is a square or not. */
  centreOf(column: number, row: number): Point;
  /** The square under a point, or -1. */
  squareAt(point: Point): number;
}

/** `bare`: without room for labels. */
export function geometry(shape: Shape, flipped: boolean, bare = false): Geometry {
  const left = bare ? rim + 4 : side;
  const above = bare ? 40 : top;
  const centreOf = (column: number, row: number): Point => ({
    x: left + ((flipped ? shape.columns - 1 - column : column) + 0.5) * cell,
    y: above + ((flipped ? shape.rows - 1 - row : row) + 0.5) * cell,
  });
  return {
    shape,
    width: shape.columns * cell + 2 * left,
    height: shape.rows * cell + 2 * above,
    flipped,
    centreOf,
    centre(square) {
      const at = shape.squares[square];
      return at ? centreOf(at.column, at.row) : { x: 0, y: 0 };
    },
    squareAt({ x, y }) {
      const column = Math.floor((x - left) / cell);
      const row = Math.floor((y - above) / cell);
      return flipped ? shape.at(shape.columns - 1 - column, shape.rows - 1 - row) : shape.at(column, row);
    },
  };
}
