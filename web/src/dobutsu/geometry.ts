// SPDX-License-Identifier: MIT
//
// Where squares and hands are in the drawing. In the wide layout the hands are left and right of the board, in the tall
// one (phones) above and below.
import type { Side } from "../games/view";
import { columns, handKinds, rows } from "./parse";

export type Layout = "wide" | "tall";

export interface Point {
  readonly x: number;
  readonly y: number;
}

export const cell = 100;
const rim = 22;
const gap = 10;
/** Room around everything, so that strokes are not cut off. */
const edge = 3;

export const boardWidth = columns * cell + 2 * rim;
export const boardHeight = rows * cell + 2 * rim;

export interface Geometry {
  readonly layout: Layout;
  readonly width: number;
  readonly height: number;
  /** The side of a place in a hand. */
  readonly handSize: number;
  /** The top left corner of the board with its rim. */
  readonly board: Point;
  /** The centre of a square. */
  square(square: number): Point;
  /** The centre of a place in a hand, counted from 0 in the order of handKinds. */
  hand(side: Side, place: number): Point;
  /** The rectangle that a hand lies in. */
  tray(side: Side): { readonly x: number; readonly y: number; readonly width: number; readonly height: number };
  /** Where a side's name stands, beside its hand. */
  label(side: Side): Point;
  /** Whether a side's pieces look down. */
  turned(side: Side): boolean;
}

export function geometry(layout: Layout, flipped: boolean): Geometry {
  const wide = layout === "wide";
  const handSize = wide ? 92 : 74;
  const board = wide ? { x: edge + handSize + gap, y: edge } : { x: edge, y: edge + handSize + gap };
  const right = board.x + boardWidth;
  const bottom = board.y + boardHeight;
  const long = handKinds.length * handSize;
  const isTop = (side: Side) => (side === 1) !== flipped;
  const tray = (side: Side) => {
    const top = isTop(side);
    if (wide) return { x: top ? edge : right + gap, y: top ? edge : bottom - long, width: handSize, height: long };
    return { x: top ? edge : right - long, y: top ? edge : bottom + gap, width: long, height: handSize };
  };
  return {
    layout,
    width: wide ? right + gap + handSize + edge : right + edge,
    height: wide ? bottom + edge : bottom + gap + handSize + edge,
    handSize,
    board,
    label(side) {
      const box = tray(side);
      const top = isTop(side);
      if (wide) return { x: box.x + box.width / 2, y: top ? box.y + box.height + 26 : box.y - 14 };
      return { x: top ? (box.x + box.width + right) / 2 : (edge + box.x) / 2, y: box.y + box.height / 2 + 6 };
    },
    square(square) {
      const shown = flipped ? columns * rows - 1 - square : square;
      const column = shown % columns;
      const row = Math.floor(shown / columns);
      return { x: board.x + rim + (column + 0.5) * cell, y: board.y + rim + (row + 0.5) * cell };
    },
    hand(side, place) {
      // Each player's chicks lie nearest to the edge of the table on the left, as that player sees it.
      const at = isTop(side) ? handKinds.length - 1 - place : place;
      const box = tray(side);
      return wide
        ? { x: box.x + handSize / 2, y: box.y + (at + 0.5) * handSize }
        : { x: box.x + (at + 0.5) * handSize, y: box.y + handSize / 2 };
    },
    tray,
    turned: isTop,
  };
}

/** The square under a point, or -1. */
export function squareAt(shape: Geometry, point: Point): number {
  for (let square = 0; square < columns * rows; square++) {
    const centre = shape.square(square);
    if (Math.abs(point.x - centre.x) <= cell / 2 && Math.abs(point.y - centre.y) <= cell / 2) return square;
  }
  return -1;
}

export function isInside(box: { readonly x: number; readonly y: number; readonly width: number; readonly height: number }, point: Point): boolean {
  return point.x >= box.x && point.x <= box.x + box.width && point.y >= box.y && point.y <= box.y + box.height;
}
