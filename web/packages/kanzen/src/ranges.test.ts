// SPDX-License-Identifier: MIT
import { describe, expect, it } from "vitest";
import { rangesOf } from "./ranges.js";

describe("ranges", () => {
  it("are none for nothing", () => {
    expect(rangesOf([], 10, 100)).toEqual([]);
  });

  it("join neighbours, in whatever order they come, and bridge small gaps", () => {
    expect(rangesOf([7, 2, 1, 2, 4], 10, 100)).toEqual([
      { offset: 10, size: 40 },
      { offset: 70, size: 10 },
    ]);
  });

  it("end where the file ends", () => {
    expect(rangesOf([9, 8], 10, 95)).toEqual([{ offset: 80, size: 15 }]);
  });

  it("are not too long", () => {
    const ranges = rangesOf(Array.from({ length: 200 }, (_, page) => page), 10, 2000);
    expect(ranges.length).toBeGreaterThan(2);
    expect(ranges.reduce((sum, { size }) => sum + size, 0)).toBe(2000);
    let end = 0;
    for (const { offset, size } of ranges) {
      expect(offset).toBe(end);
      end = offset + size;
    }
  });
});
