// SPDX-License-Identifier: MIT
//
// Positions that one may come from: each piece of the side that has just moved is put back to a neighbouring square or into the
// hand, and what it may have taken is put where it stands. Many of these are not possible; the engine says which are.
import type { Side } from "../games/view";
import { withHand, withSquare } from "./editing";
import { columns, format, parse, rows, type HandKind, type Kind, type Picture } from "./parse";

function neighbours(square: number): readonly number[] {
  const column = square % columns;
  const row = Math.floor(square / columns);
  const found: number[] = [];
  for (let y = row - 1; y <= row + 1; y++)
    for (let x = column - 1; x <= column + 1; x++)
      if (x >= 0 && x < columns && y >= 0 && y < rows && (x !== column || y !== row)) found.push(y * columns + x);
  return found;
}

/** What may have been taken, with the picture in which it is in no hand any more. */
function taken(picture: Picture, mover: Side): readonly { readonly kind: Kind; readonly rest: Picture }[] {
  const hand = picture.hands[mover];
  return (["chick", "elephant", "giraffe", "lion"] as const).flatMap((kind: HandKind): { kind: Kind; rest: Picture }[] => {
    if (hand[kind] === 0) return [];
    const rest = withHand(picture, mover, kind, hand[kind] - 1);
    return kind === "chick" ? [{ kind, rest }, { kind: "hen", rest }] : [{ kind, rest }];
  });
}

export function positionsBefore(position: string): readonly string[] {
  const picture = { ...parse(position), number: "" };
  const mover: Side = picture.toMove === 0 ? 1 : 0;
  const other = picture.toMove;
  const found = new Set<string>();
  const add = (before: Picture) => found.add(format({ ...before, toMove: mover }));
  picture.squares.forEach((piece, to) => {
    if (piece?.side !== mover) return;
    const lifted = withSquare(picture, to, null);
    if (piece.kind !== "hen" && piece.kind !== "lion") add(withHand(lifted, mover, piece.kind, lifted.hands[mover][piece.kind] + 1));
    const earlier: readonly Kind[] = piece.kind === "hen" ? ["hen", "chick"] : [piece.kind];
    for (const from of neighbours(to)) {
      if (picture.squares[from]) continue;
      for (const kind of earlier) {
        const stepped = withSquare(lifted, from, { kind, side: mover });
        add(stepped);
        for (const { kind: captured, rest } of taken(stepped, mover)) add(withSquare(rest, to, { kind: captured, side: other }));
      }
    }
  });
  return [...found];
}
