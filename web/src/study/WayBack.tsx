// SPDX-License-Identifier: MIT
//
// The way back: which positions lead to the one on the board.
import { useState } from "preact/hooks";
import { formatNumber, language } from "../i18n";
import { openPosition } from "../state/actions";
import { engine } from "../state/engine";
import { position, record, view } from "../state/store";
import { studyTexts } from "./texts";

interface Before {
  readonly position: string;
  readonly move: string;
}

/** Of the candidates, those with a move that leads here. */
async function find(game: string, rules: string, candidates: readonly string[], here: (text: string) => boolean): Promise<readonly Before[]> {
  const found: Before[] = [];
  const asked = await engine();
  await Promise.all(
    candidates.map(async (candidate) => {
      const legal = await asked.legal(game, rules, candidate).catch(() => null); // no legal position
      const move = legal?.moves.find((one) => here(one.position));
      if (legal && move) found.push({ position: legal.position, move: move.move });
    }),
  );
  return found.sort((a, b) => a.position.localeCompare(b.position));
}

export function WayBack() {
  const texts = studyTexts();
  const game = view.value;
  const [found, setFound] = useState<readonly Before[] | null>(null);
  const [busy, setBusy] = useState(false);
  if (!game) return null;
  const { before } = game;
  const { game: name, rules } = record.value;
  const start = () => {
    if (!before) return;
    setBusy(true);
    const same = (text: string) => game.repetition?.same(text) ?? text;
    const target = same(position.value);
    void find(name, rules, before(position.value, rules), (text) => same(text) === target).then((list) => {
      setFound(list);
      setBusy(false);
    });
  };
  return (
    <section class="card way-back" aria-labelledby="way-back-title">
      <h2 id="way-back-title">{texts.wayBack}</h2>
      {!before ? (
        <p class="soft">{texts.wayBackNot}</p>
      ) : found === null ? (
        <button type="button" disabled={busy} onClick={start}>
          {busy ? texts.waiting : texts.wayBackFind}
        </button>
      ) : (
        <>
          {game.beforeNote && <p class="soft">{game.beforeNote(language.value)}</p>}
          <p>{found.length === 0 ? texts.wayBackNone : texts.wayBackCount(formatNumber(found.length))}</p>
          <ol class="gallery small">
            {found.map((entry) => (
              <li key={entry.position}>
                <button type="button" class="gallery-entry" onClick={() => void openPosition(name, rules, entry.position, [entry.move])}>
                  <game.Thumbnail rules={rules} position={entry.position} flipped={false} />
                  <span class="gallery-words">{game.moveText(entry.move, entry.position, language.value)}</span>
                </button>
              </li>
            ))}
          </ol>
        </>
      )}
    </section>
  );
}
