// SPDX-License-Identifier: MIT
//
// What the editor does to a picture. Nothing here knows what is legal.
import type { Side } from "../games/view";
import { format, type HandKind, type Picture, type Piece } from "./parse";

/** The most pieces of a kind that a hand can be given. */
const mostInHand = 2;

export function withSquare(picture: Picture, square: number, piece: Piece | null): Picture {
  return { ...picture, squares: picture.squares.map((old, at) => (at === square ? piece : old)) };
}

export function withMoved(picture: Picture, from: number, to: number): Picture {
  const piece = picture.squares[from] ?? null;
  return from === to ? picture : withSquare(withSquare(picture, from, null), to, piece);
}

export function withHand(picture: Picture, side: Side, kind: HandKind, count: number): Picture {
  const kept = Math.max(0, Math.min(count, mostInHand));
  const [first, second] = picture.hands;
  return {
    ...picture,
    hands: side === 0 ? [{ ...first, [kind]: kept }, second] : [first, { ...second, [kind]: kept }],
  };
}

/** The move number says whose turn it is in a game from the start, so it is dropped when the side changes. */
export function withSide(picture: Picture, toMove: Side): Picture {
  return { ...picture, toMove, number: "" };
}

/** A piece of the board goes to a hand: a hen as a chick. */
export function withTaken(picture: Picture, from: number, side: Side): Picture {
  const piece = picture.squares[from];
  if (!piece || piece.kind === "lion") return picture;
  const kind = piece.kind === "hen" ? "chick" : piece.kind;
  return withHand(withSquare(picture, from, null), side, kind, picture.hands[side][kind] + 1);
}

/** The positions with a piece on each empty square instead of its own, by square. */
export function shiftsOf(picture: Picture, from: number): ReadonlyMap<number, string> {
  return new Map(
    picture.squares.flatMap((there, to) => (there === null || to === from ? [[to, format(withMoved(picture, from, to))] as const] : [])),
  );
}
