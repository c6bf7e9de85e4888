// SPDX-License-Identifier: MIT
//
// The value over the game, as the side that began sees it: up is good for it. Choosing a point jumps there.
import { language } from "../i18n";
import { jumpTo } from "../state/actions";
import { recordAnswers } from "../state/analysis";
import { standing } from "../state/mistakes";
import { hints, index, record, view } from "../state/store";
import { partTexts } from "./texts";
import { verdicts } from "./verdicts";
import { answerWords } from "./words";

const width = 600;
const height = 150;
const margin = 14;

export function ValueGraph() {
  const texts = partTexts();
  const game = view.value;
  const answers = recordAnswers.value;
  const { plies } = record.value;
  if (!game || plies.length === 0 || !hints.value) return null;
  const steps = Math.max(plies.length, 8);
  const x = (number: number) => margin + (number / steps) * (width - 2 * margin);
  const y = (value: number) => height / 2 - value * (height / 2 - margin);
  const points = answers.map((answer, number) => {
    const value = answer ? standing(answer, game.sideToMove(answer.position) === 0) : null;
    return { number, value, answer };
  });
  const known = points.flatMap(({ number, value }) =>
    value === null ? [] : [`${x(number).toFixed(1)} ${y(value).toFixed(1)}`],
  );
  const last = points.filter(({ value }) => value !== null).at(-1);
  const first = points.find(({ value }) => value !== null);
  const line = known.length > 0 ? `M${known.join("L")}` : "";
  const area =
    first && last
      ? `${line}L${x(last.number).toFixed(1)} ${height / 2}L${x(first.number).toFixed(1)} ${height / 2}z`
      : "";
  const jump = (event: MouseEvent) => {
    const box = (event.currentTarget as SVGSVGElement).getBoundingClientRect();
    const at = ((event.clientX - box.left) / box.width) * width;
    jumpTo(Math.round(((at - margin) / (width - 2 * margin)) * steps));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const way = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (way === undefined) return;
    event.preventDefault();
    jumpTo(index.value + way);
  };
  const here = answers[index.value];
  const words = here ? answerWords(here, game) : "";
  return (
    <section class="card graph" aria-labelledby="graph-title">
      <h2 id="graph-title">{texts.graph}</h2>
      <svg
        viewBox={`0 0 ${width} ${height}`}
        role="slider"
        tabindex={0}
        aria-labelledby="graph-title"
        aria-valuemin={0}
        aria-valuemax={plies.length}
        aria-valuenow={index.value}
        aria-valuetext={index.value === 0 ? texts.graphStart(words) : texts.graphPoint(index.value, words)}
        onClick={jump}
        onKeyDown={onKeyDown}
      >
        <clipPath id="graph-up">
          <rect x="0" y="0" width={width} height={height / 2} />
        </clipPath>
        <clipPath id="graph-down">
          <rect x="0" y={height / 2} width={width} height={height / 2} />
        </clipPath>
        <line class="axis" x1={margin} x2={width - margin} y1={height / 2} y2={height / 2} />
        <path class="area up" d={area} clip-path="url(#graph-up)" />
        <path class="area down" d={area} clip-path="url(#graph-down)" />
        <path class="line" d={line} />
        <line class="here" x1={x(index.value)} x2={x(index.value)} y1="4" y2={height - 4} />
        {points.map(({ number, value }) => {
          if (value === null) return null;
          const quality = number > 0 ? (verdicts.value[number - 1]?.quality ?? "unclear") : "best";
          const bad = quality === "mistake" || quality === "blunder";
          return (
            <circle
              key={number}
              class={`point quality-${quality}${number === index.value ? " current" : ""}`}
              cx={x(number)}
              cy={y(value)}
              r={bad ? 6 : 3.4}
            />
          );
        })}
        <text class="graph-label" x={margin} y="3" dominant-baseline="hanging">
          {game.sideName(0, language.value)}
        </text>
        <text class="graph-label" x={margin} y={height - 5}>
          {game.sideName(1, language.value)}
        </text>
      </svg>
    </section>
  );
}
