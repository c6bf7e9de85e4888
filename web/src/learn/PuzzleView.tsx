// SPDX-License-Identifier: MIT
//
// One puzzle: the board, what is to be found, and what came of each try.
import { useMemo, useState } from "preact/hooks";
import type { GameView, MoveMark, MoveWorth } from "../games/view";
import { language } from "../i18n";
import { moveWords, type Unit } from "../i18n/values";
import { announce, openPosition, setOpponent } from "../state/actions";
import { analysisOf, legalOf } from "../state/analysis";
import { engine } from "../state/engine";
import { gameInfo } from "../state/games";
import type { Puzzle } from "./collections";
import { addSticker, countResult } from "./scoring";
import { learnTexts, lengthWords } from "./texts";

const noMoves: readonly string[] = [];
const noMarks: readonly MoveMark[] = [];
const noValues: ReadonlyMap<string, MoveWorth> = new Map();

interface PuzzleViewProps {
  readonly game: string;
  readonly rules: string;
  readonly view: GameView;
  readonly puzzle: Puzzle;
  readonly unit: Unit;
  readonly title: string;
  readonly onNext: () => void;
}

type Stage = "open" | "solved" | "shown" | "playing" | "won";

export function PuzzleView({ game, rules, view, puzzle, unit, title, onNext }: PuzzleViewProps) {
  const texts = learnTexts();
  const [stage, setStage] = useState<Stage>("open");
  const [tries, setTries] = useState<readonly string[]>([]);
  const [hints, setHints] = useState(0);
  /** When it is solved to the end: the position on the board, and the move that led to it. */
  const [at, setAt] = useState<{ readonly position: string; readonly last: string | null }>({ position: puzzle.position, last: null });
  const [said, setSaid] = useState("");
  const legal = legalOf(game, rules, at.position).value;
  // A new list after each try: a board puts back what was made on it when its moves are others.
  const moves = useMemo(() => legal.answer?.map((move) => move.move) ?? noMoves, [legal.answer, tries.length]);
  const mover = view.sideToMove(puzzle.position);
  const hasTable = gameInfo(game)?.rules.some((known) => known.name === rules && known.table) ?? false;
  const solution = legalOf(game, rules, puzzle.position).value.answer?.find((move) => move.move === puzzle.move);
  const answer = useMemo<readonly MoveMark[]>(() => [{ move: puzzle.move, value: "win" }], [puzzle]);
  const spoken = (move: string) => view.moveSpeech(move, puzzle.position, language.value);

  const say = (words: string) => {
    setSaid(words);
    announce(words);
  };
  /** The computer answers as well as it can. */
  const answerTo = async (position: string, move: string) => {
    setAt({ position, last: move });
    const reply = await (await engine()).play(game, rules, position, { level: "perfect", aggressive: false });
    if (reply.move === null) {
      setStage("won");
      addSticker();
      say(texts.endWon);
    } else {
      setAt({ position: reply.position, last: reply.move });
      say(texts.endGoOn);
    }
  };
  const goOn = () => {
    if (!solution) return;
    setStage("playing");
    void answerTo(solution.position, puzzle.move);
  };
  const playOnBoard = async (move: string) => {
    const answer = await (await engine()).position(game, rules, at.position);
    const known = answer.moves.find((candidate) => candidate.move === move);
    setTries([...tries, move]);
    if (known?.value === "win") await answerTo(known.position, move);
    else say(texts.endWrong(view.moveText(move, at.position, language.value)));
  };

  const tryMove = (move: string) => {
    if (stage === "playing") void playOnBoard(move).catch(() => undefined);
    if (stage !== "open") return;
    const right = move === puzzle.move;
    if (tries.length === 0) countResult(right);
    setTries([...tries, move]);
    if (right) {
      setStage("solved");
      if (puzzle.distance === 1) addSticker();
    }
    announce(right ? texts.right(spoken(move)) : texts.wrong(spoken(move)));
  };
  const show = () => {
    if (tries.length === 0) countResult(false);
    setStage("shown");
    announce(texts.answerIs(spoken(puzzle.move)));
  };
  const playOn = () => {
    if (!solution) return;
    setOpponent({ side: mover === 0 ? 1 : 0, level: "perfect", aggressive: false });
    void openPosition(game, rules, solution.position);
  };

  const played = stage === "solved" && solution;
  return (
    <>
      <div class="puzzle-task">
        <p class="soft">{title}</p>
        <p class="task">{texts.task(view.sideName(mover, language.value), lengthWords(puzzle.distance, unit))}</p>
        <p>{texts.onlyOne}</p>
      </div>
      <view.Board
        rules={rules}
        position={played ? played.position : at.position}
        legal={stage === "open" || stage === "playing" ? moves : noMoves}
        awaited={(stage === "open" || stage === "playing") && legal.state === "waiting"}
        marks={stage === "shown" ? answer : noMarks}
        shown={null}
        values={noValues}
        over={stage === "won" || (played ? puzzle.distance === 1 : false)}
        last={played ? puzzle.move : at.last}
        flipped={mover === 1}
        language={language.value}
        onMove={tryMove}
      />
      {stage === "playing" || stage === "won" ? (
        <p class={stage === "won" ? "feedback right" : "feedback"}>{said}</p>
      ) : (
        <Feedback game={game} rules={rules} view={view} puzzle={puzzle} stage={stage} tries={tries} />
      )}
      {stage === "open" && hints > 0 && (
        <p class="hint-words" role="status">
          {texts.hintPiece(view.hint(puzzle.move, puzzle.position, language.value).from)}
          {hints > 1 && ` ${texts.hintGoes(view.hint(puzzle.move, puzzle.position, language.value).to)}`}
        </p>
      )}
      <div class="row wrap puzzle-buttons">
        <button type="button" class={stage === "open" ? "" : "primary"} onClick={onNext}>
          {texts.next}
        </button>
        {stage === "open" && (
          <button type="button" disabled={hints > 1} onClick={() => setHints(hints + 1)}>
            {texts.hint}
          </button>
        )}
        {stage === "solved" && puzzle.distance > 1 && solution && hasTable && (
          <button type="button" onClick={goOn}>
            {texts.toTheEnd}
          </button>
        )}
        {stage === "open" && (
          <button type="button" onClick={show}>
            {texts.show}
          </button>
        )}
        {stage !== "open" && stage !== "won" && puzzle.distance > 1 && solution && (
          <button type="button" onClick={playOn}>
            {texts.playOn}
          </button>
        )}
        {stage !== "open" && (
          <button type="button" onClick={() => void openPosition(game, rules, puzzle.position, [puzzle.move])}>
            {texts.open}
          </button>
        )}
      </div>
      <p class="hint keys">{view.boardHelp(language.value)}</p>
    </>
  );
}

