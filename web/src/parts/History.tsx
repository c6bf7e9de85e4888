// SPDX-License-Identifier: MIT
//
// The moves played so far with the value after each, mistakes marked; choosing one jumps there.
import { Fragment } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { gameTitle } from "../games/registry";
import { language } from "../i18n";
import { bringBack, goToNode, jumpTo, promoteNode, removeNode, setComment } from "../state/actions";
import { recordAnswers } from "../state/analysis";
import { earlier } from "../state/kept";
import { positionAt } from "../state/record";
import { hints, index, node, path, record, tree, view } from "../state/store";
import { partTexts } from "./texts";
import { qualitySigns, verdicts, verdictWords } from "./verdicts";
import { answerWords } from "./words";

/** Scrolls so that the row of the position on the board can be seen. */
function showCurrent(list: HTMLOListElement | null): void {
  const row = list?.querySelector<HTMLElement>("[aria-current]");
  const box = list?.parentElement;
  if (!row || !box) return;
  // Not scrollIntoView, which would move the whole page, too.
  const top = row.getBoundingClientRect().top - box.getBoundingClientRect().top - box.clientTop;
  if (top < 0 || top + row.offsetHeight > box.clientHeight) box.scrollTop += top - box.clientHeight / 2;
}

export function History() {
  const texts = partTexts();
  const game = view.value;
  const list = useRef<HTMLOListElement>(null);
  const { plies } = record.value;
  useEffect(() => {
    showCurrent(list.current);
    // Rows that come into sight now get their height now, which may not be the one that was guessed.
    const again = requestAnimationFrame(() => showCurrent(list.current));
    return () => cancelAnimationFrame(again);
  }, [index.value, plies.length, verdicts.value]);
  return (
    <section class="card history" aria-labelledby="history-title">
      <h2 id="history-title">{texts.history}</h2>
      <div class="scroll" tabIndex={0} role="group" aria-labelledby="history-title">
        <ol class="history-list" ref={list}>
          <HistoryRow number={0} text={texts.start} />
          {plies.map((ply, number) => (
            <Fragment key={number}>
              <HistoryRow
                number={number + 1}
                text={game?.moveText(ply.move, positionAt(record.value, number), language.value) ?? ply.move}
              />
              <Variations number={number + 1} />
            </Fragment>
          ))}
        </ol>
        {plies.length === 0 && <p class="soft">{texts.emptyHistory}</p>}
      </div>
      <CommentField />
      <EarlierGames />
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
  const comment = tree.value.nodes[path.value[number] ?? 0]?.comment ?? "";
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
        {comment !== "" && <span class="verdict comment-text">{comment}</span>}
      </button>
    </li>
  );
}

/** Other moves that were played instead of move `number`, to be gone to, promoted or removed. */
function Variations({ number }: { number: number }) {
  const texts = partTexts();
  const game = view.value;
  const here = path.value[number] ?? 0;
  const parent = tree.value.nodes[here]?.parent ?? 0;
  const others = (tree.value.nodes[parent]?.children ?? []).filter((child) => child !== here);
  if (others.length === 0) return null;
  const before = positionAt(record.value, number - 1);
  const isMain = tree.value.nodes[parent]?.children[0] === here;
  return (
    <li class="variations">
      <span class="soft">{texts.instead}</span>
      {others.map((other) => {
        const move = tree.value.nodes[other]?.move ?? "";
        return (
          <button key={other} type="button" class="variation" onClick={() => goToNode(other)}>
            {game?.moveText(move, before, language.value) ?? move}
          </button>
        );
      })}
      {!isMain && (
        <button type="button" class="variation plain" onClick={() => promoteNode(here)}>
          {texts.promote}
        </button>
      )}
      <button type="button" class="variation plain" onClick={() => removeNode(here)}>
        {texts.removeLine}
      </button>
    </li>
  );
}

function CommentField() {
  const texts = partTexts();
  if (record.value.start === "") return null;
  return (
    <label class="comment">
      <span class="sr-only">{texts.comment}</span>
      <textarea
        rows={1}
        placeholder={texts.comment}
        value={tree.value.nodes[node.value]?.comment ?? ""}
        onInput={(event) => setComment(node.value, event.currentTarget.value)}
      />
    </label>
  );
}

/** Games that were on the board before. */
function EarlierGames() {
  const texts = partTexts();
  if (earlier.value.length === 0) return null;
  return (
    <details class="earlier">
      <summary>{texts.earlierGames(earlier.value.length)}</summary>
      <ol>
        {earlier.value.map((game, number) => (
          <li key={number}>
            <button type="button" class="history-row" onClick={() => bringBack(number)}>
              {gameTitle(game.tree.game, language.value)} · {texts.countMoves(String(game.tree.nodes.length - 1))}
            </button>
          </li>
        ))}
      </ol>
    </details>
  );
}
