// SPDX-License-Identifier: MIT
//
// A game from a text: its start and its pieces at once; solved here if it is small; and the command to run if it is not.
import { useEffect, useRef, useState } from "preact/hooks";
import { makeRequest } from "kanzen/parts";
import { geometryOf, BoardDrawing } from "../anygame/drawing";
import type { BoardAnswer } from "../anygame/boards";
import "../anygame/anygame.css";
import { formatNumber, language } from "../i18n";
import { startGame, setTab } from "../state/actions";
import { forgetValues } from "../state/analysis";
import { ownGames } from "../state/engine";
import { errorWords } from "../state/errors";
import { addOwnGame } from "../state/games";
import { isGame } from "../games/registry";
import { kept } from "../state/storage";
import { type OpenedVariant, VariantSolver } from "./solver";
import { variantTexts } from "./texts";

/** What a browser solves in some minutes and some hundred megabytes. */
const mostPositions = 5_000_000;
const pauseMs = 300;

const example = `# Reach the other side. Pawns go straight or aslant, and capture aslant.
[small:breakthrough]
maxFile = 3
maxRank = 4
flagRegionWhite = *4
flagRegionBlack = *1
startFen = ppp/3/3/PPP w - - 0 1
`;

const text = kept<string>("variant", example, (value) => (typeof value === "string" ? value : null));

interface Shown {
  readonly solver: VariantSolver;
  readonly variant: OpenedVariant;
  readonly board: BoardAnswer;
}

export function VariantsPage() {
  const texts = variantTexts();
  const [shown, setShown] = useState<Shown | null>(null);
  const [problem, setProblem] = useState("");
  const [reading, setReading] = useState(true);
  const [part, setPart] = useState<number | null>(null);
  const [solved, setSolved] = useState(false);
  const latest = useRef(0);
  const current = useRef<VariantSolver | null>(null);

  const read = async (wanted: string) => {
    const number = ++latest.current;
    const solver = new VariantSolver();
    setReading(true);
    try {
      const variant = await solver.open(wanted);
      if (isGame(variant.name) && !ownGames.has(variant.name)) throw new Error(texts.taken(variant.name));
      const board = await solver.ask<BoardAnswer>(makeRequest(`${encodeURIComponent(variant.name)}/board`));
      if (number !== latest.current) throw new Error("");
      forget();
      current.current = solver;
      setShown({ solver, variant, board });
      setProblem("");
      setSolved(false);
      setPart(null);
    } catch (error) {
      solver.end();
      if (number !== latest.current) return;
      setShown(null);
      setProblem(error instanceof Error && error.message !== "" ? error.message : errorWords(error, language.value));
    } finally {
      if (number === latest.current) setReading(false);
    }
  };
  /** The one that was shown before ends, unless its game is played. */
  const forget = () => {
    const solver = current.current;
    if (solver && ![...ownGames.values()].includes(solver)) solver.end();
    current.current = null;
  };
  useEffect(() => {
    const timer = setTimeout(() => void read(text.value), pauseMs);
    return () => clearTimeout(timer);
  }, [text.value]);

  const solve = async ({ solver, variant }: Shown) => {
    setPart(0);
    solver.onProgress = setPart;
    try {
      await solver.solve();
      const games = await solver.games();
      const info = games.find(({ name }) => name === variant.name);
      if (!info) return;
      ownGames.set(variant.name, solver);
      addOwnGame(info);
      forgetValues();
      setSolved(true);
    } catch (error) {
      setProblem(texts.failed(error instanceof Error ? error.message : String(error)));
    } finally {
      setPart(null);
    }
  };
  const stop = () => {
    forget();
    setShown(null);
    setPart(null);
    void read(text.value);
  };
  const open = async (file: File | undefined) => {
    if (file) text.value = await file.text();
  };
  return (
    <article class="card prose variants">
      <h2>{texts.title}</h2>
      <p>{texts.intro}</p>
      <label for="variant-text">{texts.text}</label>
      <textarea
        id="variant-text"
        rows={10}
        spellcheck={false}
        value={text.value}
        onInput={(event) => (text.value = event.currentTarget.value)}
      />
      <label class="file">
        {texts.file}
        <input type="file" accept=".ini,.txt,text/plain" onChange={(event) => void open(event.currentTarget.files?.[0])} />
      </label>
      {reading && <p class="soft">{texts.reading}</p>}
      {problem !== "" && (
        <p role="alert">
          {texts.wrong} <code>{problem}</code>
        </p>
      )}
      {shown && problem === "" && (
        <>
          <h3>{texts.start}</h3>
          <VariantBoard board={shown.board} label={texts.start} />
          <h3>{texts.pieces}</h3>
          <ul class="variant-pieces">
            {shown.board.kinds.map(({ letter, name, side }) => (
              <li key={`${side}${letter}`}>
                <b>{letter}</b> {name}
              </li>
            ))}
          </ul>
          <p>{texts.size(formatNumber(shown.variant.size))}</p>
          {shown.variant.size > mostPositions ? (
            <>
              <p>{texts.tooLarge}</p>
              <pre tabIndex={0}>{`kanzen solve ${shown.variant.name}.ini\nkanzen serve ${shown.variant.name}.ini`}</pre>
            </>
          ) : solved ? (
            <>
              <p role="status">{texts.solved}</p>
              <button
                type="button"
                class="primary"
                onClick={() => {
                  setTab("play");
                  void startGame(shown.variant.name);
                }}
              >
                {texts.play}
              </button>
            </>
          ) : part === null ? (
            <button type="button" class="primary" onClick={() => void solve(shown)}>
              {texts.solve}
            </button>
          ) : (
            <div class="row">
              <p role="status">{texts.solving(`${Math.round(100 * part)} %`)}</p>
              <button type="button" onClick={stop}>
                {texts.stop}
              </button>
            </div>
          )}
        </>
      )}
    </article>
  );
}

function VariantBoard({ board, label }: { board: BoardAnswer; label: string }) {
  const shape = geometryOf(board, false);
  return (
    <svg class="board anygame variant-board" viewBox={shape.box} role="img" aria-label={`${label}: ${board.position}`}>
      <BoardDrawing board={board} shape={shape} />
    </svg>
  );
}
