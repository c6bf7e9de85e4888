// SPDX-License-Identifier: MIT
//
// The board that is played on: by click, drag, touch or keyboard.
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { BoardProps, Side } from "../games/view";
import { moveWords } from "../i18n/values";
import { Target } from "../parts/arrows";
import { placeTowards, type Place } from "../parts/roving";
import { useDrag, type Spot } from "../parts/useDrag";
import { useEarly } from "../parts/useEarly";
import { useWide } from "../parts/useMedia";
import { Animal } from "./Animal";
import { BoardArt } from "./BoardArt";
import { geometry, squareAt, type Geometry } from "./geometry";
import { MoveArrows } from "./MoveArrows";
import { columns, handKinds, parse, parseMove, rows, squareNumber, type Picture } from "./parse";
import { handPlaces, Pieces } from "./Pieces";
import { pieceName, sideName, squareWord, words } from "./speech";

const sides: readonly Side[] = [0, 1];

interface Choice {
  /** The place that the piece comes from: "s4" a square, "h0chick" a hand. */
  readonly from: string;
  readonly to: number;
  readonly move: string;
}

function choicesOf(legal: readonly string[], mover: Side): readonly Choice[] {
  return legal.flatMap((move) => {
    const parts = parseMove(move);
    if (!parts) return [];
    return [{ from: parts.from !== null ? `s${parts.from}` : `h${mover}${parts.drop}`, to: parts.to, move }];
  });
}

function placesOf(shape: Geometry): readonly Place[] {
  const squares = Array.from({ length: columns * rows }, (_, square) => ({
    id: `s${square}`,
    ...shape.square(square),
  }));
  const hands = sides.flatMap((side) =>
    handKinds.map((kind, place) => ({ id: `h${side}${kind}`, ...shape.hand(side, place) })),
  );
  return [...squares, ...hands];
}

/** The move that was just played, unless the position changed in another way (a jump, a new game). */
function useArriving(
  position: string,
  picture: Picture,
  last: string | null,
  dragged: { current: string | null },
): string | null {
  const before = useRef<{ position: string; picture: Picture; arriving: string | null } | null>(null);
  const known = before.current;
  if (known?.position === position) return known.arriving;
  let arriving: string | null = null;
  const parts = last ? parseMove(last) : null;
  if (known && parts && last !== dragged.current) {
    const had =
      parts.from === null
        ? known.picture.hands[known.picture.toMove][parts.drop ?? "chick"] > 0
        : known.picture.squares[parts.from] !== null;
    const isNew = known.picture.squares[parts.to]?.side !== picture.squares[parts.to]?.side;
    if (had && isNew) arriving = last;
  }
  dragged.current = null;
  before.current = { position, picture, arriving };
  return arriving;
}

