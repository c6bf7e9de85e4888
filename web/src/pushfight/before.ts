// SPDX-License-Identifier: MIT
//
// Positions from which a push alone leads to this one. The anchor is on the piece that pushed: it is taken back by one square, with
// as many of the pieces that stand in a row before it as it may have pushed. Where the anchor was before that, nobody can see: it
// was on any pusher of the other side, or the game had just begun. The engine says which of these positions there are.
import { type Cells, pieceAt, sideToMove } from "./arrangement";
import { beyond, neighbours, type Shape } from "./shape";

/** The same pieces with the anchor on each pusher that may have had it, and without one. */
function withAnchors(cells: Cells, anchor: "P" | "Y"): readonly string[] {
  const pusher = anchor === "P" ? "O" : "X";
  const plain = cells.join("");
  const anchored = cells.flatMap((letter, square) => (letter === pusher ? [plain.slice(0, square) + anchor + plain.slice(square + 1)] : []));
  // Red makes the first turn of a game.
  return anchor === "Y" ? [...anchored, plain] : anchored;
}

export function positionsBefore(shape: Shape, position: string): readonly string[] {
  const to = [...position].findIndex((_, square) => pieceAt(position, square)?.anchored);
  if (to < 0) return [];
  const mover = sideToMove(position) === 0 ? 1 : 0;
  const found = new Set<string>();
  for (const from of neighbours(shape, to)) {
    if (position[from] !== ".") continue;
    const cells: Cells = [...position].map((letter) => (letter === "P" ? "O" : letter === "Y" ? "X" : letter));
    cells[from] = cells[to] ?? ".";
    let last = from;
    let free = to;
    for (let next = beyond(shape, last, free); next >= 0 && cells[next] !== "."; next = beyond(shape, last, free)) {
      // One more of the row was pushed; behind the last of them there was an empty square.
      cells[free] = cells[next] ?? ".";
      cells[next] = ".";
      for (const before of withAnchors(cells, mover === 0 ? "Y" : "P")) found.add(before);
      last = free;
      free = next;
    }
  }
  return [...found];
}
