// SPDX-License-Identifier: MIT
import { describe, expect, it } from "vitest";
import { withHand, withMoved, withSide, withSquare } from "./editing";
import { format, parse, parseMove, squareName, squareNumber } from "./parse";

const start = "gle/1c1/1C1/ELG b - 1";

describe("reading positions for the drawing", () => {
  it("puts the pieces where docs/rules-dobutsu.md draws them", () => {
    const { squares, hands, toMove } = parse(start);
    expect(squares[0]).toEqual({ kind: "giraffe", side: 1 });
    expect(squares[1]).toEqual({ kind: "lion", side: 1 });
    expect(squares[squareNumber("2c")]).toEqual({ kind: "chick", side: 0 });
    expect(squares[squareNumber("3d")]).toEqual({ kind: "elephant", side: 0 });
    expect(squares.filter((piece) => piece !== null)).toHaveLength(8);
    expect(hands[0]).toEqual({ chick: 0, elephant: 0, giraffe: 0, lion: 0 });
    expect(toMove).toBe(0);
  });

  it("reads hens, hands with counts and who is to move", () => {
    const picture = parse("1l1/3/+C2/1L1 w 2GEce 7");
    expect(picture.squares[6]).toEqual({ kind: "hen", side: 0 });
    expect(picture.hands[0]).toEqual({ chick: 0, elephant: 1, giraffe: 2, lion: 0 });
    expect(picture.hands[1]).toEqual({ chick: 1, elephant: 1, giraffe: 0, lion: 0 });
    expect(picture.toMove).toBe(1);
  });

  it.each([start, "gl1/1e1/3/ELG b Cc 3", "1l1/3/+C2/1L1 w 2GEec 7", "3/3/3/3 b -", "+c2/1L1/3/G1g w Le2c 9"])(
    "writes %s as it was",
    (text) => {
      expect(format(parse(text))).toBe(text);
    },
  );

  it.each(["", "nonsense", "gle", "9999/////// x ?? 1", "gleg/1c1/1C1/ELG b - 1"])("draws something for %j", (text) => {
    expect(parse(text).squares).toHaveLength(12);
  });
});

describe("squares and moves", () => {
  it("names squares as shogi does", () => {
    expect([0, 2, 4, 9, 11].map(squareName)).toEqual(["3a", "1a", "2b", "3d", "1d"]);
    expect(squareNumber("4a")).toBe(-1);
    expect(squareNumber("2e")).toBe(-1);
    expect(squareNumber("")).toBe(-1);
  });

  it("takes moves apart", () => {
    expect(parseMove("2c2b")).toEqual({ from: 7, drop: null, to: 4, promotes: false });
    expect(parseMove("2b2a+")).toEqual({ from: 4, drop: null, to: 1, promotes: true });
    expect(parseMove("E*1c")).toEqual({ from: null, drop: "elephant", to: 8, promotes: false });
    expect(parseMove("pass")).toBeNull();
  });
});

describe("editing", () => {
  it("changes one thing at a time", () => {
    const picture = parse(start);
    expect(format(withSquare(picture, 4, null))).toBe("gle/3/1C1/ELG b - 1");
    expect(format(withMoved(picture, 7, 6))).toBe("gle/1c1/C2/ELG b - 1");
    expect(format(withMoved(picture, 7, 7))).toBe(start);
    expect(format(withHand(picture, 1, "chick", 1))).toBe("gle/1c1/1C1/ELG b c 1");
    expect(format(withHand(picture, 0, "giraffe", 5))).toBe("gle/1c1/1C1/ELG b 2G 1");
    expect(format(withHand(picture, 0, "giraffe", -1))).toBe(start);
    expect(format(withSide(picture, 1))).toBe("gle/1c1/1C1/ELG w -");
  });
});
