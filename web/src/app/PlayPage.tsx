// SPDX-License-Identifier: MIT
//
// The board with all that is known about the position on it.
import type { MoveMark } from "../games/view";
import { language } from "../i18n";
import { OpponentPanel } from "../learn/OpponentPanel";
import { Controls } from "../parts/Controls";
import { EditPanel } from "../parts/EditPanel";
import { History } from "../parts/History";
import { MoveList } from "../parts/MoveList";
import { PositionPanel } from "../parts/PositionPanel";
import { RulesPicker } from "../parts/RulesPicker";
import { partTexts } from "../parts/texts";
import { ValueBanner } from "../parts/ValueBanner";
import { ValueGraph } from "../parts/ValueGraph";
import { changeDraft, playMove } from "../state/actions";
import { currentBest, currentMoveTexts } from "../state/analysis";
import { thinking } from "../state/computer";
import { draft, flipped, hints, index, mode, position, record, shownMove, view } from "../state/store";
import { appTexts } from "./texts";

const nothing: readonly MoveMark[] = [];
const noMoves: readonly string[] = [];

export function PlayPage() {
  return mode.value === "edit" ? <EditLayout /> : <PlayLayout />;
}

function PlayLayout() {
  const game = view.value;
  return (
    <div class="play" data-game={game?.name}>
      <div class="table">
        {game && position.value !== "" ? <PlayBoard /> : <div class="board-place">{appTexts().loading}</div>}
        <Controls />
        <p class="hint keys">
          {game?.boardHelp(language.value)} {partTexts().keys}
        </p>
      </div>
      <div class="card lead">
        <ValueBanner />
      </div>
      <div class="side">
        <MoveList />
        <ValueGraph />
        <History />
        <section class="card opponent" aria-labelledby="opponent-title">
          <h2 id="opponent-title">{partTexts().opponent}</h2>
          <OpponentPanel />
          <RulesPicker />
        </section>
        <PositionPanel />
      </div>
    </div>
  );
}

function PlayBoard() {
  const game = view.value;
  if (!game) return null;
  const { rules, plies } = record.value;
  return (
    <game.Board
      rules={rules}
      position={position.value}
      legal={thinking.value ? noMoves : currentMoveTexts.value}
      marks={hints.value && !thinking.value ? currentBest.value : nothing}
      shown={hints.value ? shownMove.value : null}
      last={plies[index.value - 1]?.move ?? null}
      flipped={flipped.value}
      language={language.value}
      onMove={playMove}
    />
  );
}

function EditLayout() {
  const game = view.value;
  if (!game) return null;
  return (
    <div class="play">
      <div class="table">
        <game.Editor
          rules={record.value.rules}
          position={draft.value}
          flipped={flipped.value}
          language={language.value}
          onChange={changeDraft}
        />
      </div>
      <div class="side">
        <EditPanel />
      </div>
    </div>
  );
}
