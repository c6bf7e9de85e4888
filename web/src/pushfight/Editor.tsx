// SPDX-License-Identifier: MIT
//
// The editor: a palette, the board, and who is to move. Choose a piece, then squares; pieces on the board can be dragged,
// and off it to remove them.
import type { ComponentChildren } from "preact";
import { useMemo, useRef, useState } from "preact/hooks";
import type { EditorProps, Side } from "../games/view";
import { tableIn } from "../i18n";
import { Target } from "../parts/arrows";
import { useDrag } from "../parts/useDrag";
import { pieceAt, sideToMove, type Kind, type Piece as PieceKind } from "./arrangement";
import { BoardArt } from "./BoardArt";
import { canMove, countOf, shiftsOf, withAnchor, withMoved, withoutAnchor, withPiece, withSide } from "./editing";
import { geometry } from "./geometry";
import { Piece } from "./Piece";
import { Pieces } from "./Pieces";
import { boardOf, type BoardInfo } from "./shapes";
import { pieceName, sideName } from "./speech";
import { Squares } from "./Squares";
import { words } from "./texts";

const sides: readonly Side[] = [0, 1];
const kinds: readonly Kind[] = ["pusher", "mover"];

const editorTexts = tableIn(
  {
    palette: "Piece to place",
    anchor: "Anchor",
    remove: "Remove",
    toMove: "To move",
    first: (side: string) => `${side}, first turn of the game (no anchor)`,
    after: (side: string, other: string) => `${side} (the anchor is on a pusher of ${other})`,
    placed: (count: number, all: number) => `${count} of ${all}`,
    help: "Choose a piece or the anchor, then the squares it goes to. Drag pieces to move them, or off the board to remove them. While you drag one, every square shows what the position would be worth for the side to move.",
  },
  {
    palette: "置く駒",
    anchor: "アンカー",
    remove: "取り除く",
    toMove: "手番",
    first: (side: string) => `${side}(最初のターン、アンカーなし)`,
    after: (side: string, other: string) => `${side}(アンカーは${other}の四角駒)`,
    placed: (count: number, all: number) => `${all}個中${count}個`,
    help: "駒かアンカーを選んで、置くマスを選びます。盤上の駒はドラッグで動かせ、盤の外に出すと取り除けます。ドラッグ中は、各マスに置いたときの形勢(手番側から見た値)が表示されます。",
  },
);

type Tool = PieceKind | "anchor" | "remove";

export function Editor(props: EditorProps) {
  const board = boardOf(props.rules);
  if (!board || board.shape.squares.length !== props.position.length) return null;
  return <EditBoard {...props} board={board} />;
}

function EditBoard({ board, position, flipped, language, onChange, onShift, shifted }: EditorProps & { readonly board: BoardInfo }) {
  const text = editorTexts(language);
  const { shape, start } = board;
  const place = useMemo(() => geometry(shape, flipped), [shape, flipped]);
  const [tool, setTool] = useState<Tool>({ kind: "pusher", side: 0, anchored: false });
  const [current, setCurrent] = useState(0);
  const [settled, setSettled] = useState<number | null>(null);
  const svg = useRef<SVGSVGElement>(null);

  const put = (square: number) => {
    const old = pieceAt(position, square);
    if (tool === "anchor") onChange(withAnchor(position, square));
    else if (tool === "remove") onChange(withPiece(position, square, null));
    else onChange(withPiece(position, square, old?.kind === tool.kind && old.side === tool.side ? null : tool));
  };

  const { drag, handlers } = useDrag<number>({
    pick: (spot) => {
      const square = place.squareAt(spot);
      return square >= 0 && pieceAt(position, square) ? square : null;
    },
    onTap: (spot) => {
      const square = place.squareAt(spot);
      if (square < 0) return;
      setCurrent(square);
      put(square);
    },
    onDrop: (from, spot) => {
      const to = place.squareAt(spot);
      setSettled(to);
      onChange(to < 0 ? withPiece(position, from, null) : withMoved(position, from, to));
      onShift?.(null);
    },
    onStart: (from) => onShift?.({ positions: shiftsOf(position, from) }),
  });
  const carried = drag ? pieceAt(position, drag.what) : null;

  const label = (square: number) => {
    const piece = pieceAt(position, square);
    return [shape.squares[square]?.name, piece ? pieceName(piece, language) : words(language).empty].join(language === "ja" ? "、" : ", ");
  };
  const onKey = (event: KeyboardEvent, square: number): boolean => {
    if (event.key !== "Delete" && event.key !== "Backspace") return false;
    onChange(withPiece(position, square, null));
    return true;
  };

  return (
    <div class="editor pushfight-editor">
      <svg
        ref={svg}
        class="board pushfight playable"
        viewBox={`0 0 ${place.width} ${place.height}`}
        role="group"
        aria-label={words(language).board}
        {...handlers}
      >
        <BoardArt place={place} />
        <Pieces place={place} position={position} lifted={drag?.what ?? null} settled={settled} />
        {drag && shifted && (
          <g aria-hidden="true">
            {[...shiftsOf(position, drag.what)].map(([square, text]) => {
              const worth = shifted.get(text);
              const { x, y } = place.centre(square);
              return worth ? <Target key={square} x={x} y={y} taking={false} worth={worth} /> : null;
            })}
          </g>
        )}
        <Squares
          place={place}
          svg={svg}
          current={current}
          setCurrent={setCurrent}
          label={label}
          use={(square) => (pieceAt(position, square) ? "start" : "target")}
          choose={put}
          onKey={onKey}
        />
        {drag && carried && (
          <g class="dragged" transform={`translate(${drag.at.x} ${drag.at.y}) scale(1.08)`} aria-hidden="true">
            <Piece piece={carried} />
          </g>
        )}
      </svg>
      <p class="hint">{text.help}</p>
      <Palette tool={tool} setTool={setTool} position={position} start={start} text={text} language={language} />
      <SideToMove position={position} text={text} language={language} onChange={onChange} />
    </div>
  );
}

