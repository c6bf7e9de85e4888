// SPDX-License-Identifier: MIT
import { formatNumber } from "../i18n";
import { resetScore, score } from "./scoring";
import { learnTexts } from "./texts";

export function ScoreCard() {
  const texts = learnTexts();
  const { solved, tried, streak, best } = score.value;
  return (
    <section class="card" aria-labelledby="score-title">
      <h2 id="score-title">{texts.score}</h2>
      <dl class="facts">
        <div>
          <dt>{texts.solved}</dt>
          <dd>{texts.ofTried(formatNumber(solved), formatNumber(tried))}</dd>
        </div>
        <div>
          <dt>{texts.streak}</dt>
          <dd>{formatNumber(streak)}</dd>
        </div>
        <div>
          <dt>{texts.bestStreak}</dt>
          <dd>{formatNumber(best)}</dd>
        </div>
      </dl>
      {tried > 0 && (
        <button type="button" class="plain" onClick={resetScore}>
          {texts.reset}
        </button>
      )}
    </section>
  );
}
