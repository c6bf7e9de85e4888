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

/** So many more at a time, where there may be thousands. */
const step = 24;

function take(candidates: Iterator<string>, count: number): readonly string[] {
  const taken: string[] = [];
  for (let next = candidates.next(); !next.done; next = candidates.next()) {
    taken.push(next.value);
    if (taken.length === count) break;
  }
  return taken;
}

/** Of the candidates, those with a move that leads here. */
async function find(game: string, rules: string, candidates: readonly string[], here: (text: string) => boolean): Promise<readonly Before[]> {
  const asked = await engine();
  const found = await Promise.all(
    candidates.map(async (candidate) => {
      const legal = await asked.legal(game, rules, candidate).catch(() => null); // no legal position
      const move = legal?.moves.find((one) => here(one.position));
      return legal && move ? [{ position: legal.position, move: move.move }] : [];
    }),
  );
  return found.flat();
}

export function WayBack() {
  const texts = studyTexts();
  const game = view.value;
  const [found, setFound] = useState<readonly Before[] | null>(null);
  const [busy, setBusy] = useState(false);
  /** Candidates that were not looked at yet; null: there are none. */
  const [rest, setRest] = useState<Iterator<string> | null>(null);
  if (!game) return null;
  const { before } = game;
  const { game: name, rules } = record.value;
  const same = (text: string) => game.repetition?.same(text) ?? text;
  const look = async (candidates: readonly string[], known: readonly Before[]) => {
    setBusy(true);
    const target = same(position.value);
    const more = await find(name, rules, candidates, (text) => same(text) === target);
    setFound([...known, ...more]);
    setBusy(false);
  };
  const start = () => {
    if (!before) return;
    const first = before(position.value, rules);
    setRest(game.beforeMore && first.length > 0 ? game.beforeMore(position.value, rules) : null);
    void look([...first].sort(), []);
  };
  const showMore = () => {
    if (!rest || !found) return;
    const candidates = take(rest, step);
    if (candidates.length < step) setRest(null);
    void look(candidates, found);
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
          <p>{found.length === 0 ? texts.wayBackNone : (rest ? texts.wayBackFirst : texts.wayBackCount)(formatNumber(found.length))}</p>
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
          {rest && (
            <button type="button" class="more" disabled={busy} onClick={showMore}>
              {busy ? texts.waiting : texts.wayBackMore(formatNumber(step))}
            </button>
          )}
          {game.beforeMore && !rest && found.length > 0 && <p class="soft">{texts.wayBackAll}</p>}
        </>
      )}
    </section>
  );
}
