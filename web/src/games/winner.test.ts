// SPDX-License-Identifier: MIT
import { expect, it } from "vitest";
import { winnerOf } from "./winner";

it("a verdict has a winner, whoever is to move", () => {
  const view = { sideToMove: (position: string) => (position === "sente" ? (0 as const) : (1 as const)) };
  expect(winnerOf({ value: "win", position: "sente" }, view)).toBe(0);
  expect(winnerOf({ value: "loss", position: "sente" }, view)).toBe(1);
  expect(winnerOf({ value: "win", position: "gote" }, view)).toBe(1);
  expect(winnerOf({ value: "loss", position: "gote" }, view)).toBe(0);
  expect(winnerOf({ value: "draw", position: "gote" }, view)).toBeNull();
  expect(winnerOf({ value: "unknown", position: "gote" }, view)).toBeNull();
});
