// SPDX-License-Identifier: MIT
//
// The pieces of a position on the board and in the hands.
import type { Side } from "../games/view";
import { Animal } from "./Animal";
import type { Geometry, Point } from "./geometry";
import { handKinds, parseMove, type Hand, type Picture } from "./parse";

const sides: readonly Side[] = [0, 1];

/** Where in the hand each kind lies. A taken lion takes the first place that is free. */
export function handPlaces(
  hand: Hand,
): readonly { readonly kind: (typeof handKinds)[number] | "lion"; readonly place: number; readonly count: number }[] {
  const places = handKinds.flatMap((kind, place) => (hand[kind] > 0 ? [{ kind, place, count: hand[kind] }] : []));
  if (hand.lion === 0) return places;
  const free = handKinds.findIndex((kind) => hand[kind] === 0);
  return [...places, { kind: "lion" as const, place: Math.max(free, 0), count: 1 }];
}

interface PiecesProps {
  readonly shape: Geometry;
  readonly picture: Picture;
  /** The place whose piece is being dragged and not drawn here: "s4", "h0chick". */
  readonly lifted?: string | null;
  /** The move that has just been played: its piece comes gliding. */
  readonly arriving?: string | null;
}

function wayOf(shape: Geometry, move: string, mover: Side): { readonly to: number; readonly from: Point } | null {
  const parts = parseMove(move);
  if (!parts) return null;
  if (parts.from !== null) return { to: parts.to, from: shape.square(parts.from) };
  const place = handKinds.findIndex((kind) => kind === parts.drop);
  return { to: parts.to, from: shape.hand(mover, Math.max(place, 0)) };
}

export function Pieces({ shape, picture, lifted = null, arriving = null }: PiecesProps) {
  const way = arriving ? wayOf(shape, arriving, picture.toMove === 0 ? 1 : 0) : null;
  return (
    <g class="pieces" aria-hidden="true">
      {sides.map((side) =>
        handPlaces(picture.hands[side]).map(({ kind, place, count }) => {
          const { x, y } = shape.hand(side, place);
          const left = count - (lifted === `h${side}${kind}` ? 1 : 0);
          if (left <= 0) return null;
          return (
            <g key={`${side}${kind}`} transform={`translate(${x} ${y}) scale(${(shape.handSize * 0.0094).toFixed(3)})`}>
              <Animal kind={kind} side={side} turned={shape.turned(side)} />
              {left > 1 && (
                <g class="badge" transform="translate(32 -32)">
                  <circle r="15" />
                  <text y="6.5">{left}</text>
                </g>
              )}
            </g>
          );
        }),
      )}
      {picture.squares.map((piece, square) => {
        if (!piece || lifted === `s${square}`) return null;
        const { x, y } = shape.square(square);
        const gliding =
          way?.to === square ? { "--from-x": `${way.from.x - x}px`, "--from-y": `${way.from.y - y}px` } : null;
        return (
          <g key={gliding ? `${square}${arriving}` : square} transform={`translate(${x} ${y})`}>
            {gliding ? (
              <g class="gliding" style={gliding}>
                <Animal kind={piece.kind} side={piece.side} turned={shape.turned(piece.side)} />
              </g>
            ) : (
              <Animal kind={piece.kind} side={piece.side} turned={shape.turned(piece.side)} />
            )}
          </g>
        );
      })}
    </g>
  );
}
