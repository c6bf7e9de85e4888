// SPDX-License-Identifier: MIT
import { describe, expect, it } from "vitest";
import { placeTowards } from "../parts/roving";
import { geometry, squareAt } from "./geometry";
import { columns, handKinds, rows } from "./parse";

const squares = Array.from({ length: columns * rows }, (_, square) => square);

describe.each(["wide", "tall"] as const)("the %s drawing", (layout) => {
  it.each([false, true])("finds the square under each centre (flipped: %s)", (flipped) => {
    const shape = geometry(layout, flipped);
    expect(squares.map((square) => squareAt(shape, shape.square(square)))).toEqual(squares);
    expect(squareAt(shape, shape.hand(0, 0))).toBe(-1);
  });

  it("keeps hands inside the drawing", () => {
    for (const flipped of [false, true]) {
      const shape = geometry(layout, flipped);
      for (const side of [0, 1] as const) {
        const tray = shape.tray(side);
        expect(tray.x).toBeGreaterThanOrEqual(0);
        expect(tray.y).toBeGreaterThanOrEqual(0);
        expect(tray.x + tray.width).toBeLessThanOrEqual(shape.width);
        expect(tray.y + tray.height).toBeLessThanOrEqual(shape.height);
      }
    }
  });

  it("lets arrow keys reach every square and every place in the hands", () => {
    const shape = geometry(layout, false);
    const places = [
      ...squares.map((square) => ({ id: `s${square}`, ...shape.square(square) })),
      ...([0, 1] as const).flatMap((side) =>
        handKinds.map((kind, place) => ({ id: `h${side}${kind}`, ...shape.hand(side, place) })),
      ),
    ];
    const seen = new Set(["s7"]);
    for (const id of seen) {
      for (const key of ["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight"]) {
        const next = placeTowards(places, id, key);
        if (next !== null) seen.add(next);
      }
    }
    expect(seen.size).toBe(places.length);
    expect(placeTowards(places, "s7", "ArrowUp")).toBe("s4");
    expect(placeTowards(places, "s7", "ArrowLeft")).toBe("s6");
    expect(placeTowards(places, "s7", "a")).toBeNull();
  });
});
