// SPDX-License-Identifier: MIT
//
// A piece: an animal on a tile that reaches from -44 to 44, facing up. The dots at the rim show where it can step.
import { Drawing } from "../art/animals";
import type { Side } from "../games/view";
import type { Kind } from "./parse";

const steps: Readonly<Record<Kind, readonly (readonly [number, number])[]>> = {
  chick: [[0, -1]],
  hen: [
    [-1, -1],
    [0, -1],
    [1, -1],
    [-1, 0],
    [1, 0],
    [0, 1],
  ],
  elephant: [
    [-1, -1],
    [1, -1],
    [-1, 1],
    [1, 1],
  ],
  giraffe: [
    [0, -1],
    [-1, 0],
    [1, 0],
    [0, 1],
  ],
  lion: [
    [-1, -1],
    [0, -1],
    [1, -1],
    [-1, 0],
    [1, 0],
    [-1, 1],
    [0, 1],
    [1, 1],
  ],
};

/** Dots in the corners are a little further in, where the tile is round. */
function dotAt(x: number, y: number): number {
  return x !== 0 && y !== 0 ? 33 : 35;
}

/** A piece on its tile. `turned`: it belongs to the player at the top and looks down. */
export function Animal({ kind, side, turned }: { kind: Kind; side: Side; turned: boolean }) {
  return (
    <g class={`animal side${side}`} transform={turned ? "rotate(180)" : undefined}>
      <rect class="tile-shadow" x="-42" y={turned ? -47 : -37} width="84" height="84" rx="13" />
      <rect class="tile" x="-42" y="-42" width="84" height="84" rx="13" />
      <Drawing kind={kind} />
      {steps[kind].map(([x, y]) => (
        <circle key={`${x},${y}`} class="dot" cx={x * dotAt(x, y)} cy={y * dotAt(x, y)} r="3.6" />
      ))}
    </g>
  );
}
