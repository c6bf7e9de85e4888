// SPDX-License-Identifier: MIT
//
// Changes to a position in the editor. It need not become legal: the engine says what is wrong with it.
import type { Side } from "../games/view";
import { letterOf, pieceAt, sideToMove, type Kind, type Piece } from "./arrangement";

function withLetter(position: string, square: number, letter: string): string {
  return position.slice(0, square) + letter + position.slice(square + 1);
}

export function withPiece(position: string, square: number, piece: Piece | null): string {
  return withLetter(position, square, piece ? letterOf(piece) : ".");
}

/** The piece goes to another square; what stood there is gone. */
export function withMoved(position: string, from: number, to: number): string {
  if (from === to) return position;
  return withLetter(withLetter(position, to, position[from] ?? "."), from, ".");
}

export function withoutAnchor(position: string): string {
  return position.replace(/Y/g, "X").replace(/P/g, "O");
}

/** The anchor on the pusher of that square, or off it if it is there; no other piece has it. */
export function withAnchor(position: string, square: number): string {
  const piece = pieceAt(position, square);
  if (piece?.kind !== "pusher") return position;
  return withPiece(withoutAnchor(position), square, { ...piece, anchored: !piece.anchored });
}

/** The anchor is on a pusher of the side that is not to move: the first one, if another side had it. */
export function withSide(position: string, side: Side): string {
  const pusher = position.search(side === 0 ? /[XY]/ : /[OP]/);
  if (sideToMove(position) === side && /[YP]/.test(position)) return position;
  return pusher < 0 ? withoutAnchor(position) : withAnchor(withoutAnchor(position), pusher);
}

/** Whether the other side has a pusher for the anchor, which it has when `side` is to move. */
export function canMove(position: string, side: Side): boolean {
  return side === 0 ? /[XY]/.test(position) : /[OP]/.test(position);
}

export function countOf(position: string, kind: Kind, side: Side): number {
  return [...position].filter((_, square) => {
    const piece = pieceAt(position, square);
    return piece?.kind === kind && piece.side === side;
  }).length;
}

/** The positions with a piece on each empty square instead of its own, by square. */
export function shiftsOf(position: string, from: number): ReadonlyMap<number, string> {
  return new Map([...position].flatMap((letter, to) => (letter === "." ? [[to, withMoved(position, from, to)] as const] : [])));
}
