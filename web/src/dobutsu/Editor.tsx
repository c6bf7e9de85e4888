// SPDX-License-Identifier: MIT
//
// The editor: a palette, the board, counters for the hands, and who is to move. Choose a piece, then squares; pieces on
// the board can be dragged, and off it to remove them.
import { useMemo, useRef, useState } from "preact/hooks";
import type { EditorProps, Side } from "../games/view";
import { tableIn } from "../i18n";
import { Target } from "../parts/arrows";
import { placeTowards } from "../parts/roving";
import { useDrag } from "../parts/useDrag";
import { useWide } from "../parts/useMedia";
import { Animal } from "./Animal";
import { BoardArt } from "./BoardArt";
import { shiftsOf, withHand, withMoved, withSide, withSquare, withTaken } from "./editing";
import { geometry, isInside, squareAt } from "./geometry";
import { columns, format, handKinds, kinds, parse, rows, type Piece } from "./parse";
import { Pieces } from "./Pieces";
import { pieceName, sideName, squareWord, words } from "./speech";

const sides: readonly Side[] = [0, 1];

const editorTexts = tableIn(
  {
    palette: "Piece to place",
    remove: "Remove",
    toMove: "To move",
    hands: "Hands",
    fewer: (what: string) => `One ${what} less`,
    more: (what: string) => `One ${what} more`,
    help: "Choose a piece, then the squares it goes to. Drag pieces to move them, to a hand, or off the board to remove them. While you drag one, every square shows what the position would be worth for the side to move.",
  },
  {
    palette: "置く駒",
    remove: "取り除く",
    toMove: "手番",
    hands: "持ち駒",
    fewer: (what: string) => `${what}を減らす`,
    more: (what: string) => `${what}を増やす`,
    help: "駒を選んで、置くマスを選びます。盤上の駒はドラッグで動かせ、持ち駒にも移せます。盤の外に出すと取り除けます。ドラッグ中は、各マスに置いたときの形勢(手番側から見た値)が表示されます。",
  },
);

