// SPDX-License-Identifier: MIT
//
// A turn drawn on the board: moves as thin lines along the way that the piece takes, the push as a broad arrow, numbered
// in their order.
import type { MoveMark, Outcome } from "../games/view";
import { afterMoves, readTurn } from "./arrangement";
import { cell, type Geometry, type Point } from "./geometry";
import { wayTo } from "./ways";

interface TurnArrowsProps {
  readonly place: Geometry;
  readonly position: string;
  readonly marks: readonly MoveMark[];
  readonly shown: MoveMark | null;
}

/** Ways that share squares lie beside each other. */
const lanes = [-7, 9];

export function TurnArrows({ place, position, marks, shown }: TurnArrowsProps) {
  // The best one is drawn last, over the others; of these only pushes without moves, or nothing could be made out.
  const drawn = shown === null ? [...marks.slice(1).filter(({ move }) => !move.includes(",")), ...marks.slice(0, 1)] : [shown];
  return (
    <g class="arrows" aria-hidden="true">
      {drawn.map((mark, i) => (
        <TurnArrow key={mark.move} place={place} position={position} mark={mark} faint={i < drawn.length - 1} best={shown === null} />
      ))}
    </g>
  );
}

interface TurnArrowProps {
  readonly place: Geometry;
  readonly position: string;
  readonly mark: MoveMark;
  readonly faint: boolean;
  /** Drawn in the colour for best moves, not in that of its value. */
  readonly best: boolean;
}

function TurnArrow({ place, position, mark, faint, best }: TurnArrowProps) {
  const turn = readTurn(place.shape, mark.move);
  if (!turn) return null;
  const numbered = turn.moves.length > 0 && !faint;
  const push = { from: place.centre(turn.push.from), to: place.centre(turn.push.to) };
  const begins = [...turn.moves, turn.push].map(({ from }) => from);
  // Steps that begin on the same square have their numbers in different corners of it.
  const cornerOf = (step: number) => begins.slice(0, step).filter((square) => square === begins[step]).length;
  return (
    <g class={`turn value-${mark.value}${best ? " best" : ""}${faint ? " faint" : ""}`}>
      {turn.moves.map(({ from, to }, i) => {
        const way = wayTo(place.shape, afterMoves(position, turn.moves.slice(0, i)), from, to).map((square) => place.centre(square));
        return (
          <g key={i}>
            <MoveLine way={way} lane={turn.moves.length > 1 ? (lanes[i] ?? 0) : 0} />
            {numbered && <Badge at={way[0] ?? push.from} corner={cornerOf(i)} number={i + 1} />}
          </g>
        );
      })}
      <PushArrow {...push} value={mark.value} />
      {numbered && <Badge at={push.from} corner={cornerOf(turn.moves.length)} number={turn.moves.length + 1} />}
    </g>
  );
}

function MoveLine({ way, lane }: { readonly way: readonly Point[]; readonly lane: number }) {
  const points = way.map(({ x, y }) => ({ x: x + lane, y: y + lane }));
  const last = points.at(-1);
  const before = points.at(-2);
  if (!last || !before) return null;
  const dx = (last.x - before.x) / (Math.hypot(last.x - before.x, last.y - before.y) || 1);
  const dy = (last.y - before.y) / (Math.hypot(last.x - before.x, last.y - before.y) || 1);
  const at = (along: number, across: number) => `${(last.x + dx * along - dy * across).toFixed(1)} ${(last.y + dy * along + dx * across).toFixed(1)}`;
  const line = `M${points.slice(0, -1).map(({ x, y }) => `${x} ${y}`).join("L")}L${at(-14, 0)}`;
  const head = `M${at(14, 0)}L${at(-16, 18)}L${at(-9, 0)}L${at(-16, -18)}z`;
  return (
    <>
      <path class="move-casing" d={`${line}M${at(-14, 0)}L${at(6, 0)}`} />
      <path class="move-line" d={line} />
      <path class="move-head" d={head} />
    </>
  );
}

/** A broad arrow from the middle of the piece that pushes over the edge of the square that it goes to. */
export function PushArrow({ from, to, value }: { readonly from: Point; readonly to: Point; readonly value?: Outcome }) {
  const dx = (to.x - from.x) / cell;
  const dy = (to.y - from.y) / cell;
  const at = (along: number, across: number) => `${from.x + dx * along - dy * across} ${from.y + dy * along + dx * across}`;
  const path = `M${at(24, 11)}L${at(66, 11)}L${at(66, 29)}L${at(104, 0)}L${at(66, -29)}L${at(66, -11)}L${at(24, -11)}z`;
  return <path class={value ? `push-arrow value-${value}` : "push-arrow"} d={path} />;
}

const corners = [
  { x: -26, y: -30 },
  { x: 26, y: -30 },
  { x: -26, y: 26 },
];

function Badge({ at, corner, number }: { readonly at: Point; readonly corner: number; readonly number: number }) {
  const { x, y } = corners[corner] ?? { x: 0, y: 0 };
  return (
    <g class="badge" transform={`translate(${at.x + x} ${at.y + y})`}>
      <circle r="17" />
      <text y="8">{number}</text>
    </g>
  );
}
