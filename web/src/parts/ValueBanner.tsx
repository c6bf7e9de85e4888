// SPDX-License-Identifier: MIT
//
// What the position on the board is worth, in words.
import { useEffect } from "preact/hooks";
import { language } from "../i18n";
import { announce } from "../state/actions";
import { current } from "../state/analysis";
import { thinking } from "../state/computer";
import { hints, position, spokenMove, view } from "../state/store";
import { partTexts } from "./texts";
import { ValueBadge } from "./ValueBadge";
import { answerWords } from "./words";

export function ValueBanner() {
  const texts = partTexts();
  const game = view.value;
  const { state, answer, message } = current.value;
  const words = game && answer ? answerWords(answer, game) : "";
  const over = answer?.over ?? false;
  const speak = hints.value || over;
  useEffect(() => {
    if (words === "" || !speak) return;
    const move = spokenMove.peek();
    announce(move === "" ? words : `${move}. ${words}`);
  }, [words, position.value, speak]);
  if (!game || position.value === "") return <div class="banner" />;
  const mover = game.sideToMove(position.value);
  const sources = { table: texts.fromTable, rules: texts.fromRules, search: texts.fromSearch, none: texts.fromNone };
  return (
    <div class="banner">
      <p class={over ? "over" : `turn side${mover}`}>
        {thinking.value ? texts.thinking : over ? texts.noMoves : texts.toMove(game.sideName(mover, language.value))}
      </p>
      {!speak ? (
        <p class="words soft">{texts.hidden}</p>
      ) : state === "failed" ? (
        <p class="words soft">{message}</p>
      ) : !answer ? (
        <p class="words soft">{texts.waiting}</p>
      ) : (
        <>
          <p class="words">
            <ValueBadge value={answer.value === "unknown" ? "unknown" : answer.value} /> {words}
          </p>
          <p class="source">{sources[answer.source]}</p>
        </>
      )}
    </div>
  );
}
