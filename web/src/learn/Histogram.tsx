// SPDX-License-Identifier: MIT
//
// The picture of all values: wins up, losses down, by distance.
import { formatNumber } from "../i18n";
import { useWide } from "../parts/useMedia";
import { picture, powerText, type Bar } from "./bars";
import { longest, type Numbers } from "./numbers";
import { learnTexts, lengthWords } from "./texts";

/** Sizes of the drawing; text is as large in it as on the screen, so a phone gets another drawing. */
const wideSize = { width: 960, height: 400, left: 52, text: 14 } as const;
const narrowSize = { width: 360, height: 330, left: 40, text: 12 } as const;

function positionsWords(count: number): string {
  return count === 1 ? learnTexts().onePosition : learnTexts().positionsCount(formatNumber(count));
}

/** "The longest win takes 173 plies (14 positions)." */
export function longestWords(numbers: Numbers, of: "wins" | "losses"): string {
  const row = longest(numbers, of);
  if (!row) return "";
  const length = lengthWords(row.distance, numbers.unit);
  const count = positionsWords(row[of]);
  return of === "wins" ? learnTexts().longestWin(length, count) : learnTexts().longestLoss(length, count);
}

export function Histogram({ numbers }: { numbers: Numbers }) {
  const texts = learnTexts();
  const { width, height, left, text } = useWide() ? wideSize : narrowSize;
  const frame = { left, right: width - 6, top: 12, bottom: height - 12 - 2 * text, middle: (height - 2 * text) / 2 };
  const { bars, up, down, across } = picture(numbers.rows, frame);
  // Every second power is enough where they are dense.
  const sparse = up.length > 7 ? 2 : 1;
  const unit = numbers.unit === "turns" ? texts.distanceTurns : texts.distancePlies;
  const title = (bar: Bar) =>
    `${lengthWords(bar.distance, numbers.unit)}, ${bar.kind === "win" ? texts.upward : texts.downward}: ${positionsWords(bar.count)}`;
  return (
    <svg
      class="histogram"
      viewBox={`0 0 ${width} ${height}`}
      role="img"
      aria-label={`${texts.picture}. ${texts.pictureWords(longestWords(numbers, "wins"), longestWords(numbers, "losses"))}`}
      style={{ fontSize: `${text}px` }}
    >
      {[...up, ...down].map(({ at, value }) => (
        <line key={at} class="grid" x1={frame.left} x2={frame.right} y1={at} y2={at} data-value={value} />
      ))}
      {bars.map((bar) => (
        <rect key={`${bar.kind}${bar.distance}`} class={bar.kind} x={bar.x} y={bar.y} width={bar.width} height={bar.height}>
          <title>{title(bar)}</title>
        </rect>
      ))}
      <line class="middle" x1={frame.left} x2={frame.right} y1={frame.middle} y2={frame.middle} />
      {/* 1 is said once: below it would be too near. */}
      {[...up, ...down.slice(1)].map(({ at, value }) =>
        Math.round(Math.log10(value)) % sparse === 0 ? (
          <text key={at} class="label" x={frame.left - 6} y={at + text * 0.35} text-anchor="end">
            {powerText(value)}
          </text>
        ) : null,
      )}
      {across.map(({ at, value }) => (
        <text key={value} class="label" x={at} y={height - 10 - text * 0.6} text-anchor="middle">
          {value}
        </text>
      ))}
      <text class="label" x={frame.right} y={height - 2} text-anchor="end">
        {unit}
      </text>
      <text class="label strong win" x={frame.right - 4} y={frame.top + text * 1.1} text-anchor="end">
        ▲ {texts.wins}
      </text>
      <text class="label strong loss" x={frame.right - 4} y={frame.bottom - text * 0.5} text-anchor="end">
        ▼ {texts.losses}
      </text>
    </svg>
  );
}
