// SPDX-License-Identifier: MIT
//
// The board that is played on: by click, drag, touch or keyboard. A piece is chosen, then an empty square to move it to
// or a neighbour to push; the push ends the turn.
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { BoardProps } from "../games/view";
import { Target } from "../parts/arrows";
import { useDrag } from "../parts/useDrag";
import { useEarly } from "../parts/useEarly";
import { announce } from "../state/actions";
import { afterMoves, pieceAt, readTurn, type Step } from "./arrangement";
import { BoardArt } from "./BoardArt";
import { geometry, type Geometry } from "./geometry";
import { Piece } from "./Piece";
import { Pieces } from "./Pieces";
import type { Shape } from "./shape";
import { boardOf } from "./shapes";
import { pieceName } from "./speech";
import { Squares } from "./Squares";
import { words } from "./texts";
import { PushArrow, TurnArrows } from "./TurnArrows";
import { turnAdvice, TurnBar } from "./TurnBar";
import { TurnIndex } from "./turns";

export function Board(props: BoardProps) {
  const board = boardOf(props.rules);
  if (!board || board.shape.squares.length !== props.position.length) return <svg class="board pushfight" viewBox="0 0 896 548" aria-hidden="true" />;
  return <PlayBoard {...props} shape={board.shape} />;
}

const directions: Readonly<Record<string, readonly [number, number]>> = {
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
};

