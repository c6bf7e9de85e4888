// SPDX-License-Identifier: MIT
//
// A view for any game that the engine knows and the page does not: all of it comes from the engine.
import "./anygame.css";
import type { BoardProps, EditorProps, GameView, Side } from "../games/view";
import { Board } from "./Board";
import { Boards } from "./boards";
import { BoardDrawing, geometryOf } from "./drawing";
import { words } from "./texts";

interface Known {
  readonly name: string;
  readonly rules: readonly { readonly name: string; readonly start: string }[];
}

export function anyView(game: Known): GameView {
  const boards = new Boards(game.name);

  function Thumbnail({ rules, position, flipped }: { readonly rules: string; readonly position: string; readonly flipped: boolean }) {
    const board = boards.board(rules, position);
    if (!board) return <div class="board thumbnail board-place" aria-hidden="true" />;
    const shape = geometryOf(board, flipped);
    return (
      <svg class="board anygame thumbnail" viewBox={shape.box} aria-hidden="true">
        <BoardDrawing board={board} shape={shape} />
      </svg>
    );
  }

  function Editor({ rules, position, flipped, language, onChange }: EditorProps) {
    return (
      <div class="anygame-editor">
        <Thumbnail rules={rules} position={position} flipped={flipped} />
        <label class="field">
          <span>{words(language).edit}</span>
          <input type="text" value={position} onChange={(event) => onChange(event.currentTarget.value)} />
        </label>
      </div>
    );
  }

  function Emblem({ side }: { readonly side: Side }) {
    const kind = boards.latest.value?.kinds.find((known) => known.side === side);
    return (
      <svg class="emblem anygame" viewBox="-46 -46 92 92" aria-hidden="true">
        <g class={`piece side${side}`}>
          <circle r="38" />
          <text y="14">{kind?.emoji ?? kind?.letter ?? ""}</text>
        </g>
      </svg>
    );
  }

  return {
    name: game.name,
    Emblem,
    fact: () => "",
    repetition: null,
    whyIllegal: () => [],
    Board: (props: BoardProps) => <Board {...props} boards={boards} />,
    Editor,
    Thumbnail,
    emptyPosition: (rules) => (game.rules.find(({ name }) => name === rules) ?? game.rules[0])?.start ?? "",
    sideToMove: (position) => boards.mover(position),
    sideName: (side, language) => boards.latest.value?.sides[side] ?? words(language).sides[side],
    rulesName: (rules) => rules,
    moveText: (move) => move,
    spellings: (move) => [move],
    kif: null,
    before: null,
    moveSpeech: (move) => move,
    hint: (move) => ({ from: move, to: move }),
    Placing: null,
    lesson: [],
    boardHelp: (language) => words(language).help,
  };
}
