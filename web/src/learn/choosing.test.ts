// SPDX-License-Identifier: MIT
import { describe, expect, it } from "vitest";
import { formatPath, lengthsOf, nextNumber, ofLength, parsePath } from "./choosing";

const puzzles = [
  { position: "a", distance: 3, move: "x" },
  { position: "b", distance: 1, move: "y" },
  { position: "c", distance: 3, move: "z" },
];

describe("the address of a puzzle", () => {
  it("is read and written", () => {
    for (const path of ["dobutsu/official", "dobutsu/official/7", "dobutsu/official/7/2", "pushfight/mini/any/40"]) {
      expect(formatPath(parsePath(path))).toBe(path);
    }
    expect(parsePath("dobutsu/official/7/2")).toEqual({ game: "dobutsu", rules: "official", length: 7, number: 1 });
  });

  it("may be incomplete or wrong", () => {
    expect(parsePath("")).toEqual({ game: "", rules: "", length: null, number: null });
    expect(parsePath("dobutsu/official/x/0")).toEqual({ game: "dobutsu", rules: "official", length: null, number: null });
  });
});

describe("lengths", () => {
  it("are sorted, each once", () => {
    expect(lengthsOf(puzzles)).toEqual([1, 3]);
    expect(ofLength(puzzles, 3).map((puzzle) => puzzle.position)).toEqual(["a", "c"]);
    expect(ofLength(puzzles, null)).toHaveLength(3);
  });
});

describe("the next puzzle", () => {
  it("is one that was not seen yet", () => {
    expect(nextNumber(3, new Set([0, 2]), 0, 0.99)).toBe(1);
  });

  it("is any but the last one when all were seen", () => {
    const all = new Set([0, 1, 2]);
    expect([0, 0.3, 0.6, 0.999].map((random) => nextNumber(3, all, 1, random))).toEqual([0, 0, 2, 2]);
  });

  it("may be the same one, or none", () => {
    expect(nextNumber(1, new Set([0]), 0, 0.5)).toBe(0);
    expect(nextNumber(0, new Set(), null, 0.5)).toBeNull();
  });
});