function PlayBoard(props: BoardProps & { readonly shape: Shape }) {
  const { shape, position, legal, flipped, language, onMove } = props;
  const text = words(language);
  const place = useMemo(() => geometry(shape, flipped), [shape, flipped]);
  const index = useMemo(() => new TurnIndex(shape, position, legal), [shape, position, legal]);
  const [building, setBuilding] = useState<{ readonly index: TurnIndex; readonly moves: readonly Step[] }>({ index, moves: [] });
  const [chosen, setChosen] = useState<number | null>(null);
  const [current, setCurrent] = useState(() => firstSquare(shape));
  const [settled, setSettled] = useState<number | null>(null);
  const svg = useRef<SVGSVGElement>(null);
  useEffect(() => setChosen(null), [index]);

  // Moves of another position are no moves of this one.
  const moves = building.index === index ? building.moves : [];
  const arrangement = afterMoves(position, moves);
  const offers = index.offers(moves);
  const playable = legal.length > 0;
  const moveTargets = chosen === null ? [] : (offers.moves.get(chosen) ?? []);
  const pushTargets = chosen === null ? [] : (offers.pushes.get(chosen) ?? []);
  const canStart = (square: number) => offers.moves.has(square) || offers.pushes.has(square);
  const nameOf = (square: number) => shape.squares[square]?.name ?? "";

  const setMoves = (made: readonly Step[], spoken: string) => {
    setChosen(null);
    setBuilding({ index, moves: made });
    announce(`${spoken} ${turnAdvice(made, index.offers(made), language)}`);
  };
  const takeBack = () => setMoves(moves.slice(0, -1), text.tookBack);

  /** Says whether there is such a step. */
  const make = (step: Step): boolean => {
    if (offers.moves.get(step.from)?.includes(step.to)) {
      const piece = pieceAt(arrangement, step.from);
      setMoves([...moves, step], text.moved(piece ? pieceName(piece, language) : "", nameOf(step.from), nameOf(step.to)));
      setCurrent(step.to);
      return true;
    }
    if (!offers.pushes.get(step.from)?.includes(step.to)) return false;
    const turn = index.turn(moves, step);
    if (turn === null) return false;
    setChosen(null);
    onMove(turn);
    return true;
  };

  const choose = useEarly(props.awaited ?? false, position, (square: number) => {
    setSettled(null);
    if (chosen !== null && make({ from: chosen, to: square })) return;
    setChosen(square !== chosen && canStart(square) ? square : null);
  });

  const { drag, handlers } = useDrag<number>({
    pick: (spot) => {
      const square = place.squareAt(spot);
      return square >= 0 && canStart(square) ? square : null;
    },
    onTap: (spot) => {
      const square = place.squareAt(spot);
      if (square < 0) setChosen(null);
      else {
        setCurrent(square);
        choose(square);
      }
    },
    onStart: (square) => setChosen(square),
    onDrop: (from, spot) => {
      const to = place.squareAt(spot);
      setChosen(null);
      setSettled(arrangement[to] === "." ? to : null);
      if (to >= 0) make({ from, to });
    },
  });

  const onKey = (event: KeyboardEvent, square: number): boolean => {
    if (event.key === "Escape" || event.key === "Backspace" || event.key.toLowerCase() === "z") {
      if (chosen !== null) setChosen(null);
      else if (moves.length > 0) takeBack();
      else return false;
      return true;
    }
    const direction = directions[event.key];
    if (!event.shiftKey || !direction) return false;
    const from = chosen ?? square;
    const at = place.centre(from);
    const to = place.squareAt({ x: at.x + 100 * direction[0], y: at.y + 100 * direction[1] });
    if (to >= 0 && arrangement[to] !== ".") make({ from, to });
    return true;
  };

  const label = (square: number): string => {
    const piece = pieceAt(arrangement, square);
    const notes = [nameOf(square), piece ? pieceName(piece, language) : text.empty];
    if (moveTargets.includes(square)) notes.push(text.canGo);
    if (pushTargets.includes(square)) notes.push(text.canBePushed);
    if (offers.moves.has(square)) notes.push(text.canMove);
    if (offers.pushes.has(square)) notes.push(text.canPush);
    return notes.join(language === "ja" ? "、" : ", ");
  };

  useEffect(() => {
    // The list of turns shows what can still come of what has been made.
    props.onBegun?.(moves.length > 0 ? index.following(moves) : null);
    return () => props.onBegun?.(null);
  }, [index, moves.length, arrangement]);

  // A turn of the list is shown on the position that it begins in.
  const shownPosition = props.shown ? position : arrangement;
  const carried = drag ? pieceAt(arrangement, drag.what) : null;
  const quiet = chosen !== null || moves.length > 0;
  return (
    <div class="pushfight-play">
      <svg
        ref={svg}
        class={`board pushfight${playable ? " playable" : ""}`}
        viewBox={`0 0 ${place.width} ${place.height}`}
        role="group"
        aria-label={text.board}
        {...handlers}
      >
        <BoardArt place={place} />
        {props.last !== null && moves.length === 0 && <LastTurn place={place} turn={props.last} />}
        <g aria-hidden="true">
          {moves.map(({ from }, i) => (
            <Field key={i} place={place} square={from} name="left" />
          ))}
          {chosen !== null && <Field place={place} square={chosen} name="chosen" />}
        </g>
        <Pieces place={place} position={shownPosition} last={props.last} lifted={drag?.what ?? null} settled={settled} />
        <g aria-hidden="true">
          {moveTargets.map((square) => {
            const { x, y } = place.centre(square);
            return <circle key={square} class="target" cx={x} cy={y} r="14" />;
          })}
          {chosen !== null &&
            pushTargets.map((square) => {
              const worth = props.values.get(index.turn(moves, { from: chosen, to: square }) ?? "");
              const { x, y } = place.centre(square);
              return (
                <g key={square}>
                  <PushArrow from={place.centre(chosen)} to={place.centre(square)} />
                  {worth && worth.value !== "unknown" && <Target x={x} y={y} taking={false} worth={worth} />}
                </g>
              );
            })}
        </g>
        {(!quiet || props.shown !== null) && <TurnArrows place={place} position={position} marks={props.marks} shown={props.shown} />}
        <Squares
          place={place}
          svg={svg}
          current={current}
          setCurrent={setCurrent}
          label={label}
          pressed={(square) => square === chosen}
          use={(square) => (moveTargets.includes(square) || pushTargets.includes(square) ? "target" : canStart(square) ? "start" : "")}
          choose={choose}
          onKey={onKey}
        />
        {drag && carried && (
          <g class="dragged" transform={`translate(${drag.at.x} ${drag.at.y}) scale(1.08)`} aria-hidden="true">
            <Piece piece={carried} />
          </g>
        )}
      </svg>
      <TurnBar playable={playable} shape={shape} moves={moves} offers={offers} language={language} takeBack={takeBack} />
    </div>
  );
}

/** The square that Tab leads to at first: near the middle. */
function firstSquare(shape: Shape): number {
  return Math.floor(shape.squares.length / 2);
}

function Field({ place, square, name }: { readonly place: Geometry; readonly square: number; readonly name: string }) {
  const { x, y } = place.centre(square);
  return <rect class={`mark ${name}`} x={x - 47} y={y - 47} width="94" height="94" rx="9" />;
}

/** The squares of the turn that was played: where pieces were moved from and to, and the way of the push. */
function LastTurn({ place, turn }: { readonly place: Geometry; readonly turn: string }) {
  const steps = readTurn(place.shape, turn);
  if (!steps) return null;
  const squares = new Set([...steps.moves, steps.push].flatMap(({ from, to }) => [from, to]));
  return (
    <g aria-hidden="true">
      {[...squares].map((square) => (
        <Field key={square} place={place} square={square} name="last" />
      ))}
    </g>
  );
}
