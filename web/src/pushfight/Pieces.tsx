// SPDX-License-Identifier: MIT
//
// The pieces on the board. They keep their elements when they move, so that they slide.
import { useRef } from "preact/hooks";
import { pieceAt } from "./arrangement";
import type { Geometry } from "./geometry";
import { follow, type Tracked } from "./motion";
import { Piece } from "./Piece";

interface PiecesProps {
  readonly place: Geometry;
  readonly position: string;
  /** The turn that led there. */
  readonly last?: string | null;
  /** The square of the piece that is being dragged. */
  readonly lifted?: number | null;
  /** The square of a piece that was dragged there, and need not slide any more. */
  readonly settled?: number | null;
}

export function Pieces({ place, position, last = null, lifted = null, settled = null }: PiecesProps) {
  const tracked = useRef<Tracked | null>(null);
  tracked.current = follow(place.shape, tracked.current, position, last);
  const { tracks } = tracked.current;
  // In the order of their numbers: elements that change places in the document would not slide.
  const order = tracks.flatMap((number, square) => (number === null ? [] : [{ number, square }])).sort((a, b) => a.number - b.number);
  return (
    <g class="pieces" aria-hidden="true">
      {order.map(({ number, square }) => {
        const piece = pieceAt(position, square);
        const { x, y } = place.centre(square);
        const classes = `standing${square === lifted ? " lifted" : ""}${square === settled ? " settled" : ""}`;
        return piece ? (
          <g key={number} class={classes} style={{ transform: `translate(${x}px, ${y}px)` }}>
            <Piece piece={piece} />
          </g>
        ) : null;
      })}
    </g>
  );
}
