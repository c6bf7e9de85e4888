// SPDX-License-Identifier: MIT
import { describe, expect, it } from "vitest";
import { decodeScore, encodeScore, noScore, withResult } from "./score";

describe("the score", () => {
  it("counts what was solved, and rows of it", () => {
    const results = [true, true, false, true];
    expect(results.reduce(withResult, noScore)).toEqual({ solved: 3, tried: 4, streak: 1, best: 2 });
  });

  it("is kept as text", () => {
    const score = { solved: 3, tried: 4, streak: 1, best: 2 };
    expect(decodeScore(encodeScore(score))).toEqual(score);
  });

  it("is zero when the text makes no sense", () => {
    for (const text of [null, "", "1 2", "5 4 0 0", "1 1 2 1", "a b c d", "1 2 3 4 5", "-1 0 0 0"]) {
      expect(decodeScore(text)).toEqual(noScore);
    }
  });
});
