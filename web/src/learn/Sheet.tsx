// SPDX-License-Identifier: MIT
//
// A sheet of puzzles on paper, with the solutions upside down at the bottom. On the screen it is only a button.
import { useEffect, useState } from "preact/hooks";
import { gameTitle } from "../games/registry";
import type { GameView } from "../games/view";
import { language } from "../i18n";
import type { Unit } from "../i18n/values";
import type { Puzzle } from "./collections";
import { learnTexts, lengthWords } from "./texts";

const most = 6;

interface SheetProps {
  readonly game: string;
  readonly rules: string;
  readonly view: GameView;
  readonly puzzles: readonly Puzzle[];
  readonly unit: Unit;
}

/** Some of the puzzles, spread over all of them. */
function chosen(puzzles: readonly Puzzle[], start: number): readonly Puzzle[] {
  const step = Math.max(1, Math.floor(puzzles.length / most));
  return Array.from({ length: Math.min(most, puzzles.length) }, (_, number) => puzzles[(start + number * step) % puzzles.length]).flatMap((puzzle) => puzzle ?? []);
}

export function Sheet({ game, rules, view, puzzles, unit }: SheetProps) {
  const texts = learnTexts();
  const [list, setList] = useState<readonly Puzzle[] | null>(null);
  useEffect(() => {
    if (!list) return;
    document.body.classList.add("printing-sheet");
    const after = () => {
      document.body.classList.remove("printing-sheet");
      setList(null);
    };
    window.addEventListener("afterprint", after, { once: true });
    window.print();
    return () => {
      window.removeEventListener("afterprint", after);
      document.body.classList.remove("printing-sheet");
    };
  }, [list]);
  return (
    <>
      <button type="button" onClick={() => setList(chosen(puzzles, Math.floor(Math.random() * puzzles.length)))}>
        {texts.sheet}
      </button>
      {list && (
        <div class="sheet" data-game={game}>
          <h2>{texts.sheetTitle(gameTitle(game, language.value))}</h2>
          <ol>
            {list.map((puzzle, number) => {
              const mover = view.sideToMove(puzzle.position);
              return (
                <li key={puzzle.position}>
                  <p>
                    {number + 1}. {texts.sheetTask(view.sideName(mover, language.value), lengthWords(puzzle.distance, unit))}
                  </p>
                  <view.Thumbnail rules={rules} position={puzzle.position} flipped={mover === 1} />
                </li>
              );
            })}
          </ol>
          <p class="solutions">
            {texts.sheetSolutions}: {list.map((puzzle, number) => `${number + 1}. ${view.moveText(puzzle.move, puzzle.position, language.value)}`).join("  ")}
          </p>
        </div>
      )}
    </>
  );
}
