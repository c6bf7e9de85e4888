// SPDX-License-Identifier: MIT
//
// The way that a piece is seen to slide: from square to square over empty ones.
import { neighbours, type Shape } from "./shape";

/** For each square that is joined to `from` by empty ones, the square before it on a shortest way. */
export function waysFrom(shape: Shape, position: string, from: number): ReadonlyMap<number, number> {
  const before = new Map<number, number>();
  const queue = [from];
  for (let square = queue.shift(); square !== undefined; square = queue.shift()) {
    for (const next of neighbours(shape, square)) {
      if (position[next] !== "." || before.has(next)) continue;
      before.set(next, square);
      queue.push(next);
    }
  }
  return before;
}

/** The squares of the way, both ends included; straight from one to the other if there is none. */
export function wayTo(shape: Shape, position: string, from: number, to: number): readonly number[] {
  const before = waysFrom(shape, position, from);
  const way = [to];
  for (let square = before.get(to); square !== undefined && square !== from; square = before.get(square)) way.push(square);
  way.push(from);
  return way.reverse();
}
