// SPDX-License-Identifier: MIT
//
// The strip with the board: who wins, how soon, whose turn it is, and a bar that shows the same at a glance.
import { useEffect } from "preact/hooks";
import { EyeIcon } from "../app/icons";
import { winnerOf } from "../games/winner";
import type { GameView } from "../games/view";
import { language } from "../i18n";
import { announce } from "../state/actions";
import { current } from "../state/analysis";
import { ended, repeated } from "../state/ending";
import { errorWords } from "../state/errors";
import { standing } from "../state/mistakes";
import { hints, position, spokenMove, thinking, view } from "../state/store";
import { partTexts } from "./texts";
import { answerWords } from "./words";

export function ValueBanner() {
  const texts = partTexts();
  const game = view.value;
  const { state, answer, error } = current.value;
  const ending = ended.value;
  const words =
    ending?.by === "repetition" ? texts.repetition(ending.times) : game && answer ? answerWords(answer, game) : "";
  const speak = hints.value || ending !== null;
  useEffect(() => {
    if (words === "" || !speak) return;
    const move = spokenMove.peek();
    announce(move === "" ? words : `${move}. ${words}`);
  }, [words, position.value, speak]);
  const known = game && answer && speak ? winnerOf(answer, game) : null;
  const winner = ending?.by === "repetition" ? null : known;
  const side = winner === null ? "" : ` winner${winner}`;
  return (
    <div class={`banner${side}${ending ? " ended" : ""}`}>
      <div class="strip">
        <span class="strip-sign" aria-hidden="true">
          {game && winner !== null ? <game.Emblem side={winner} /> : <span class="strip-mark">{markOf(speak, answer?.value ?? null)}</span>}
        </span>
        <div class="strip-text">
          <p class={words === "" || !speak ? "words soft" : "words"}>
            {!speak ? texts.hidden : state === "failed" ? errorWords(error, language.value) : words === "" ? texts.waiting : words}
          </p>
          <p class="turn">{game && position.value !== "" ? <Turn game={game} /> : " "}</p>
        </div>
        <button
          type="button"
          class="strip-toggle"
          aria-pressed={hints.value}
          aria-label={texts.hints}
          title={texts.hints}
          onClick={() => (hints.value = !hints.value)}
        >
          <EyeIcon />
        </button>
      </div>
      <EvalBar shown={speak} />
    </div>
  );
}

function markOf(speak: boolean, value: string | null): string {
  if (!speak || value === null) return "·";
  return value === "draw" ? "=" : "?";
}

/** "Sente to move · from the complete table". */
function Turn({ game }: { game: GameView }) {
  const texts = partTexts();
  const { answer } = current.value;
  const ending = ended.value;
  if (thinking.value) return <>{texts.thinking}</>;
  if (ending) return <>{texts.noMoves}</>;
  const mover = game.sideToMove(position.value);
  const sources = { table: texts.fromTable, rules: texts.fromRules, search: texts.fromSearch, none: texts.fromNone };
  const times = repeated.value;
  return (
    <>
      <span class={`turn-dot side${mover}`} aria-hidden="true" />
      {texts.toMove(game.sideName(mover, language.value))}
      {times && times.count > 1 ? (
        <span class="source"> · {texts.repeatedTimes(times.count, times.limit)}</span>
      ) : (
        hints.value && answer && <span class="source"> · {sources[answer.source]}</span>
      )}
    </>
  );
}

/** The first side's part grows with its chances; a far win is nearer to the middle than a near one. */
function EvalBar({ shown }: { shown: boolean }) {
  const game = view.value;
  const { answer } = current.value;
  const value = game && answer && shown ? standing(answer, game.sideToMove(answer.position) === 0) : null;
  return (
    <div class="eval" aria-hidden="true">
      <span class={value === null ? "eval-part unknown" : "eval-part"} style={{ "--share": `${(50 * ((value ?? 0) + 1)).toFixed(1)}%` }} />
    </div>
  );
}
