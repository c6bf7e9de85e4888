// SPDX-License-Identifier: MIT
//
// The board without pieces: a wooden rim, sky at the top player's end, a meadow at the other, and the trays for hands.
import type { Side } from "../games/view";
import type { Language } from "../i18n";
import { boardHeight, boardWidth, cell, type Geometry } from "./geometry";
import { columns, rows, squareName } from "./parse";
import { sideName } from "./speech";

const sides: readonly Side[] = [0, 1];

interface BoardArtProps {
  readonly shape: Geometry;
  readonly toMove: Side | null;
  /** To write the players' names in; null: they are left out. */
  readonly language?: Language | null;
}

export function BoardArt({ shape, toMove, language = null }: BoardArtProps) {
  const squares = Array.from({ length: columns * rows }, (_, square) => square);
  return (
    <g aria-hidden="true">
      <rect class="wood" x={shape.board.x} y={shape.board.y} width={boardWidth} height={boardHeight} rx="12" />
      {squares.map((square) => {
        const { x, y } = shape.square(square);
        const row = Math.floor(square / columns);
        const zone =
          row === 0
            ? "sky"
            : row === rows - 1
              ? "meadow"
              : (row + (square % columns)) % 2 === 0
                ? "field"
                : "field alt";
        return (
          <rect key={square} class={`square ${zone}`} x={x - cell / 2} y={y - cell / 2} width={cell} height={cell} />
        );
      })}
      <Scenery shape={shape} />
      {[0, 1, 2].map((column) => {
        const { x } = shape.square(column);
        return (
          <text key={column} class="coordinate" x={x} y={shape.board.y + 15}>
            {squareName(column)[0]}
          </text>
        );
      })}
      {[0, 1, 2, 3].map((row) => {
        const { y } = shape.square(row * columns);
        return (
          <text key={row} class="coordinate" x={shape.board.x + boardWidth - 11} y={y + 5}>
            {language === "ja" ? "一二三四"[row] : "abcd"[row]}
          </text>
        );
      })}
      {sides.map((side) => {
        const tray = shape.tray(side);
        const label = shape.label(side);
        const turn = toMove === side ? " to-move" : "";
        return (
          <g key={side}>
            <rect
              class={`tray side${side}${turn}`}
              x={tray.x}
              y={tray.y}
              width={tray.width}
              height={tray.height}
              rx="14"
            />
            {language && (
              <text class={`player side${side}${turn}`} x={label.x} y={label.y}>
                {sideName(side, language)}
              </text>
            )}
          </g>
        );
      })}
    </g>
  );
}

/** Clouds over the sky and blades of grass in the meadow. */
function Scenery({ shape }: { shape: Geometry }) {
  return (
    <g class="scenery">
      {[0, 1, 2].map((square) => {
        const { x, y } = shape.square(square);
        return (
          <path
            key={square}
            class="cloud"
            d={`M${x - 30 + square * 4} ${y + 22 - square * 9} q-9 0 -8 -7 q2 -7 10 -5 q3 -10 14 -8 q8 2 8 8 q10 -2 11 6 q0 6 -8 6z`}
          />
        );
      })}
      {[9, 10, 11].map((square) => {
        const { x, y } = shape.square(square);
        return (
          <g key={square} class="grass">
            <path d={`M${x - 34} ${y - 22} q1 -8 -3 -12 M${x - 34} ${y - 22} q1 -9 4 -13 M${x - 34} ${y - 22} v-10`} />
            <path d={`M${x + 30} ${y + 34} q1 -8 -3 -12 M${x + 30} ${y + 34} q1 -9 4 -13 M${x + 30} ${y + 34} v-10`} />
          </g>
        );
      })}
    </g>
  );
}
