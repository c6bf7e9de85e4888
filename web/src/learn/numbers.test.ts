// SPDX-License-Identifier: MIT
import { describe, expect, it } from "vitest";
import { longest, numbersOfAnswer, numbersOfStats } from "./numbers";

const stats = {
  game: "pushfight",
  rules: "hook",
  positions: 100,
  wins: 60,
  losses: 30,
  draws: 10,
  longest_win: 2,
  table_bytes: 1234,
  sha256: "ab",
  distances: [
    { turns: 0, wins: 0, losses: 5 },
    { turns: 1, wins: 50, losses: 25 },
    { turns: 2, wins: 10, losses: 0 },
  ],
};

const answer = {
  game: "pushfight",
  rules: "hook",
  positions: 100,
  bytes: 1234,
  digest: "ab",
  counts: [
    { value: "loss", distance: 0, plies: 0, count: 5 },
    { value: "loss", distance: 1, plies: 2, count: 25 },
    { value: "draw", distance: null, plies: null, count: 10 },
    { value: "win", distance: 1, plies: 1, count: 50 },
    { value: "win", distance: 2, plies: 3, count: 10 },
  ],
} as const;

describe("numbers", () => {
  it("are the same from both sources", () => {
    const numbers = numbersOfStats(stats);
    expect(numbers).toEqual(numbersOfAnswer(answer, "turns"));
    expect(numbers).toMatchObject({ positions: 100, wins: 60, losses: 30, draws: 10, unit: "turns", bytes: 1234, digest: "ab" });
    expect(numbers && longest(numbers, "wins")).toEqual({ distance: 2, wins: 10, losses: 0 });
    expect(numbers && longest(numbers, "losses")?.distance).toBe(1);
  });

  it("are not made of anything else", () => {
    for (const value of [null, 3, "x", {}, { ...stats, draws: "many" }, { ...stats, distances: [{ turns: 1 }] }]) {
      expect(numbersOfStats(value)).toBeNull();
    }
  });
});
