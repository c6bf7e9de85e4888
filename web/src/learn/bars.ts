// SPDX-License-Identifier: MIT
//
// Where the bars of the histogram are: wins up, losses down from the middle, on a logarithmic scale.
import type { Row } from "./numbers";

export interface Bar {
  readonly kind: "win" | "loss";
  readonly distance: number;
  readonly count: number;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface Tick {
  readonly at: number;
  readonly value: number;
}

export interface Picture {
  readonly bars: readonly Bar[];
  /** Powers of ten, upwards and downwards, by their y. */
  readonly up: readonly Tick[];
  readonly down: readonly Tick[];
  /** Distances, by their x. */
  readonly across: readonly Tick[];
}

/** Where the bars may be; `middle` is the line between wins and losses. */
export interface Frame {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
  readonly middle: number;
}

/** One position is seen, too, so a count of 1 has some height. */
const heightOfOne = 0.5;

function steps(longest: number): number {
  for (const step of [1, 2, 5, 10, 20, 25, 50]) if (longest / step <= 12) return step;
  return 100;
}

export function picture(rows: readonly Row[], frame: Frame): Picture {
  const longest = Math.max(0, ...rows.map((row) => row.distance));
  const largest = Math.max(1, ...rows.map((row) => Math.max(row.wins, row.losses)));
  const decades = Math.log10(largest) + heightOfOne;
  const unit = Math.min(frame.middle - frame.top, frame.bottom - frame.middle) / decades;
  const column = (frame.right - frame.left) / (longest + 1);
  const width = column * (column > 8 ? 0.8 : 0.96);
  const height = (count: number) => (Math.log10(count) + heightOfOne) * unit;
  const centre = (distance: number) => frame.left + (distance + 0.5) * column;

  const bars: Bar[] = [];
  for (const { distance, wins, losses } of rows) {
    const x = centre(distance) - width / 2;
    if (wins > 0) bars.push({ kind: "win", distance, count: wins, x, y: frame.middle - height(wins), width, height: height(wins) });
    if (losses > 0) bars.push({ kind: "loss", distance, count: losses, x, y: frame.middle, width, height: height(losses) });
  }
  const powers = Array.from({ length: Math.floor(Math.log10(largest)) + 1 }, (_, power) => 10 ** power);
  const step = steps(longest);
  return {
    bars,
    up: powers.map((value) => ({ value, at: frame.middle - height(value) })),
    down: powers.map((value) => ({ value, at: frame.middle + height(value) })),
    across: Array.from({ length: Math.floor(longest / step) + 1 }, (_, n) => ({ value: n * step, at: centre(n * step) })),
  };
}

const superscripts = "⁰¹²³⁴⁵⁶⁷⁸⁹";

/** 1, 10, 100, 1000, then 10⁴ and so on. */
export function powerText(value: number): string {
  const power = Math.round(Math.log10(value));
  if (power < 4) return String(value);
  return `10${[...String(power)].map((digit) => superscripts[Number(digit)]).join("")}`;
}
