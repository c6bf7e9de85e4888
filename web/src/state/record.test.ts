// SPDX-License-Identifier: MIT
import { describe, expect, it } from "vitest";
import { mostPlies, positionAt, withMove, type GameRecord } from "./record";

const record: GameRecord = {
  game: "dobutsu",
  rules: "official",
  start: "s",
  plies: [
    { move: "a", position: "pa" },
    { move: "b", position: "pb" },
  ],
};

describe("a record", () => {
  it("knows the position after each move", () => {
    expect([0, 1, 2].map((index) => positionAt(record, index))).toEqual(["s", "pa", "pb"]);
  });

  it("grows at its end", () => {
    expect(withMove(record, 2, { move: "c", position: "pc" }).plies.map((ply) => ply.move)).toEqual(["a", "b", "c"]);
  });

  it("drops what was taken back when another move is played", () => {
    expect(withMove(record, 1, { move: "x", position: "px" }).plies.map((ply) => ply.move)).toEqual(["a", "x"]);
  });

  it("keeps what was taken back when the same move is played again", () => {
    expect(withMove(record, 0, { move: "a", position: "pa" })).toBe(record);
  });

  it("does not grow without end", () => {
    const long = { ...record, plies: Array.from({ length: mostPlies }, () => ({ move: "a", position: "pa" })) };
    expect(withMove(long, mostPlies, { move: "z", position: "pz" })).toBe(long);
  });
});
