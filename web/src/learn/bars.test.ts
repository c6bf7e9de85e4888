// SPDX-License-Identifier: MIT
import { describe, expect, it } from "vitest";
import { picture, powerText } from "./bars";

const frame = { left: 0, right: 100, top: 0, bottom: 100, middle: 50 };

describe("the histogram", () => {
  it("has wins above the middle and losses below, in the frame", () => {
    const rows = [
      { distance: 0, wins: 0, losses: 1 },
      { distance: 1, wins: 100000, losses: 0 },
      { distance: 4, wins: 10, losses: 1000 },
    ];
    const { bars, up, down } = picture(rows, frame);
    expect(bars.map((bar) => [bar.kind, bar.distance])).toEqual([
      ["loss", 0],
      ["win", 1],
      ["win", 4],
      ["loss", 4],
    ]);
    for (const bar of bars) {
      expect(bar.height).toBeGreaterThan(1);
      expect(bar.x).toBeGreaterThanOrEqual(0);
      expect(bar.x + bar.width).toBeLessThanOrEqual(100);
      expect(bar.kind === "win" ? bar.y + bar.height : bar.y).toBeCloseTo(50);
      expect(bar.y).toBeGreaterThanOrEqual(-1e-9);
      expect(bar.y + bar.height).toBeLessThanOrEqual(100 + 1e-9);
    }
    expect(up.map((tick) => tick.value)).toEqual([1, 10, 100, 1000, 10000, 100000]);
    expect(up.at(-1)?.at).toBeCloseTo(0);
    expect(down.at(-1)?.at).toBeCloseTo(100);
  });

  it("is logarithmic", () => {
    const [one, ten, hundred] = picture([1, 10, 100].map((wins, distance) => ({ distance, wins, losses: 0 })), frame).bars;
    if (!one || !ten || !hundred) throw new Error("bars are missing");
    expect(hundred.height - ten.height).toBeCloseTo(ten.height - one.height);
  });

  it("labels distances sparsely", () => {
    const rows = Array.from({ length: 174 }, (_, distance) => ({ distance, wins: 1, losses: 0 }));
    expect(picture(rows, frame).across.map((tick) => tick.value)).toEqual([0, 20, 40, 60, 80, 100, 120, 140, 160]);
  });

  it("can be empty", () => {
    expect(picture([], frame).bars).toEqual([]);
  });
});

describe("powers of ten", () => {
  it("are written short", () => {
    expect([1, 1000, 1e4, 1e8, 1e10].map(powerText)).toEqual(["1", "1000", "10⁴", "10⁸", "10¹⁰"]);
  });
});
