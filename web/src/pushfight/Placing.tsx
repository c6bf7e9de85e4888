// SPDX-License-Identifier: MIT
//
// Setting up: each side places its pieces on its half of the board.
import { useMemo, useRef, useState } from "preact/hooks";
import type { PlacingProps } from "../games/view";
import { useDrag } from "../parts/useDrag";
import { emptyBoard, pieceAt, type Kind } from "./arrangement";
import { BoardArt } from "./BoardArt";
import { geometry } from "./geometry";
import { Piece } from "./Piece";
import { Pieces } from "./Pieces";
import { isHome, kinds, leftOf, placer, withPlaced } from "./placing";
import { boardOf, type BoardInfo } from "./shapes";
import { pieceName, sideName } from "./speech";
import { Squares } from "./Squares";
import { words } from "./texts";

export function Placing(props: PlacingProps) {
  const board = boardOf(props.rules);
  return board ? <PlaceBoard {...props} board={board} /> : null;
}

function PlaceBoard({ board, language, onDone, onCancel }: PlacingProps & { readonly board: BoardInfo }) {
  const text = words(language);
  const { shape, start } = board;
  const place = useMemo(() => geometry(shape, false), [shape]);
  const [position, setPosition] = useState(() => emptyBoard(shape.squares.length));
  const [kind, setKind] = useState<Kind>("pusher");
  const [current, setCurrent] = useState(0);
  const svg = useRef<SVGSVGElement>(null);
  const side = placer(position, start);
  const put = (square: number) => {
    if (side === null) return;
    const wanted = leftOf(position, start, side, kind) > 0 ? kind : (kinds.find((one) => leftOf(position, start, side, one) > 0) ?? kind);
    setPosition(withPlaced(shape, position, start, square, wanted));
  };
  const { handlers } = useDrag<number>({
    pick: () => null,
    onTap: (spot) => {
      const square = place.squareAt(spot);
      if (square < 0) return;
      setCurrent(square);
      put(square);
    },
    onDrop: () => undefined,
  });
  const label = (square: number) => {
    const piece = pieceAt(position, square);
    return [shape.squares[square]?.name, piece ? pieceName(piece, language) : text.empty].join(language === "ja" ? "、" : ", ");
  };
  return (
    <div class="pushfight-play placing">
      <p class="lesson-words" role="status">
        {side === null ? text.placedAll : text.placeYours(sideName(side, language))}
      </p>
      <svg
        ref={svg}
        class="board pushfight playable"
        viewBox={`0 0 ${place.width} ${place.height}`}
        role="group"
        aria-label={text.board}
        {...handlers}
      >
        <BoardArt place={place} />
        {side !== null && (
          <g aria-hidden="true">
            {shape.squares.map((_, square) => {
              const { x, y } = place.centre(square);
              return isHome(shape, square, side) && position[square] === "." ? <circle key={square} class="target" cx={x} cy={y} r="12" /> : null;
            })}
          </g>
        )}
        <Pieces place={place} position={position} />
        <Squares
          place={place}
          svg={svg}
          current={current}
          setCurrent={setCurrent}
          label={label}
          use={(square) => (side !== null && isHome(shape, square, side) ? "target" : "")}
          choose={put}
        />
      </svg>
      <div class="row wrap placing-kinds">
        {side !== null &&
          kinds.map((one) => (
            <button key={one} type="button" class="palette-button" aria-pressed={kind === one} disabled={leftOf(position, start, side, one) === 0} onClick={() => setKind(one)}>
              <svg class="pushfight" viewBox="-48 -48 96 98" aria-hidden="true">
                <Piece piece={{ kind: one, side, anchored: false }} />
              </svg>
              {pieceName({ kind: one, side, anchored: false }, language)}: {leftOf(position, start, side, one)}
            </button>
          ))}
        <button type="button" class="primary" disabled={side !== null} onClick={() => onDone(position)}>
          {text.begin}
        </button>
        <button type="button" onClick={() => setPosition(emptyBoard(shape.squares.length))}>
          {text.placeAgain}
        </button>
        <button type="button" onClick={onCancel}>
          {text.cancel}
        </button>
      </div>
    </div>
  );
}
