// SPDX-License-Identifier: MIT
import { describe, expect, it } from "vitest";
import { positionAt, type GameRecord } from "./record";

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
});
