// SPDX-License-Identifier: MIT
//
// The board of any game: drawn from what the engine says about it; moves by click, drag, touch or keyboard.
import { useEffect, useRef, useState } from "preact/hooks";
import type { BoardProps } from "../games/view";
import { moveWords } from "../i18n/values";
import { Arrow, Ring, Target } from "../parts/arrows";
import { placeTowards } from "../parts/roving";
import { type Spot, useDrag } from "../parts/useDrag";
import { useEarly } from "../parts/useEarly";
import { type BoardAnswer, type BoardMove, type Boards, choose, movesFrom } from "./boards";
import { BoardDrawing, geometryOf, PieceArt } from "./drawing";
import { words } from "./texts";

const reach = 48;

export function Board(props: BoardProps & { readonly boards: Boards }) {
  const now = props.boards.board(props.rules, props.position);
  const before = useRef(now);
  if (now) before.current = now;
  const board = now ?? before.current; // the one before, until the new one is here
  if (!board) return <div class="board board-place">{words(props.language).waiting}</div>;
  return <PlayBoard {...props} board={board} now={now} />;
}

interface PlayBoardProps extends BoardProps {
  readonly boards: Boards;
  /** What is drawn. */
  readonly board: BoardAnswer;
  /** The board of the position, once it is here. */
  readonly now: BoardAnswer | null;
}

function PlayBoard({ boards, board, now, ...props }: PlayBoardProps) {
  const { position, legal, flipped, language, onMove } = props;
  const text = words(language);
  const [chosen, setChosen] = useState<readonly number[]>([]);
  const [open, setOpen] = useState<readonly BoardMove[]>([]);
  const [current, setCurrent] = useState(0);
  const svg = useRef<SVGSVGElement>(null);

  useEffect(() => {
    setChosen([]);
    setOpen([]);
  }, [position, legal]);

  const shape = geometryOf(board, flipped);
  const allowed = new Set(legal);
  const moves = now ? now.moves.filter(({ move }) => allowed.has(move)) : [];
  const rest = movesFrom(moves, chosen);
  const nexts = new Map<number, BoardMove[]>();
  for (const move of rest) {
    const next = move.squares[chosen.length];
    if (next !== undefined) nexts.set(next, [...(nexts.get(next) ?? []), move]);
  }

  const play = (move: BoardMove) => {
    setChosen([]);
    setOpen([]);
    onMove(move.move);
  };
  const tap = useEarly((props.awaited ?? false) || !now, position, (square: number) => {
    const result = choose(moves, chosen, square);
    if (result.move) play(result.move);
    else {
      if (chosen.length > 0 && result.chosen.length === 0 && square !== chosen[chosen.length - 1]) props.onRefused?.(text.cantGo);
      setChosen(result.chosen);
      setOpen(result.open);
    }
  });
  const squareAt = (spot: Spot): number =>
    board.squares.findIndex((_, square) => {
      const { x, y } = shape.place(square);
      return Math.abs(x - spot.x) <= reach && Math.abs(y - spot.y) <= reach;
    });

  const { drag, handlers } = useDrag<number>({
    pick: (spot) => {
      const square = squareAt(spot);
      return square >= 0 && board.pieces[square] !== 0 && nexts.has(square) ? square : null;
    },
    onTap: (spot) => {
      const square = squareAt(spot);
      if (square >= 0) {
        setCurrent(square);
        tap(square);
      } else setChosen([]);
    },
    onStart: (square) => setChosen([...chosen, square]),
    onDrop: (_, spot) => {
      const square = squareAt(spot);
      if (square >= 0 && square !== chosen[chosen.length - 1]) tap(square);
    },
  });

  const places = board.squares.map((_, square) => ({ id: String(square), ...shape.place(square) }));
  const onKeyDown = (event: KeyboardEvent, square: number) => {
    if (event.key === "Enter" || event.key === " ") tap(square);
    else if (event.key === "Escape" && chosen.length > 0) setChosen([]);
    else {
      const next = placeTowards(places, String(square), event.key);
      if (next === null) return;
      setCurrent(Number(next));
      svg.current?.querySelector<SVGElement>(`[data-place="${next}"]`)?.focus();
    }
    event.preventDefault();
    event.stopPropagation();
  };

  const worthOf = (candidates: readonly BoardMove[]) => (candidates.length === 1 && candidates[0] ? props.values.get(candidates[0].move) : undefined);
  const label = (square: number): string => {
    const kind = board.kinds[(board.pieces[square] ?? 0) - 1];
    const count = board.counts[square] ?? 0;
    const notes = [board.squares[square]?.label ?? "", kind ? `${kind.name}${count > 1 ? ` × ${count}` : ""}` : text.empty];
    const candidates = chosen.length > 0 ? nexts.get(square) : undefined;
    const worth = candidates && worthOf(candidates);
    if (candidates) notes.push(worth ? moveWords(worth, "plies", language) : text.canGo);
    return notes.join(", ");
  };

  const shown = props.shown ? [props.shown] : props.marks;
  const last = props.last === null ? [] : shape.touched(props.last, boards);
  return (
    <>
      <svg
        ref={svg}
        class={`board anygame${legal.length > 0 ? " playable" : ""}`}
        viewBox={shape.box}
        role="group"
        aria-label={text.board}
        {...handlers}
      >
        <BoardDrawing board={board} shape={shape} last={last} chosen={chosen} lifted={drag ? drag.what : null} />
        <g aria-hidden="true">
          {chosen.length > 0 &&
            [...nexts].map(([square, candidates]) => {
              const { x, y } = shape.place(square);
              return <Target key={square} x={x} y={y} taking={board.pieces[square] !== 0} worth={worthOf(candidates)} />;
            })}
        </g>
        {chosen.length === 0 &&
          shown.map((mark) => {
            const move = moves.find((candidate) => candidate.move === mark.move);
            const [from, to] = move?.squares ?? [];
            if (from === undefined) return null;
            const strong = props.shown !== null;
            return to === undefined || move?.squares.length === 1 ? (
              <Ring key={mark.move} at={shape.place(from)} radius={40} value={mark.value} strong={strong} />
            ) : (
              <Arrow key={mark.move} from={shape.place(from)} to={shape.place(to)} value={mark.value} strong={strong} />
            );
          })}
        {places.map((place, square) => (
          <g
            key={place.id}
            class="place"
            role="button"
            data-place={place.id}
            tabindex={square === current ? 0 : -1}
            aria-label={label(square)}
            aria-pressed={chosen.includes(square)}
            onKeyDown={(event) => onKeyDown(event, square)}
            onFocus={() => setCurrent(square)}
            onClick={(event) => {
              if (event.detail === 0) tap(square); // screen readers; pointers are handled as taps
            }}
          >
            <rect class={nexts.has(square) ? "hit active" : "hit"} x={place.x - reach} y={place.y - reach} width={2 * reach} height={2 * reach} rx="10" />
          </g>
        ))}
        {drag && (
          <g class="dragged" transform={`translate(${drag.at.x} ${drag.at.y})`} aria-hidden="true">
            <PieceArt kind={board.kinds[(board.pieces[drag.what] ?? 0) - 1]} count={0} />
          </g>
        )}
      </svg>
      {open.length > 1 && (
        <div class="row wrap anygame-choices" role="group" aria-label={text.which}>
          {open.map((move) => (
            <button key={move.move} type="button" onClick={() => play(move)}>
              {move.choice ?? move.move}
            </button>
          ))}
        </div>
      )}
    </>
  );
}
