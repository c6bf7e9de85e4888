// SPDX-License-Identifier: MIT
//
// The opening explorer: for each move that keeps the value, the best reply, and how many replies are as good. And the way
// back: which positions lead here.
import { useState } from "preact/hooks";
import type { MoveAnswer, PositionAnswer } from "../engine/types";
import { formatNumber, language } from "../i18n";
import { moveWords } from "../i18n/values";
import { playMove } from "../state/actions";
import { analysisOf, current } from "../state/analysis";
import { hints, position, record, shownMove, view } from "../state/store";
import { ValueBadge } from "../parts/ValueBadge";
import { answerWords } from "../parts/words";
import { studyTexts } from "./texts";
import { WayBack } from "./WayBack";

const shownAtFirst = 6;

/** Moves with the outcome of the best one. */
function keeping(answer: PositionAnswer): readonly MoveAnswer[] {
  return answer.moves.filter(({ value }) => value === answer.value);
}

export function Explorer() {
  const texts = studyTexts();
  const [all, setAll] = useState(false);
  const { answer } = current.value;
  const game = view.value;
  if (!game || !answer) return <p class="card soft">{texts.waiting}</p>;
  if (!hints.value) return <p class="card soft">{texts.hidden}</p>;
  const good = answer.value === "unknown" ? [] : keeping(answer);
  const listed = all ? good : good.slice(0, shownAtFirst);
  return (
    <>
      <section class="card explorer" aria-labelledby="explorer-title">
        <h2 id="explorer-title">{texts.explorer}</h2>
        <p>
          {answer.over
            ? answerWords(answer, game)
            : answer.value === "unknown"
              ? texts.unknown
              : texts.keep(formatNumber(good.length), formatNumber(answer.count), answer.count > answer.moves.length && good.length === answer.moves.length)}
        </p>
        <ol class="lines">
          {listed.map((move) => (
            <Line key={move.move} move={move} unit={answer.unit} />
          ))}
        </ol>
        {!all && good.length > shownAtFirst && (
          <button type="button" class="more" onClick={() => setAll(true)}>
            {texts.more(formatNumber(good.length - shownAtFirst))}
          </button>
        )}
      </section>
      <WayBack key={position.value} />
    </>
  );
}

/** A move, the best reply to it, and how many alternatives that reply has. */
function Line({ move, unit }: { move: MoveAnswer; unit: PositionAnswer["unit"] }) {
  const texts = studyTexts();
  const game = view.value;
  const { game: name, rules } = record.value;
  const reply = analysisOf(name, rules, move.position).value.answer;
  if (!game) return null;
  const best = reply?.moves[0];
  return (
    <li>
      <button
        type="button"
        class="move-row"
        onClick={() => playMove(move.move)}
        onPointerEnter={() => (shownMove.value = move)}
        onPointerLeave={() => (shownMove.value = null)}
      >
        <ValueBadge value={move.value} />
        <span class="move-text">{game.moveText(move.move, position.value, language.value)}</span>
        <span class="move-value">{moveWords(move, unit, language.value)}</span>
      </button>
      {reply && best && (
        <p class="reply soft">
          {texts.reply(game.moveText(best.move, reply.position, language.value), keeping(reply).length, reply.count)}
        </p>
      )}
    </li>
  );
}
