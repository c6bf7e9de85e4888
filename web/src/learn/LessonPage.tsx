// SPDX-License-Identifier: MIT
//
// The rules, piece by piece on the board.
import "./learn.css";
import { useMemo, useState } from "preact/hooks";
import type { GameView, MoveMark, MoveWorth } from "../games/view";
import { language } from "../i18n";
import { announce, openPosition, setTab } from "../state/actions";
import { legalOf } from "../state/analysis";
import { gameInfo } from "../state/games";
import { newGameOpen, record } from "../state/store";
import { learnTexts } from "./texts";
import { useView } from "./useView";

const noMarks: readonly MoveMark[] = [];
const noMoves: readonly string[] = [];
const noValues: ReadonlyMap<string, MoveWorth> = new Map();

export function LessonPage() {
  const view = useView(record.value.game);
  return view ? <Lesson key={view.name} view={view} /> : <p class="loading">{learnTexts().loading}</p>;
}

function Lesson({ view }: { view: GameView }) {
  const texts = learnTexts();
  const [number, setNumber] = useState(0);
  const step = view.lesson[number];
  if (!step) {
    return (
      <div class="learn lesson">
        <h2>{texts.lessonDone}</h2>
        <p>{texts.lessonDoneWords}</p>
        <div class="row wrap">
          <button
            type="button"
            class="primary"
            onClick={() => {
              setTab("play");
              newGameOpen.value = true;
            }}
          >
            {texts.lessonPlay}
          </button>
          <button type="button" onClick={() => setTab("puzzles")}>
            {texts.puzzles}
          </button>
          <button type="button" onClick={() => setNumber(0)}>
            {texts.lessonAgain}
          </button>
        </div>
      </div>
    );
  }
  return (
    <div class="learn lesson" data-game={view.name}>
      <h2>{texts.lessonStep(number + 1, view.lesson.length)}</h2>
      <Step key={number} view={view} number={number} onDone={() => setNumber(number + 1)} onBack={() => setNumber(Math.max(0, number - 1))} />
    </div>
  );
}

interface StepProps {
  readonly view: GameView;
  readonly number: number;
  readonly onDone: () => void;
  readonly onBack: () => void;
}

function Step({ view, number, onDone, onBack }: StepProps) {
  const texts = learnTexts();
  const step = view.lesson[number];
  const [made, setMade] = useState<string | null>(null);
  const [said, setSaid] = useState("");
  const [tries, setTries] = useState(0);
  if (!step) return null;
  const start = step.position !== "" ? step.position : (gameInfo(view.name)?.rules.find(({ name }) => name === step.rules)?.start ?? "");
  const legal = start === "" ? null : legalOf(view.name, step.rules, start).value.answer;
  const moves = useMemo(() => legal?.map(({ move }) => move) ?? noMoves, [legal, tries]);
  const after = legal?.find(({ move }) => move === made)?.position;
  const say = (words: string) => {
    setSaid(words);
    announce(words);
  };
  return (
    <>
      <p class="lesson-words">{step.words[language.value]}</p>
      {start !== "" && (
        <view.Board
          rules={step.rules}
          position={after ?? start}
          legal={made === null ? moves : noMoves}
          awaited={made === null && legal === null}
          marks={noMarks}
          shown={null}
          values={noValues}
          over={false}
          last={made}
          flipped={false}
          language={language.value}
          onMove={(move) => {
            if (step.isRight(move)) {
              setMade(move);
              say(texts.lessonRight);
            } else {
              setTries(tries + 1);
              say(texts.lessonWrong);
            }
          }}
          onRefused={say}
        />
      )}
      <p class={`feedback ${made === null ? "" : "right"}`}>{said}</p>
      <div class="row wrap">
        <button type="button" disabled={number === 0} onClick={onBack}>
          {texts.lessonBack}
        </button>
        <button type="button" class={made === null ? "" : "primary"} onClick={onDone}>
          {made === null ? texts.lessonSkip : texts.lessonNext}
        </button>
        <button type="button" class="plain" onClick={() => void openPosition(view.name, step.rules, start)}>
          {texts.open}
        </button>
      </div>
    </>
  );
}
