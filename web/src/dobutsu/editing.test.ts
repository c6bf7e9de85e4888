// SPDX-License-Identifier: MIT
import { describe, expect, it } from "vitest";
import { shiftsOf, withTaken } from "./editing";
import { format, parse } from "./parse";

const start = "gle/1c1/1C1/ELG b - 1";

describe("the editor", () => {
  it("puts a piece that is dragged to a hand into that hand", () => {
    // 2c, sente's chick, is square 7.
    expect(format(withTaken(parse(start), 7, 1))).toBe("gle/1c1/3/ELG b c 1");
    expect(format(withTaken(parse("gl+C/3/3/ELG b E 1"), 2, 0))).toContain(" b EC ");
    // A lion stays.
    expect(format(withTaken(parse(start), 10, 0))).toBe(start);
  });

  it("lists where a piece could stand instead", () => {
    const shifts = shiftsOf(parse(start), 7);
    expect([...shifts.keys()]).toEqual([3, 5, 6, 7, 8]);
    expect(shifts.get(7)).toBe(start);
    expect(shifts.get(3)).toBe("gle/Cc1/3/ELG b - 1");
  });
});
