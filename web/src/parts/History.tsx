// SPDX-License-Identifier: MIT
//
// The moves played so far with the value after each, mistakes marked; choosing one jumps there.
import { useEffect, useRef } from "preact/hooks";
import { language } from "../i18n";
import { jumpTo } from "../state/actions";
import { recordAnswers } from "../state/analysis";
import { positionAt } from "../state/record";
import { hints, index, record, view } from "../state/store";
import { partTexts } from "./texts";
import { qualitySigns, verdicts, verdictWords } from "./verdicts";
import { answerWords } from "./words";

export function History() {
  const texts = partTexts();
  const game = view.value;
  const list = useRef<HTMLOListElement>(null);
  const { plies } = record.value;
  useEffect(() => {
    const row = list.current?.querySelector<HTMLElement>("[aria-current]");
    const box = list.current?.parentElement;
    if (!row || !box) return;
    // Not scrollIntoView, which would move the whole page, too.
    const top = row.offsetTop - box.offsetTop;
    if (top < box.scrollTop || top + row.offsetHeight > box.scrollTop + box.clientHeight)
      box.scrollTop = top - box.clientHeight / 2;
  }, [index.value, plies.length, verdicts.value]);
  return (
    <section class="card history" aria-labelledby="history-title">
      <h2 id="history-title">{texts.history}</h2>
      <div class="scroll" tabIndex={0} role="group" aria-labelledby="history-title">
        <ol class="history-list" ref={list}>
          <HistoryRow number={0} text={texts.start} />
          {plies.map((ply, number) => (
            <HistoryRow
              key={number}
              number={number + 1}
              text={game?.moveText(ply.move, positionAt(record.value, number), language.value) ?? ply.move}
            />
          ))}
        </ol>
        {plies.length === 0 && <p class="soft">{texts.emptyHistory}</p>}
      </div>
    </section>
  );
}

function HistoryRow({ number, text }: { number: number; text: string }) {
  const game = view.value;
  const answer = recordAnswers.value[number] ?? null;
  const verdict = number > 0 ? verdicts.value[number - 1] : undefined;
  const shown = hints.value;
  const quality = shown && verdict ? verdict.quality : "unclear";
  const sign = qualitySigns[quality];
  return (
    <li>
      <button
        type="button"
        class={`history-row quality-${quality}`}
        aria-current={index.value === number ? "step" : undefined}
        onClick={() => jumpTo(number)}
      >
        <span class="number">{number > 0 ? `${number}.` : ""}</span>
        <span class="move-text">{text}</span>
        <span class="sign" aria-hidden="true">
          {sign}
        </span>
        <span class="move-value">{shown && game && answer ? answerWords(answer, game) : ""}</span>
        {shown && verdict && sign !== "" && <span class="verdict">{verdictWords(verdict)}</span>}
      </button>
    </li>
  );
}