export function Editor({ position, flipped, language, onChange, onShift, shifted }: EditorProps) {
  const text = editorTexts(language);
  const wide = useWide();
  const shape = useMemo(() => geometry(wide ? "wide" : "tall", flipped), [wide, flipped]);
  const picture = parse(position);
  const [tool, setTool] = useState<Piece | null>({ kind: "chick", side: 0 });
  const [current, setCurrent] = useState(0);
  const svg = useRef<SVGSVGElement>(null);
  const squares = Array.from({ length: columns * rows }, (_, square) => ({
    id: String(square),
    ...shape.square(square),
  }));

  const place = (square: number) => {
    const old = picture.squares[square];
    const same = tool !== null && old?.kind === tool.kind && old.side === tool.side;
    onChange(format(withSquare(picture, square, same ? null : tool)));
  };

  const { drag, handlers } = useDrag<number>({
    pick: (spot) => {
      const square = squareAt(shape, spot);
      return square >= 0 && picture.squares[square] ? square : null;
    },
    onTap: (spot) => {
      const square = squareAt(shape, spot);
      if (square < 0) return;
      setCurrent(square);
      place(square);
    },
    onDrop: (from, spot) => {
      const to = squareAt(shape, spot);
      const piece = picture.squares[from];
      const hand = sides.find((side) => isInside(shape.tray(side), spot));
      if (to >= 0) onChange(format(withMoved(picture, from, to)));
      else if (hand === undefined) onChange(format(withSquare(picture, from, null)));
      else if (piece && piece.kind !== "lion") onChange(format(withTaken(picture, from, hand)));
      onShift?.(null);
    },
    onStart: (from) => onShift?.({ positions: shiftsOf(picture, from) }),
  });
  const carried = drag ? picture.squares[drag.what] : null;

  const onKeyDown = (event: KeyboardEvent, square: number) => {
    if (event.key === "Enter" || event.key === " ") place(square);
    else if (event.key === "Delete" || event.key === "Backspace") onChange(format(withSquare(picture, square, null)));
    else {
      const next = placeTowards(squares, String(square), event.key);
      if (next === null) return;
      setCurrent(Number(next));
      svg.current?.querySelector<SVGElement>(`[data-place="${next}"]`)?.focus();
    }
    event.preventDefault();
  };

  return (
    <div class="editor">
      <svg
        ref={svg}
        class="board dobutsu playable"
        viewBox={`0 0 ${shape.width} ${shape.height}`}
        role="group"
        aria-label={words(language).board}
        {...handlers}
      >
        <BoardArt shape={shape} toMove={picture.toMove} language={language} />
        <Pieces shape={shape} picture={picture} lifted={drag ? `s${drag.what}` : null} />
        {drag && shifted && (
          <g aria-hidden="true">
            {[...shiftsOf(picture, drag.what)].map(([square, text]) => {
              const worth = shifted.get(text);
              const { x, y } = shape.square(square);
              return worth ? <Target key={square} x={x} y={y} taking={false} worth={worth} /> : null;
            })}
          </g>
        )}
        {squares.map(({ x, y }, square) => {
          const piece = picture.squares[square];
          const content = piece
            ? `${sideName(piece.side, language)} ${pieceName(piece.kind, language)}`
            : words(language).empty;
          return (
            <g
              key={square}
              class="place"
              role="button"
              data-place={square}
              tabindex={square === current ? 0 : -1}
              aria-label={`${squareWord(square, language)}, ${content}`}
              onKeyDown={(event) => onKeyDown(event, square)}
              onFocus={() => setCurrent(square)}
              onClick={(event) => {
                if (event.detail === 0) place(square);
              }}
            >
              <rect class="hit active" x={x - 49} y={y - 49} width="98" height="98" rx="10" />
            </g>
          );
        })}
        {drag && carried && (
          <g class="dragged" transform={`translate(${drag.at.x} ${drag.at.y}) scale(1.08)`} aria-hidden="true">
            <Animal kind={carried.kind} side={carried.side} turned={shape.turned(carried.side)} />
          </g>
        )}
      </svg>
      <p class="hint">{text.help}</p>
      <div class="palette animals" role="radiogroup" aria-label={text.palette}>
        {sides.map((side) =>
          kinds.map((kind) => (
            <PaletteButton
              key={`${side}${kind}`}
              label={`${sideName(side, language)} ${pieceName(kind, language)}`}
              chosen={tool?.kind === kind && tool.side === side}
              onChoose={() => setTool({ kind, side })}
            >
              <Animal kind={kind} side={side} turned={shape.turned(side)} />
            </PaletteButton>
          )),
        )}
        <PaletteButton label={text.remove} chosen={tool === null} onChoose={() => setTool(null)}>
          <path class="cross" d="M-22 -22 L22 22 M22 -22 L-22 22" />
        </PaletteButton>
      </div>
      <div class="editor-rows">
        {sides.map((side) => (
          <fieldset key={side}>
            <legend>{words(language).hand(sideName(side, language))}</legend>
            {handKinds.map((kind) => {
              const count = picture.hands[side][kind];
              const name = pieceName(kind, language);
              return (
                <div class="counter" key={kind}>
                  <span>{name}</span>
                  <button
                    type="button"
                    aria-label={`${sideName(side, language)}: ${text.fewer(name)}`}
                    disabled={count === 0}
                    onClick={() => onChange(format(withHand(picture, side, kind, count - 1)))}
                  >
                    −
                  </button>
                  <output>{count}</output>
                  <button
                    type="button"
                    aria-label={`${sideName(side, language)}: ${text.more(name)}`}
                    disabled={count === 2}
                    onClick={() => onChange(format(withHand(picture, side, kind, count + 1)))}
                  >
                    +
                  </button>
                </div>
              );
            })}
          </fieldset>
        ))}
        <fieldset>
          <legend>{text.toMove}</legend>
          {sides.map((side) => (
            <label key={side} class="radio">
              <input
                type="radio"
                name="side-to-move"
                checked={picture.toMove === side}
                onChange={() => onChange(format(withSide(picture, side)))}
              />
              {sideName(side, language)}
            </label>
          ))}
        </fieldset>
      </div>
    </div>
  );
}

interface PaletteButtonProps {
  readonly label: string;
  readonly chosen: boolean;
  readonly onChoose: () => void;
  readonly children: preact.ComponentChildren;
}

function PaletteButton({ label, chosen, onChoose, children }: PaletteButtonProps) {
  return (
    <button
      type="button"
      role="radio"
      aria-checked={chosen}
      aria-label={label}
      title={label}
      class="palette-button"
      onClick={onChoose}
    >
      <svg class="dobutsu" viewBox="-48 -48 96 98" aria-hidden="true">
        {children}
      </svg>
    </button>
  );
}
