// SPDX-License-Identifier: MIT
//
// Arrows for the best moves, or for the one that is being shown.
import type { MoveMark, Side } from "../games/view";
import { Arrow, Ring } from "../parts/arrows";
import type { Geometry } from "./geometry";
import { handKinds, parseMove } from "./parse";

interface MoveArrowsProps {
  readonly shape: Geometry;
  readonly mover: Side;
  readonly marks: readonly MoveMark[];
  readonly shown: MoveMark | null;
}

export function MoveArrows({ shape, mover, marks, shown }: MoveArrowsProps) {
  const drawn = shown === null ? marks : [shown];
  return (
    <g class="arrows" aria-hidden="true">
      {drawn.map(({ move, value }) => {
        const parts = parseMove(move);
        if (!parts) return null;
        const to = shape.square(parts.to);
        if (parts.from !== null)
          return <Arrow key={move} from={shape.square(parts.from)} to={to} value={value} strong={shown !== null} />;
        const place = Math.max(
          handKinds.findIndex((kind) => kind === parts.drop),
          0,
        );
        return (
          <g key={move}>
            <Arrow from={shape.hand(mover, place)} to={to} value={value} strong={shown !== null} width={9} />
            <Ring at={to} radius={42} value={value} strong={shown !== null} />
          </g>
        );
      })}
    </g>
  );
}