type EditorTexts = ReturnType<typeof editorTexts>;

interface PaletteProps {
  readonly tool: Tool;
  readonly setTool: (tool: Tool) => void;
  readonly position: string;
  readonly start: string;
  readonly text: EditorTexts;
  readonly language: EditorProps["language"];
}

function Palette({ tool, setTool, position, start, text, language }: PaletteProps) {
  return (
    <div class="palette" role="radiogroup" aria-label={text.palette}>
      {sides.map((side) =>
        kinds.map((kind) => {
          const piece: PieceKind = { kind, side, anchored: false };
          const count = countOf(position, kind, side);
          const all = countOf(start, kind, side);
          return (
            <PaletteButton
              key={`${side}${kind}`}
              label={`${pieceName(piece, language)}, ${text.placed(count, all)}`}
              chosen={typeof tool === "object" && tool.kind === kind && tool.side === side}
              onChoose={() => setTool(piece)}
              note={`${count}/${all}`}
            >
              <Piece piece={piece} />
            </PaletteButton>
          );
        }),
      )}
      <PaletteButton label={text.anchor} chosen={tool === "anchor"} onChoose={() => setTool("anchor")}>
        <Piece piece={{ kind: "pusher", side: sideToMove(position) === 0 ? 1 : 0, anchored: true }} />
      </PaletteButton>
      <PaletteButton label={text.remove} chosen={tool === "remove"} onChoose={() => setTool("remove")}>
        <path class="cross" d="M-24 -26 L24 22 M24 -26 L-24 22" />
      </PaletteButton>
    </div>
  );
}

interface PaletteButtonProps {
  readonly label: string;
  readonly chosen: boolean;
  readonly onChoose: () => void;
  /** How many are on the board. */
  readonly note?: string;
  readonly children: ComponentChildren;
}

function PaletteButton({ label, chosen, onChoose, note, children }: PaletteButtonProps) {
  return (
    <button type="button" role="radio" aria-checked={chosen} aria-label={label} title={label} class="palette-button" onClick={onChoose}>
      <svg class="pushfight" viewBox="-48 -48 96 98" aria-hidden="true">
        {children}
      </svg>
      {note !== undefined && <small aria-hidden="true">{note}</small>}
    </button>
  );
}

interface SideToMoveProps {
  readonly position: string;
  readonly text: EditorTexts;
  readonly language: EditorProps["language"];
  readonly onChange: (position: string) => void;
}

/** Who is to move is told by the anchor: it is on a piece of the other side. */
function SideToMove({ position, text, language, onChange }: SideToMoveProps) {
  const begun = /[YP]/.test(position);
  const names = sides.map((side) => sideName(side, language));
  return (
    <fieldset class="sides">
      <legend>{text.toMove}</legend>
      <label class="radio">
        <input type="radio" name="side-to-move" checked={!begun} onChange={() => onChange(withoutAnchor(position))} />
        {text.first(names[0] ?? "")}
      </label>
      {sides.map((side) => (
        <label key={side} class="radio">
          <input
            type="radio"
            name="side-to-move"
            checked={begun && sideToMove(position) === side}
            disabled={!canMove(position, side)}
            onChange={() => onChange(withSide(position, side))}
          />
          {text.after(names[side] ?? "", names[1 - side] ?? "")}
        </label>
      ))}
    </fieldset>
  );
}
