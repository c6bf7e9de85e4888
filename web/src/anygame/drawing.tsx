// SPDX-License-Identifier: MIT
//
// Squares, lines and pieces of any game.
import type { BoardAnswer, Boards, Kind } from "./boards";

const cell = 100;

export interface Geometry {
  readonly box: string;
  place(square: number): { readonly x: number; readonly y: number };
  /** The squares of the move that led here, as far as a board before this one listed it. */
  touched(move: string, boards: Boards): readonly number[];
}

export function geometryOf(board: BoardAnswer, flipped: boolean): Geometry {
  const xs = board.squares.map(({ x }) => x);
  const ys = board.squares.map(({ y }) => y);
  const left = Math.min(...xs);
  const right = Math.max(...xs);
  const top = Math.min(...ys);
  const bottom = Math.max(...ys);
  return {
    box: `0 0 ${(right - left + 1.2) * cell} ${(bottom - top + 1.2) * cell}`,
    place: (square) => {
      const at = board.squares[square] ?? { x: left, y: top };
      return {
        x: ((flipped ? right - at.x : at.x - left) + 0.6) * cell,
        y: ((flipped ? bottom - at.y : at.y - top) + 0.6) * cell,
      };
    },
    touched: (move) =>
      board.squares.flatMap(({ label }, square) => (move.split(/[^A-Za-z0-9]+|x/).includes(label) ? [square] : [])),
  };
}

/** A piece around (0, 0). */
export function PieceArt({ kind, count }: { readonly kind: Kind | undefined; readonly count: number }) {
  if (!kind) return null;
  const side = kind.side === -1 ? "none" : `side${kind.side}`;
  return (
    <g class={`piece ${side}`}>
      {kind.path !== null ? (
        <path transform="scale(.78) translate(-50 -50)" d={kind.path} />
      ) : (
        <>
          <circle r="38" />
          <text y="14">{kind.emoji ?? kind.letter}</text>
        </>
      )}
      {count > 1 && (
        <text class="count" x="38" y="42">
          {count}
        </text>
      )}
    </g>
  );
}

interface DrawingProps {
  readonly board: BoardAnswer;
  readonly shape: Geometry;
  readonly last?: readonly number[];
  readonly chosen?: readonly number[];
  readonly lifted?: number | null;
}

export function BoardDrawing({ board, shape, last = [], chosen = [], lifted = null }: DrawingProps) {
  const field = (square: number, name: string) => {
    const { x, y } = shape.place(square);
    return <rect key={`${name}${square}`} class={`mark ${name}`} x={x - 48} y={y - 48} width="96" height="96" rx="8" />;
  };
  return (
    <g aria-hidden="true">
      {board.squares.map(({ shape: form, label }, square) => {
        const { x, y } = shape.place(square);
        if (form === "point") return null;
        return <rect key={label} class={form === "hand" ? "slot" : "cell"} x={x - 49} y={y - 49} width="98" height="98" rx={form === "hand" ? 14 : 3} />;
      })}
      {board.lines.map(([a, b]) => {
        const from = shape.place(a);
        const to = shape.place(b);
        return <line key={`${a}-${b}`} class="way" x1={from.x} y1={from.y} x2={to.x} y2={to.y} />;
      })}
      {board.squares.map(({ shape: form, label }, square) => {
        const { x, y } = shape.place(square);
        return form === "point" ? <circle key={label} class="point" cx={x} cy={y} r="9" /> : null;
      })}
      {last.map((square) => field(square, "last"))}
      {chosen.map((square) => field(square, "chosen"))}
      {board.squares.map(({ shape: form, label }, square) => {
        const { x, y } = shape.place(square);
        const kind = board.kinds[(board.pieces[square] ?? 0) - 1];
        if (kind && square !== lifted) {
          return (
            <g key={label} transform={`translate(${x} ${y})`}>
              <PieceArt kind={kind} count={board.counts[square] ?? 0} />
            </g>
          );
        }
        return form === "square" ? (
          <text key={label} class="square-name" x={x - 42} y={y + 44}>
            {label}
          </text>
        ) : null;
      })}
    </g>
  );
}
