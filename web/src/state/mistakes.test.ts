// SPDX-License-Identifier: MIT
import { describe, expect, it } from "vitest";
import { judge, standing, type Worth } from "./mistakes";

const win = (plies: number): Worth => ({ value: "win", plies });
const loss = (plies: number): Worth => ({ value: "loss", plies });
const draw: Worth = { value: "draw", plies: null };
const unknown: Worth = { value: "unknown", plies: null };

describe("how good a move was", () => {
  it("is best when perfect play would have done the same", () => {
    expect(judge(win(75), loss(74)).quality).toBe("best");
    expect(judge(loss(78), win(77)).quality).toBe("best");
    expect(judge(draw, draw).quality).toBe("best");
    expect(judge(win(1), loss(0)).quality).toBe("best");
  });

  it("is slow when a win takes longer or a loss comes sooner", () => {
    expect(judge(win(75), loss(78))).toMatchObject({ quality: "slow", lost: 4 });
    expect(judge(loss(78), win(75))).toMatchObject({ quality: "slow", lost: 2 });
  });

  it("is a mistake when the result falls by one step, a blunder by two", () => {
    expect(judge(win(9), draw)).toMatchObject({ quality: "mistake", before: "win", after: "draw" });
    expect(judge(draw, win(30))).toMatchObject({ quality: "mistake", before: "draw", after: "loss" });
    expect(judge(win(9), win(29))).toMatchObject({ quality: "blunder", before: "win", after: "loss" });
  });

  it("is unclear where a value is missing", () => {
    expect(judge(null, draw).quality).toBe("unclear");
    expect(judge(win(3), null).quality).toBe("unclear");
    expect(judge(unknown, loss(2)).quality).toBe("unclear");
    expect(judge(win(3), unknown).quality).toBe("unclear");
  });
});

describe("how the game stands", () => {
  it("is the same for both sides with the sign changed", () => {
    expect(standing(win(5), true)).toBe(-(standing(win(5), false) ?? 0));
    expect(standing(loss(5), true)).toBe(standing(win(5), false));
  });

  it("grows as the end comes nearer and never looks like a draw", () => {
    expect(standing(draw, true)).toBe(0);
    expect(standing(win(0), true)).toBeCloseTo(1);
    expect(standing(win(10), true) ?? 0).toBeGreaterThan(standing(win(50), true) ?? 1);
    expect(standing(win(173), true) ?? 0).toBeGreaterThan(0.19);
    expect(standing(unknown, true)).toBeNull();
    expect(standing(null, true)).toBeNull();
  });
});
