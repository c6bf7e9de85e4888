// SPDX-License-Identifier: MIT
//
// Positions from which a turn leads to this one. The anchor is on the piece that pushed: it is taken back by one square, with as many
// of the pieces that stand in a row before it as it may have pushed. The moves before the push are taken back as they were made: a
// piece slides over empty squares. Where the anchor was before the turn, nobody can see: it was on any pusher of the other side that
// was not pushed, or the game had just begun. The engine says which of these positions there are.
import { afterMoves, type Cells, pieceAt, sideToMove } from "./arrangement";
import { beyond, neighbours, type Shape } from "./shape";
import { waysFrom } from "./ways";

/** The same pieces with the anchor on each pusher that may have had it, and without one. */
function withAnchors(cells: Cells, anchor: "P" | "Y", pushed: ReadonlySet<number>): readonly string[] {
  const pusher = anchor === "P" ? "O" : "X";
  const plain = cells.join("");
  const anchored = cells.flatMap((letter, square) =>
    letter === pusher && !pushed.has(square) ? [plain.slice(0, square) + anchor + plain.slice(square + 1)] : [],
  );
  // Red makes the first turn of a game.
  return anchor === "Y" ? [...anchored, plain] : anchored;
}

/** For each push that may have been the last one, the positions before it: they differ in the anchor. */
function* pushesBefore(shape: Shape, position: string): Generator<readonly string[]> {
  const to = [...position].findIndex((_, square) => pieceAt(position, square)?.anchored);
  if (to < 0) return;
  const anchor = sideToMove(position) === 0 ? "P" : "Y";
  for (const from of neighbours(shape, to)) {
    if (position[from] !== ".") continue;
    const cells: Cells = [...position].map((letter) => (letter === "P" ? "O" : letter === "Y" ? "X" : letter));
    cells[from] = cells[to] ?? ".";
    const pushed = new Set<number>();
    let last = from;
    let free = to;
    for (let next = beyond(shape, last, free); next >= 0 && cells[next] !== "."; next = beyond(shape, last, free)) {
      // One more of the row was pushed; behind the last of them there was an empty square.
      cells[free] = cells[next] ?? ".";
      cells[next] = ".";
      pushed.add(free);
      yield withAnchors(cells, anchor, pushed);
      last = free;
      free = next;
    }
  }
}

/** The positions from which a push alone leads here. */
export function positionsBefore(shape: Shape, position: string): readonly string[] {
  return [...new Set([...pushesBefore(shape, position)].flat())];
}

/** What one move of the side to move can have come from: a move back is a move. */
function* movesBefore(shape: Shape, position: string): Generator<string> {
  const side = sideToMove(position);
  for (let at = 0; at < position.length; at++) {
    if (pieceAt(position, at)?.side !== side) continue;
    for (const from of waysFrom(shape, position, at).keys()) yield afterMoves(position, [{ from: at, to: from }]);
  }
}

/**
 * The positions from which one or two moves and a push lead here and no push alone, those with one move first. There may be
 * thousands: they are made as they are asked for. Of those that differ in the anchor alone, one.
 */
export function* turnsBefore(shape: Shape, position: string): Generator<string> {
  const pushed = [...pushesBefore(shape, position)].flatMap(([first]) => (first === undefined ? [] : [first]));
  const known = new Set(pushed);
  const one: string[] = [];
  for (const after of pushed) {
    for (const before of movesBefore(shape, after)) {
      if (known.has(before)) continue;
      known.add(before);
      one.push(before);
      yield before;
    }
  }
  for (const after of one) {
    for (const before of movesBefore(shape, after)) {
      if (known.has(before)) continue;
      known.add(before);
      yield before;
    }
  }
}
