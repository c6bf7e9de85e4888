// SPDX-License-Identifier: MIT
import { expect, it } from "vitest";
import { isHome, placer, withPlaced } from "./placing";
import { readShape } from "./shape";

/** Two rows of four squares. */
const shape = readShape("  abcd\n2 .... 2\n1 .... 1\n  abcd", { above: false, below: false });
const start = "Oo.xX...";

it("each side places on its own half, the first one first", () => {
  if (!shape) throw new Error("no shape");
  let position = ".".repeat(shape.squares.length);
  expect(placer(position, start)).toBe(0);
  const homes = [0, 1].map((side) => shape.squares.map((_, square) => isHome(shape, square, side as 0 | 1)));
  expect(homes[0]?.filter(Boolean).length).toBe(4);
  expect(homes[0]?.map((home) => !home)).toEqual(homes[1]);
  const red = shape.squares.findIndex((_, square) => homes[0]?.[square]);
  const blue = shape.squares.findIndex((_, square) => homes[1]?.[square]);
  expect(withPlaced(shape, position, start, blue, "pusher")).toBe(position);
  position = withPlaced(shape, position, start, red, "pusher");
  expect(position[red]).toBe("O");
  // There is one pusher only, and what was placed can be taken up again.
  expect(withPlaced(shape, position, start, red + 1, "pusher")).toBe(position);
  expect(withPlaced(shape, position, start, red, "mover")[red]).toBe(".");
  position = withPlaced(shape, position, start, red + 1, "mover");
  expect(placer(position, start)).toBe(1);
  position = withPlaced(shape, position, start, blue, "mover");
  position = withPlaced(shape, position, start, blue + 1, "pusher");
  expect(placer(position, start)).toBeNull();
});
