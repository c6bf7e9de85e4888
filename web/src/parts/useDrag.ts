// SPDX-License-Identifier: MIT
//
// Dragging on an SVG with mouse, finger or pen. A press that does not move is a tap. Coordinates are those of the
// drawing.
import { useRef, useState } from "preact/hooks";

export interface Spot {
  readonly x: number;
  readonly y: number;
}

export interface Drag<T> {
  readonly what: T;
  readonly at: Spot;
}

interface DragCalls<T> {
  /** What lies under the pointer, if it can be dragged. */
  readonly pick: (at: Spot) => T | null;
  readonly onTap: (at: Spot) => void;
  readonly onStart?: (what: T) => void;
  readonly onDrop: (what: T, at: Spot) => void;
}

/** Pixels on the screen that a finger may tremble. */
const slack = 6;

export function spotOf(svg: SVGSVGElement, event: { readonly clientX: number; readonly clientY: number }): Spot {
  const matrix = svg.getScreenCTM();
  if (!matrix) return { x: 0, y: 0 };
  const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse());
  return { x: point.x, y: point.y };
}

export function useDrag<T>(calls: DragCalls<T>) {
  const [drag, setDrag] = useState<Drag<T> | null>(null);
  const pressed = useRef<{ what: T | null; x: number; y: number; moved: boolean } | null>(null);

  const down = (event: PointerEvent) => {
    if (event.button !== 0 || !event.isPrimary) return;
    const svg = event.currentTarget as SVGSVGElement;
    const what = calls.pick(spotOf(svg, event));
    pressed.current = { what, x: event.clientX, y: event.clientY, moved: false };
    if (what !== null) svg.setPointerCapture(event.pointerId);
  };
  const move = (event: PointerEvent) => {
    const press = pressed.current;
    if (!press || !event.isPrimary) return;
    if (!press.moved && Math.hypot(event.clientX - press.x, event.clientY - press.y) < slack) return;
    const first = !press.moved;
    press.moved = true;
    if (press.what === null) return;
    if (first) calls.onStart?.(press.what);
    setDrag({ what: press.what, at: spotOf(event.currentTarget as SVGSVGElement, event) });
  };
  const up = (event: PointerEvent) => {
    const press = pressed.current;
    if (!press || !event.isPrimary) return;
    pressed.current = null;
    setDrag(null);
    const at = spotOf(event.currentTarget as SVGSVGElement, event);
    if (!press.moved) calls.onTap(at);
    else if (press.what !== null) calls.onDrop(press.what, at);
  };
  const cancel = () => {
    pressed.current = null;
    setDrag(null);
  };
  const touch = (event: TouchEvent) => {
    // A finger on something that can be dragged must not scroll the page; elsewhere on the board it may. (touch-action
    // would say it more simply, but browsers don't follow it inside a drawing.)
    if (pressed.current !== null && pressed.current.what !== null && event.cancelable) event.preventDefault();
  };
  return {
    drag,
    handlers: {
      onTouchStart: touch,
      onPointerDown: down,
      onPointerMove: move,
      onPointerUp: up,
      onPointerCancel: cancel,
    },
  };
}
