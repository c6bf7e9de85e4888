// SPDX-License-Identifier: MIT
//
// What each side did in the game: mistakes, what they cost, and accuracy in one number.
import { language } from "../i18n";
import { jumpTo } from "../state/actions";
import { played } from "../state/accuracy";
import { recordAnswers } from "../state/analysis";
import { hints, index, record, view } from "../state/store";
import { partTexts } from "../parts/texts";
import { verdicts } from "../parts/verdicts";

export function Report() {
  const texts = partTexts();
  const game = view.value;
  if (!game || !hints.value || record.value.plies.length < 2) return null;
  const bad = verdicts.value.flatMap(({ quality }, number) => (quality === "mistake" || quality === "blunder" ? [number] : []));
  // Each one leads to the position in which it was made; the mistake is the next move of the line.
  const next = bad.find((number) => number > index.value) ?? bad.find((number) => number !== index.value);
  const here = bad.includes(index.value);
  return (
    <section class="card report" aria-labelledby="report-title">
      <h2 id="report-title">{texts.report}</h2>
      <table>
        <thead>
          <tr>
            <th scope="col">{texts.player}</th>
            <th scope="col">{texts.accuracy}</th>
            <th scope="col">{texts.blunders}</th>
            <th scope="col">{texts.mistakes}</th>
            <th scope="col">{texts.slowMoves}</th>
          </tr>
        </thead>
        <tbody>
          {([0, 1] as const).map((side) => {
            const { accuracy, blunders, mistakes, slow } = played(side, verdicts.value, recordAnswers.value, (text) => game.sideToMove(text));
            return (
              <tr key={side}>
                <th scope="row">
                  <span class={`turn-dot side${side}`} aria-hidden="true" />
                  {game.sideName(side, language.value)}
                </th>
                <td>{accuracy === null ? "–" : `${accuracy} %`}</td>
                <td>{blunders}</td>
                <td>{mistakes}</td>
                <td>{slow}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
      {bad.length === 0 ? (
        <p class="soft">{texts.noMistakes}</p>
      ) : (
        <div class="row wrap">
          <button type="button" disabled={next === undefined} onClick={() => next !== undefined && jumpTo(next)}>
            {texts.nextMistake}
          </button>
          <button type="button" disabled={!here} onClick={() => (hints.value = false)}>
            {texts.tryAgain}
          </button>
        </div>
      )}
    </section>
  );
}
