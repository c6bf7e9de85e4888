// SPDX-License-Identifier: MIT
import { expect, it } from "vitest";
import type { MoveAnswer } from "../engine/types";
import { bestMoves } from "./best";

const move = (name: string, value: MoveAnswer["value"], plies: number | null): MoveAnswer => ({
  move: name,
  position: "",
  value,
  distance: plies,
  plies,
});

it("takes all moves that are as good as the first", () => {
  const moves = [move("a", "loss", 78), move("b", "loss", 78), move("c", "loss", 76)];
  expect(bestMoves(moves).map((best) => best.move)).toEqual(["a", "b"]);
});

it("does not cover the board with arrows", () => {
  expect(bestMoves(Array.from({ length: 30 }, (_, number) => move(String(number), "draw", null)))).toHaveLength(5);
});

it("marks nothing where nothing is known", () => {
  expect(bestMoves([move("a", "unknown", null)])).toEqual([]);
  expect(bestMoves([])).toEqual([]);
});
