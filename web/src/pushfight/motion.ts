// SPDX-License-Identifier: MIT
//
// Which piece went where when a position changes, so that pieces are seen to slide and not to appear anew.
import { afterTurn, pieceAt, pushIn, readTurn, type Step, type Turn } from "./arrangement";
import { neighbours, type Shape } from "./shape";

/** For each square the piece's own number, or null where there is none. */
export type Tracks = readonly (number | null)[];

export interface Tracked {
  readonly position: string;
  readonly tracks: Tracks;
}

function track(shape: Shape, { position, tracks }: Tracked, turn: Turn): Tracks {
  const cells = [...position];
  const moved = [...tracks];
  for (const { from, to } of turn.moves) {
    [moved[to], cells[to]] = [moved[from] ?? null, cells[from] ?? "."];
    [moved[from], cells[from]] = [null, "."];
  }
  const { line, end } = pushIn(shape, cells, turn.push);
  const pushed = [...moved];
  line.forEach((square, i) => {
    const next = line[i + 1] ?? end;
    if (next >= 0) pushed[next] = moved[square] ?? null;
  });
  pushed[turn.push.from] = null;
  return pushed;
}

/** The push alone that makes one position of the other, or null. */
function pushBetween(shape: Shape, before: string, after: string): Step | null {
  for (let from = 0; from < before.length; from++) {
    if (pieceAt(before, from)?.kind !== "pusher" || after[from] !== ".") continue;
    for (const to of neighbours(shape, from)) {
      if (before[to] !== "." && afterTurn(shape, before, { moves: [], push: { from, to } }) === after) return { from, to };
    }
  }
  return null;
}

function sort(position: string, square: number): string {
  const piece = pieceAt(position, square);
  return piece ? `${piece.kind}${piece.side}` : "";
}

/** Pieces that stand where they stood are the same; the others are matched with one of their kind. */
function match(before: Tracked | null, position: string): Tracks {
  const tracks: (number | null)[] = Array.from({ length: position.length }, () => null);
  const left = new Map<string, number[]>();
  let fresh = 0;
  before?.tracks.forEach((number, square) => {
    if (number === null) return;
    fresh = Math.max(fresh, number + 1);
    const kind = sort(before.position, square);
    if (square < position.length && sort(position, square) === kind) tracks[square] = number;
    else left.set(kind, [...(left.get(kind) ?? []), number]);
  });
  for (let square = 0; square < position.length; square++) {
    const kind = sort(position, square);
    if (kind !== "" && tracks[square] === null) tracks[square] = left.get(kind)?.shift() ?? fresh++;
  }
  return tracks;
}

/** The pieces of `position`, with the numbers that they had before. `last` is the turn that led there, if it is known. */
export function follow(shape: Shape, before: Tracked | null, position: string, last: string | null): Tracked {
  if (before?.position === position) return before;
  if (before && before.position.length === position.length) {
    const turn = last === null ? null : readTurn(shape, last);
    if (turn && afterTurn(shape, before.position, turn) === position) return { position, tracks: track(shape, before, turn) };
    const push = pushBetween(shape, before.position, position);
    if (push) return { position, tracks: track(shape, before, { moves: [], push }) };
  }
  return { position, tracks: match(before, position) };
}
