// SPDX-License-Identifier: MIT
//
// The board with all that is known about the position on it.
import type { MoveMark, MoveWorth } from "../games/view";
import { boardRatio } from "../games/registry";
import { language } from "../i18n";
import { Celebration } from "../parts/Celebration";
import { Controls } from "../parts/Controls";
import { EditPanel } from "../parts/EditPanel";
import { Intro } from "../parts/Intro";
import { Panels } from "../parts/Panels";
import { partTexts } from "../parts/texts";
import { useWide } from "../parts/useMedia";
import { useWheel } from "../parts/useWheel";
import { ValueBanner } from "../parts/ValueBanner";
import { announce, changeDraft, playMove, startGame } from "../state/actions";
import { current, currentBest, currentLegal, currentMoveTexts, currentValues } from "../state/analysis";
import { ended } from "../state/ending";
import { shifted, showShift } from "../state/shift";
import { begun, draft, flipped, hints, index, mode, notice, opponent, position, record, shownMove, thinking, view } from "../state/store";
import { appTexts } from "./texts";

const nothing: readonly MoveMark[] = [];
const noMoves: readonly string[] = [];
const noValues: ReadonlyMap<string, MoveWorth> = new Map();

export function PlayPage() {
  if (mode.value === "edit") return <EditLayout />;
  return mode.value === "place" && view.value?.Placing ? <PlaceLayout /> : <PlayLayout />;
}

function PlaceLayout() {
  const Placing = view.value?.Placing;
  const { game, rules } = record.value;
  if (!Placing) return null;
  return (
    <div class="play" data-game={game}>
      <div class="table">
        <Placing
          rules={rules}
          language={language.value}
          onDone={(position) => void startGame(game, rules, position)}
          onCancel={() => (mode.value = "play")}
        />
      </div>
    </div>
  );
}

function PlayLayout() {
  const game = view.value;
  const wheel = useWheel();
  return (
    <div class="play" data-game={record.value.game}>
      <Intro />
      <div class="table">
        <ValueBanner />
        <div class="board-box" ref={wheel}>
          {game && position.value !== "" ? <PlayBoard /> : <BoardPlace />}
          <Celebration />
        </div>
        <Controls />
        <p class="hint keys">
          {game?.boardHelp(language.value)} {partTexts().keys}
        </p>
      </div>
      <Panels />
    </div>
  );
}

/** What keeps the board's room free until it is there. */
function BoardPlace() {
  const wide = useWide();
  return (
    <div class="board board-place" style={{ aspectRatio: boardRatio(record.value.game, wide) }}>
      {appTexts().loading}
    </div>
  );
}

function PlayBoard() {
  const game = view.value;
  if (!game) return null;
  const { rules, plies } = record.value;
  const free = !thinking.value && !(ended.value !== null && opponent.value.side !== null);
  const helped = hints.value && !thinking.value;
  return (
    <game.Board
      rules={rules}
      position={position.value}
      legal={free ? currentMoveTexts.value : noMoves}
      awaited={free && currentLegal.value.state === "waiting"}
      marks={helped ? currentBest.value : nothing}
      shown={hints.value ? shownMove.value : null}
      values={helped ? currentValues.value : noValues}
      over={current.value.answer?.over ?? false}
      last={plies[index.value - 1]?.move ?? null}
      flipped={flipped.value}
      language={language.value}
      onMove={playMove}
      onBegun={(moves) => (begun.value = moves)}
      onRefused={(why) => {
        notice.value = { words: () => why, undo: null };
        announce(why);
      }}
    />
  );
}

function EditLayout() {
  const game = view.value;
  if (!game) return null;
  return (
    <div class="play" data-game={record.value.game}>
      <div class="table">
        <game.Editor
          rules={record.value.rules}
          position={draft.value}
          flipped={flipped.value}
          language={language.value}
          onChange={changeDraft}
          onShift={showShift}
          shifted={shifted.value}
        />
      </div>
      <div class="side">
        <EditPanel />
      </div>
    </div>
  );
}