export function Board(props: BoardProps) {
  const { position, legal, flipped, language, onMove } = props;
  const text = words(language);
  const wide = useWide();
  const shape = useMemo(() => geometry(wide ? "wide" : "tall", flipped), [wide, flipped]);
  const picture = useMemo(() => parse(position), [position]);
  const choices = useMemo(() => choicesOf(legal, picture.toMove), [legal, picture]);
  const places = useMemo(() => placesOf(shape), [shape]);
  const [chosen, setChosen] = useState<string | null>(null);
  const [current, setCurrent] = useState(`s${squareNumber("2c")}`);
  const handReach = shape.handSize / 2 - 1;
  const svg = useRef<SVGSVGElement>(null);
  const dragged = useRef<string | null>(null);
  const arriving = useArriving(position, picture, props.last, dragged);

  useEffect(() => setChosen(null), [position, legal]);

  const canStart = (place: string) => choices.some((choice) => choice.from === place);
  const targets = new Map(choices.filter((choice) => choice.from === chosen).map((choice) => [choice.to, choice.move]));

  const choose = useEarly(props.awaited ?? false, position, (place: string) => {
    const move = place.startsWith("s") ? targets.get(Number(place.slice(1))) : undefined;
    if (move !== undefined) {
      setChosen(null);
      onMove(move);
    } else {
      if (chosen !== null && place !== chosen && !canStart(place) && place.startsWith("s")) refuse(chosen, Number(place.slice(1)));
      setChosen(place !== chosen && canStart(place) ? place : null);
    }
  });

  /** Says why a piece can't go there. */
  const refuse = (from: string, to: number) => {
    const piece = pieceAtPlace(picture, from);
    if (!piece || !props.onRefused) return;
    const there = picture.squares[to];
    if (from.startsWith("h")) props.onRefused(text.dropOnPiece);
    else if (there?.side === piece.side) props.onRefused(text.ownPiece);
    else props.onRefused(text.cantMove(pieceName(piece.kind, language)));
  };

  const placeAt = (spot: Spot): string | null => {
    const square = squareAt(shape, spot);
    if (square >= 0) return `s${square}`;
    const hand = places.find(
      (place) =>
        place.id.startsWith("h") && Math.abs(place.x - spot.x) <= handReach && Math.abs(place.y - spot.y) <= handReach,
    );
    return hand?.id ?? null;
  };

  const { drag, handlers } = useDrag<string>({
    pick: (spot) => {
      const place = placeAt(spot);
      return place !== null && canStart(place) ? place : null;
    },
    onTap: (spot) => {
      const place = placeAt(spot);
      if (place === null) setChosen(null);
      else {
        setCurrent(place);
        choose(place);
      }
    },
    onStart: (place) => setChosen(place),
    onDrop: (place, spot) => {
      setChosen(null);
      const to = squareAt(shape, spot);
      const choice = choices.find((candidate) => candidate.from === place && candidate.to === to);
      if (!choice) {
        if (to >= 0 && `s${to}` !== place) refuse(place, to);
        return;
      }
      dragged.current = choice.move;
      onMove(choice.move);
    },
  });

  const onKeyDown = (event: KeyboardEvent, place: string) => {
    if (event.key === "Enter" || event.key === " ") choose(place);
    else if (event.key === "Escape" && chosen !== null) setChosen(null);
    else {
      const next = placeTowards(places, place, event.key);
      if (next === null) return;
      setCurrent(next);
      svg.current?.querySelector<SVGElement>(`[data-place="${next}"]`)?.focus();
    }
    event.preventDefault();
    event.stopPropagation();
  };

  const label = (place: string): string => {
    const notes: string[] = [];
    if (place.startsWith("s")) {
      const square = Number(place.slice(1));
      const piece = picture.squares[square];
      notes.push(
        squareWord(square, language),
        piece ? `${sideName(piece.side, language)} ${pieceName(piece.kind, language)}` : text.empty,
      );
      const target = targets.get(square);
      const worth = target === undefined ? undefined : props.values.get(target);
      if (target !== undefined) notes.push(worth ? moveWords(worth, "plies", language) : text.canGo);
    } else {
      const side: Side = place[1] === "1" ? 1 : 0;
      const kind = handKinds.find((known) => place.endsWith(known)) ?? "chick";
      notes.push(sideName(side, language), text.inHand(pieceName(kind, language), picture.hands[side][kind]));
    }
    return notes.join(language === "ja" ? "、" : ", ");
  };

  const lastParts = props.last ? parseMove(props.last) : null;
  const dragPiece = drag ? pieceAtPlace(picture, drag.what) : null;

  return (
    <svg
      ref={svg}
      class={`board dobutsu${legal.length > 0 ? " playable" : ""}`}
      viewBox={`0 0 ${shape.width} ${shape.height}`}
      role="group"
      aria-label={text.board}
      {...handlers}
    >
      <BoardArt shape={shape} toMove={props.over ? null : picture.toMove} language={language} />
      {lastParts && (
        <g aria-hidden="true">
          {lastParts.from !== null && <Field shape={shape} square={lastParts.from} name="last" />}
          <Field shape={shape} square={lastParts.to} name="last" />
        </g>
      )}
      {chosen?.startsWith("s") && <Field shape={shape} square={Number(chosen.slice(1))} name="chosen" />}
      {chosen?.startsWith("h") && <HandField shape={shape} spot={places.find((place) => place.id === chosen)} />}
      <Pieces shape={shape} picture={picture} lifted={drag?.what ?? null} arriving={arriving} />
      <g aria-hidden="true">
        {[...targets.keys()].map((square) => {
          const { x, y } = shape.square(square);
          const worth = props.values.get(targets.get(square) ?? "");
          return <Target key={square} x={x} y={y} taking={picture.squares[square] !== null} worth={worth} />;
        })}
      </g>
      {chosen === null && <MoveArrows shape={shape} mover={picture.toMove} marks={props.marks} shown={props.shown} />}
      {places.map((place) => {
        const hand = place.id.startsWith("h");
        const reach = hand ? handReach : 49;
        return (
          <g
            key={place.id}
            class="place"
            role="button"
            data-place={place.id}
            tabindex={place.id === current ? 0 : -1}
            aria-label={label(place.id)}
            aria-pressed={place.id === chosen}
            onKeyDown={(event) => onKeyDown(event, place.id)}
            onFocus={() => setCurrent(place.id)}
            onClick={(event) => {
              // Clicks of a pointer are handled as taps; this is for screen readers, whose clicks have no pointer.
              if (event.detail === 0) choose(place.id);
            }}
          >
            <rect
              class={canStart(place.id) || (!hand && targets.has(Number(place.id.slice(1)))) ? "hit active" : "hit"}
              x={place.x - reach}
              y={place.y - reach}
              width={2 * reach}
              height={2 * reach}
              rx="10"
            />
          </g>
        );
      })}
      {drag && dragPiece && (
        <g class="dragged" transform={`translate(${drag.at.x} ${drag.at.y}) scale(1.08)`} aria-hidden="true">
          <Animal kind={dragPiece.kind} side={dragPiece.side} turned={shape.turned(dragPiece.side)} />
        </g>
      )}
    </svg>
  );
}

function pieceAtPlace(picture: Picture, place: string) {
  if (place.startsWith("s")) return picture.squares[Number(place.slice(1))] ?? null;
  const side: Side = place[1] === "1" ? 1 : 0;
  const found = handPlaces(picture.hands[side]).find(({ kind }) => place.endsWith(kind));
  return found ? { kind: found.kind, side } : null;
}

function Field({ shape, square, name }: { shape: Geometry; square: number; name: string }) {
  const { x, y } = shape.square(square);
  return <rect class={`mark ${name}`} x={x - 49} y={y - 49} width="98" height="98" rx="6" aria-hidden="true" />;
}

function HandField({ shape, spot }: { shape: Geometry; spot: Place | undefined }) {
  if (!spot) return null;
  const size = shape.handSize - 2;
  return (
    <rect
      class="mark chosen"
      x={spot.x - size / 2}
      y={spot.y - size / 2}
      width={size}
      height={size}
      rx="12"
      aria-hidden="true"
    />
  );
}
