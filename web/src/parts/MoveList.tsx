// SPDX-License-Identifier: MIT
//
// Every legal move, best first, with its value. Pointing at a row shows the move on the board, choosing it plays it.
import { useEffect, useRef, useState } from "preact/hooks";
import type { MoveAnswer } from "../engine/types";
import { formatNumber, language } from "../i18n";
import { moveWords, type Unit } from "../i18n/values";
import { addPerfectPlay, playMove } from "../state/actions";
import { current, fullAnalysisOf } from "../state/analysis";
import { errorWords } from "../state/errors";
import { begun, hints, position, record, shownMove, thinking, view } from "../state/store";
import { lazyPart } from "../app/lazy";
import { tableAddresses } from "../state/engine";
import { gameInfo } from "../state/games";
import { partTexts } from "./texts";
import { ValueBadge } from "./ValueBadge";

const TableField = lazyPart(() => import("../study/TableField").then((module) => module.TableField));

/** Where values can't come from a table of the site, or come from another one. */
function lacksTable(game: string, rules: string): boolean {
  const known = gameInfo(game)?.rules.find(({ name }) => name === rules);
  return known?.table === false || `${game}/${rules}` in tableAddresses.value;
}

export function MoveList() {
  const texts = partTexts();
  const [all, setAll] = useState(false);
  useEffect(() => setAll(false), [position.value]);
  const section = useRef<HTMLElement>(null);
  const refocus = useRef(false);
  const play = (move: string, byKey: boolean) => {
    refocus.current = byKey;
    playMove(move);
  };
  const { game, rules } = record.value;
  const first = current.value.answer;
  const full = all ? fullAnalysisOf(game, rules, position.value).value.answer : null;
  const answer = full ?? first;
  useEffect(() => {
    // The row that was chosen by key is gone with the position; the focus goes to the new list.
    if (!refocus.current || !answer) return;
    refocus.current = false;
    (section.current?.querySelector<HTMLElement>(".move-row") ?? section.current)?.focus();
  }, [answer]);
  // Of a turn that is half made, only what can still come of it; and only what is known, if nothing else is asked for.
  const fitting = answer?.moves.filter(({ move }) => begun.value?.has(move) ?? true) ?? [];
  const known = fitting.filter(({ value }) => value !== "unknown");
  const unknown = fitting.length - known.length;
  const listed = all || known.length === 0 ? fitting : known;
  const titled = (count: number) => (count === 1 ? texts.oneMove : texts.countMoves(formatNumber(count)));
  return (
    <section class="card moves" aria-labelledby="moves-title" ref={section} tabIndex={-1}>
      <h2 id="moves-title">
        {texts.moves} {hints.value && answer && answer.count > 0 && <small>{titled(answer.count)}</small>}
      </h2>
      {!hints.value ? (
        <p class="soft">{texts.hidden}</p>
      ) : !answer ? (
        <p class="soft">{current.value.state === "failed" ? errorWords(current.value.error, language.value) : texts.waiting}</p>
      ) : answer.moves.length > 0 && known.length === 0 && !all ? (
        <>
          <p class="soft">{texts.nothingKnown}</p>
          <button type="button" class="more" onClick={() => setAll(true)}>
            {texts.showAll(formatNumber(answer.count))}
          </button>
        </>
      ) : answer.moves.length === 0 ? (
        <p class="soft">{texts.noMoves}</p>
      ) : (
        <div class="scroll" key={position.value} tabIndex={0} role="group" aria-labelledby="moves-title">
          <ol class="move-list" onPointerLeave={() => (shownMove.value = null)}>
            {listed.map((move) => (
              <Row key={move.move} move={move} unit={answer.unit} onPlay={play} />
            ))}
          </ol>
          {begun.value && fitting.length === 0 && <p class="soft">{texts.begunElsewhere}</p>}
          {!all && unknown > 0 && <p class="soft">{texts.unknownMoves(formatNumber(unknown))}</p>}
          {answer.moves.length < answer.count && !(all && full) && (
            <button type="button" class="more" onClick={() => setAll(true)}>
              {all ? texts.waiting : texts.showAll(formatNumber(answer.count))}
            </button>
          )}
        </div>
      )}
      {hints.value && lacksTable(game, rules) && <TableField key={`${game}/${rules}`} />}
      {hints.value && answer && answer.moves.length > 0 && answer.value !== "unknown" && (
        <button type="button" class="more" onClick={() => void addPerfectPlay()}>
          {texts.showLine}
        </button>
      )}
    </section>
  );
}

function Row({ move, unit, onPlay }: { move: MoveAnswer; unit: Unit; onPlay: (move: string, byKey: boolean) => void }) {
  const game = view.value;
  const show = () => {
    shownMove.value = move;
  };
  const hide = () => {
    if (shownMove.value?.move === move.move) shownMove.value = null;
  };
  return (
    <li>
      <button
        type="button"
        class={`move-row value-${move.value}`}
        aria-disabled={thinking.value}
        onPointerEnter={(event) => {
          // A finger has nothing to hover with; what it touches is played.
          if (event.pointerType === "mouse") show();
        }}
        onPointerLeave={hide}
        onFocus={show}
        onBlur={hide}
        onClick={(event) => onPlay(move.move, event.detail === 0)}
      >
        <ValueBadge value={move.value} />
        <span class="move-text">{game?.moveText(move.move, position.value, language.value) ?? move.move}</span>
        <span class="move-value">{moveWords(move, unit, language.value)}</span>
      </button>
    </li>
  );
}
