// SPDX-License-Identifier: MIT
//
// Arrow keys on a board: from one place to the nearest one in that direction, wherever the places are drawn.

export interface Place {
  readonly id: string;
  readonly x: number;
  readonly y: number;
}

const directions: Readonly<Record<string, readonly [number, number]>> = {
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
};

/** The id of the place that the key leads to, or null: not an arrow key, or nothing lies there. */
export function placeTowards(places: readonly Place[], from: string, key: string): string | null {
  const direction = directions[key];
  const start = places.find((place) => place.id === from);
  if (!direction || !start) return null;
  let best: string | null = null;
  let bestCost = Infinity;
  for (const place of places) {
    const dx = place.x - start.x;
    const dy = place.y - start.y;
    const along = dx * direction[0] + dy * direction[1];
    const aside = Math.abs(dx * direction[1]) + Math.abs(dy * direction[0]);
    if (along < 1 || aside > along * 2.5) continue;
    const cost = along + 2 * aside;
    if (cost < bestCost) {
      bestCost = cost;
      best = place.id;
    }
  }
  return best;
}