interface FeedbackProps extends Pick<PuzzleViewProps, "game" | "rules" | "view" | "puzzle"> {
  readonly stage: Stage;
  readonly tries: readonly string[];
}

/** What came of the last try, in words. */
function Feedback({ game, rules, view, puzzle, stage, tries }: FeedbackProps) {
  const texts = learnTexts();
  const text = (move: string) => view.moveText(move, puzzle.position, language.value);
  const last = tries.at(-1);
  if (stage === "shown") return <p class="feedback shown">{texts.answerIs(text(puzzle.move))}</p>;
  if (last === undefined) return <p class="feedback" />;
  if (stage === "solved") {
    return <p class="feedback right">✓ {tries.length === 1 ? texts.right(text(last)) : texts.rightAfterTries(text(last))}</p>;
  }
  return <p class="feedback wrong">✗ {wrongWords(game, rules, puzzle, last, text(last))}</p>;
}

/** Why a move is wrong: "2c2b draws". Without a table a search would have to find out, and that takes too long here. */
function wrongWords(game: string, rules: string, puzzle: Puzzle, move: string, text: string): string {
  const hasTable = gameInfo(game)?.rules.some((known) => known.name === rules && known.table) ?? false;
  const answer = hasTable ? analysisOf(game, rules, puzzle.position).value.answer : null;
  const known = answer?.moves.find((candidate) => candidate.move === move);
  if (!known || known.value === "unknown" || known.value === "win") return learnTexts().wrong(text);
  return learnTexts().wrongBecause(text, moveWords(known, answer?.unit ?? "plies", language.value));
}
