// SPDX-License-Identifier: MIT
//
// The beginning of a game: the first player sets up all pieces on the left half, the second on the right.
import type { Side } from "../games/view";
import { letterOf, type Kind } from "./arrangement";
import { countOf } from "./editing";
import type { Shape } from "./shape";

/** The side whose turn it is to place; null: all pieces are there. */
export function placer(position: string, start: string): Side | null {
  for (const side of [0, 1] as const) if (left(position, start, side) > 0) return side;
  return null;
}

function left(position: string, start: string, side: Side): number {
  return kinds.reduce((sum, kind) => sum + countOf(start, kind, side) - countOf(position, kind, side), 0);
}

export const kinds: readonly Kind[] = ["pusher", "mover"];

export function leftOf(position: string, start: string, side: Side, kind: Kind): number {
  return countOf(start, kind, side) - countOf(position, kind, side);
}

/** Whether a side may place on a square: it is empty and in that side's half; a middle column belongs to both. */
export function isHome(shape: Shape, square: number, side: Side): boolean {
  const at = shape.squares[square];
  if (!at) return false;
  const middle = (shape.columns - 1) / 2;
  return side === 0 ? at.column <= middle : at.column >= middle;
}

/** The position with a piece more, or one of the placer's own taken up again; the same if that is not allowed. */
export function withPlaced(shape: Shape, position: string, start: string, square: number, kind: Kind): string {
  const side = placer(position, start);
  if (side === null || !isHome(shape, square, side)) return position;
  const put = (letter: string) => position.slice(0, square) + letter + position.slice(square + 1);
  const there = position[square];
  const own = kinds.some((one) => there === letterOf({ kind: one, side, anchored: false }));
  if (own) return put(".");
  if (there !== "." || leftOf(position, start, side, kind) === 0) return position;
  return put(letterOf({ kind, side, anchored: false }));
}
