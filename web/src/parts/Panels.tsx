// SPDX-License-Identifier: MIT
//
// What stands beside the board, behind tabs. On wide screens the moves and the game are seen together.
import { lazyPart } from "../app/lazy";
import { OpponentPanel } from "../learn/OpponentPanel";
import { panel, type Panel } from "../state/store";
import { History } from "./History";
import { MoveList } from "./MoveList";
import { PositionPanel } from "./PositionPanel";
import { RulesPicker } from "./RulesPicker";
import { partTexts } from "./texts";
import { useMedia } from "./useMedia";
import { ValueGraph } from "./ValueGraph";

const Explorer = lazyPart(() => import("../study/Explorer").then((module) => module.Explorer));
const Report = lazyPart(() => import("../study/Report").then((module) => module.Report));
const Sharing = lazyPart(() => import("../study/Sharing").then((module) => module.Sharing));

interface Entry {
  readonly name: Panel;
  readonly title: string;
}

export function Panels() {
  const texts = partTexts();
  const together = useMedia("(min-width: 900px), print");
  const entries: readonly Entry[] = together
    ? [
        { name: "moves", title: texts.panelAnalysis },
        { name: "explore", title: texts.panelExplore },
        { name: "share", title: texts.panelShare },
      ]
    : [
        { name: "moves", title: texts.panelMoves },
        { name: "game", title: texts.panelGame },
        { name: "explore", title: texts.panelExplore },
        { name: "share", title: texts.panelShare },
      ];
  const front = together && panel.value === "game" ? "moves" : panel.value;
  const choose = (step: number, from: number, event: KeyboardEvent) => {
    const next = entries[(from + step + entries.length) % entries.length];
    if (!next) return;
    event.preventDefault();
    panel.value = next.name;
    document.getElementById(`panel-tab-${next.name}`)?.focus();
  };
  return (
    <div class="side">
      <div class="panel-tabs" role="tablist" aria-label={texts.panels}>
        {entries.map(({ name, title }, number) => (
          <button
            key={name}
            id={`panel-tab-${name}`}
            type="button"
            role="tab"
            aria-selected={front === name}
            aria-controls="panel"
            tabIndex={front === name ? 0 : -1}
            onClick={() => (panel.value = name)}
            onKeyDown={(event) => {
              if (event.key === "ArrowRight") choose(1, number, event);
              if (event.key === "ArrowLeft") choose(-1, number, event);
            }}
          >
            {title}
          </button>
        ))}
      </div>
      <div id="panel" class={`panel panel-${front}`} role="tabpanel" aria-labelledby={`panel-tab-${front}`}>
        {front === "moves" && <MoveList />}
        {(front === "game" || (front === "moves" && together)) && <GameParts />}
        {front === "explore" && <Explorer />}
        {front === "share" && (
          <>
            <PositionPanel />
            <Sharing />
          </>
        )}
      </div>
    </div>
  );
}

function GameParts() {
  return (
    <div class="game-parts">
      <ValueGraph />
      <History />
      <Report />
      <section class="card opponent" aria-labelledby="opponent-title">
        <h2 id="opponent-title">{partTexts().opponent}</h2>
        <OpponentPanel />
        <RulesPicker />
      </section>
    </div>
  );
}
