// SPDX-License-Identifier: MIT
import { describe, expect, it } from "vitest";
import { parseCollections, parseGallery, parsePuzzles } from "./collections";

describe("collections", () => {
  it("lists what is complete", () => {
    const entry = { game: "dobutsu", rules: "official", puzzles: "p.json", gallery: "g.json", numbers: "n.json" };
    expect(parseCollections({ collections: [entry, { game: "x" }, null, 3] })).toEqual([entry]);
  });

  it("survives anything", () => {
    for (const value of [null, undefined, "", 3, [], {}, { collections: {} }, { puzzles: 1, positions: "x" }]) {
      expect(parseCollections(value)).toEqual([]);
      expect(parsePuzzles(value).puzzles).toEqual([]);
      expect(parseGallery(value).positions).toEqual([]);
    }
  });

  it("reads puzzles and galleries with their unit", () => {
    const puzzle = { position: "a", distance: 3, plies: 3, move: "b" };
    expect(parsePuzzles({ unit: "plies", puzzles: [puzzle, { position: "a" }] })).toEqual({ unit: "plies", puzzles: [puzzle] });
    const entry = { position: "a", value: "win", distance: 9, plies: 17, best: "b" };
    expect(parseGallery({ unit: "turns", positions: [entry] })).toEqual({ unit: "turns", positions: [entry] });
  });
});
