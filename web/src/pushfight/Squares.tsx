// SPDX-License-Identifier: MIT
//
// What is pressed: a button for each square, one of them in the tab order. Arrow keys go from square to square.
import type { RefObject } from "preact";
import { placeTowards } from "../parts/roving";
import type { Geometry } from "./geometry";

interface SquaresProps {
  readonly place: Geometry;
  readonly svg: RefObject<SVGSVGElement>;
  /** The square in the tab order. */
  readonly current: number;
  readonly setCurrent: (square: number) => void;
  readonly label: (square: number) => string;
  readonly pressed?: (square: number) => boolean;
  /** "start": a piece there can be taken up; "target": something can go there; "": nothing happens. */
  readonly use: (square: number) => "start" | "target" | "";
  readonly choose: (square: number) => void;
  /** Keys that the board has a use for; true: handled. */
  readonly onKey?: (event: KeyboardEvent, square: number) => boolean;
}

export function Squares({ place, svg, current, setCurrent, label, pressed, use, choose, onKey }: SquaresProps) {
  const { shape } = place;
  const places = shape.squares.map((_, square) => ({ id: String(square), ...place.centre(square) }));
  const onKeyDown = (event: KeyboardEvent, square: number) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (!onKey?.(event, square)) {
      if (event.key === "Enter" || event.key === " ") choose(square);
      else {
        const next = placeTowards(places, String(square), event.key);
        if (next === null) return;
        setCurrent(Number(next));
        svg.current?.querySelector<SVGElement>(`[data-place="${next}"]`)?.focus();
      }
    }
    event.preventDefault();
    event.stopPropagation();
  };
  const tabbed = current < places.length ? current : 0;
  return (
    <>
      {places.map(({ x, y }, square) => (
        <g
          key={square}
          class="place"
          role="button"
          data-place={square}
          tabindex={square === tabbed ? 0 : -1}
          aria-label={label(square)}
          aria-pressed={pressed?.(square)}
          onKeyDown={(event) => onKeyDown(event, square)}
          onFocus={() => setCurrent(square)}
          onClick={(event) => {
            // Clicks of a pointer are handled as taps; this is for screen readers, whose clicks have no pointer.
            if (event.detail === 0) choose(square);
          }}
        >
          <rect class={use(square) === "" ? "hit" : `hit active ${use(square)}`} x={x - 48} y={y - 48} width="96" height="96" rx="10" />
        </g>
      ))}
    </>
  );
}
