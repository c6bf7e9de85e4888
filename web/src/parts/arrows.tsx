// SPDX-License-Identifier: MIT
//
// Arrows on a board, coloured by what the move is worth. Their colour is never the only sign: the list of moves beside
// the board has the words.
import type { MoveWorth, Outcome } from "../games/view";

interface Point {
  readonly x: number;
  readonly y: number;
}

interface ArrowProps {
  readonly from: Point;
  readonly to: Point;
  readonly value: Outcome;
  /** In units of the drawing. */
  readonly width?: number;
  /** How far from the centres of its ends it stays. */
  readonly inset?: number;
  /** Drawn in the colour of its value, for the move that is being shown; the best moves have the colour for best moves. */
  readonly strong?: boolean;
}

export function Arrow({ from, to, value, width = 13, inset = 16, strong = false }: ArrowProps) {
  const dx = to.x - from.x;
  const dy = to.y - from.y;
  const length = Math.hypot(dx, dy);
  if (length < 2 * inset) return null;
  const along = { x: dx / length, y: dy / length };
  const across = { x: -along.y, y: along.x };
  const head = width * 2.1;
  const start = { x: from.x + along.x * inset, y: from.y + along.y * inset };
  const tip = { x: to.x - along.x * inset * 0.5, y: to.y - along.y * inset * 0.5 };
  const neck = { x: tip.x - along.x * head, y: tip.y - along.y * head };
  const at = (point: Point, side: number) =>
    `${(point.x + across.x * side).toFixed(1)} ${(point.y + across.y * side).toFixed(1)}`;
  const half = width / 2;
  const path = `M${at(start, half * 0.7)}L${at(neck, half)}L${at(neck, width * 1.15)}L${at(tip, 0)}L${at(neck, -width * 1.15)}L${at(neck, -half)}L${at(start, -half * 0.7)}z`;
  return <path class={strong ? `arrow value-${value} strong` : "arrow best"} d={path} aria-hidden="true" />;
}

/** A ring around a place: for drops and other moves without a way. */
export function Ring({
  at,
  radius,
  value,
  strong = false,
}: {
  at: Point;
  radius: number;
  value: Outcome;
  strong?: boolean;
}) {
  return (
    <circle class={strong ? `ring value-${value} strong` : "ring best"} cx={at.x} cy={at.y} r={radius} aria-hidden="true" />
  );
}

const signs: Readonly<Record<Outcome, string>> = { win: "+", draw: "=", loss: "−", unknown: "?" };

interface TargetProps extends Point {
  /** Whether a piece is taken there. */
  readonly taking: boolean;
  readonly worth: MoveWorth | undefined;
}

/** A place that the chosen piece can go to, coloured by what the move is worth, with how soon the game ends. */
export function Target({ x, y, taking, worth }: TargetProps) {
  if (!worth || worth.value === "unknown") {
    return taking ? <circle class="target taking" cx={x} cy={y} r="45" /> : <circle class="target" cx={x} cy={y} r="13" />;
  }
  return (
    <g class={`worth value-${worth.value}`}>
      {taking && <circle class="target taking" cx={x} cy={y} r="45" />}
      <circle class="worth-disc" cx={x} cy={y} r="27" />
      <text x={x} y={y + 7}>
        {signs[worth.value]}
        {worth.distance ?? ""}
      </text>
    </g>
  );
}
