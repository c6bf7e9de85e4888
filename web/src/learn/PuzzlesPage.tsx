// SPDX-License-Identifier: MIT
//
// Positions in which just one move wins: which one?
import "./learn.css";
import { useEffect, useMemo, useRef } from "preact/hooks";
import { subpath } from "../state/store";
import { Chooser, useSubject } from "./Chooser";
import { formatPath, lengthsOf, nextNumber, ofLength, parsePath, type PuzzlePath } from "./choosing";
import { loadCollections, loadPuzzles, type Collection, type PuzzleList } from "./collections";
import { PuzzleView } from "./PuzzleView";
import { ScoreCard } from "./ScoreCard";
import { Sheet } from "./Sheet";
import { Stickers } from "./Stickers";
import { learnTexts, lengthWords } from "./texts";
import { useLoaded } from "./useLoaded";
import { useView } from "./useView";
import { Waiting } from "./Waiting";

export function PuzzlesPage() {
  const texts = learnTexts();
  const collections = useLoaded("collections", loadCollections);
  const subjects = collections.state === "ready" ? collections.value : [];
  const chosen = useSubject(subjects);
  if (collections.state !== "ready") return <Waiting loaded={collections} />;
  if (!chosen) return <p class="card learn-none">{texts.none}</p>;
  return <PuzzlesOf key={`${chosen.game}/${chosen.rules}`} collection={chosen} subjects={subjects} />;
}

interface PuzzlesOfProps {
  readonly collection: Collection;
  readonly subjects: readonly Collection[];
}

function PuzzlesOf({ collection, subjects }: PuzzlesOfProps) {
  const list = useLoaded(collection.puzzles, () => loadPuzzles(collection));
  if (list.state !== "ready") return <Waiting loaded={list} />;
  return <Puzzles collection={collection} subjects={subjects} list={list.value} />;
}

/** People begin with what is short. */
function firstLength(lengths: readonly number[]): number | null {
  return lengths.find((length) => length >= 3) ?? lengths[0] ?? null;
}

function Puzzles({ collection, subjects, list }: PuzzlesOfProps & { readonly list: PuzzleList }) {
  const texts = learnTexts();
  const { game, rules } = collection;
  const view = useView(game);
  const lengths = useMemo(() => lengthsOf(list.puzzles), [list]);
  const seen = useRef(new Map<number | null, Set<number>>());
  const path = parsePath(subpath.value);
  // The address is of another game when it names none that there is.
  const named = path.game === game && path.rules === rules && (path.length !== null || path.number !== null);
  const length = named ? path.length : firstLength(lengths);
  const candidates = useMemo(() => ofLength(list.puzzles, length), [list, length]);
  const number = named ? path.number : null;
  const puzzle = number === null ? undefined : candidates[number];

  const seenOfLength = (of: number | null): Set<number> => {
    const known = seen.current.get(of) ?? new Set<number>();
    seen.current.set(of, known);
    return known;
  };
  const goTo = (next: Pick<PuzzlePath, "length" | "number">) => {
    subpath.value = formatPath({ game, rules, ...next });
  };
  const draw = (of: number | null, last: number | null) => {
    const count = ofLength(list.puzzles, of).length;
    goTo({ length: of, number: nextNumber(count, seenOfLength(of), last, Math.random()) });
  };
  useEffect(() => {
    if (number !== null && puzzle) seenOfLength(length).add(number);
    else if (candidates.length > 0) draw(length, null);
  }, [subpath.value, list]);

  return (
    <div class="play" data-game={game}>
      <div class="table puzzle">
        {view && puzzle && number !== null ? (
          <PuzzleView
            key={`${length}/${number}`}
            game={game}
            rules={rules}
            view={view}
            puzzle={puzzle}
            unit={list.unit}
            title={texts.number(number + 1, candidates.length)}
            onNext={() => draw(length, number)}
          />
        ) : (
          <p class="board-place">{candidates.length > 0 ? texts.loading : texts.noneOfLength}</p>
        )}
      </div>
      <div class="side">
        <section class="card choices" aria-labelledby="puzzles-title">
          <h2 id="puzzles-title">{texts.puzzles}</h2>
          <Chooser subjects={subjects} chosen={collection} />
          <label class="field">
            <span>{texts.length}</span>
            <select
              value={length === null ? "any" : String(length)}
              onChange={(event) => {
                const { value } = event.currentTarget;
                draw(value === "any" ? null : Number(value), null);
              }}
            >
              <option value="any">{texts.anyLength}</option>
              {lengths.map((distance) => (
                <option key={distance} value={String(distance)}>
                  {lengthWords(distance, list.unit)}
                </option>
              ))}
            </select>
          </label>
          {view && <Sheet game={game} rules={rules} view={view} puzzles={candidates} unit={list.unit} />}
        </section>
        <ScoreCard />
        <Stickers />
      </div>
    </div>
  );
}
