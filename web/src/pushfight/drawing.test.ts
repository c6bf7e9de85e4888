// SPDX-License-Identifier: MIT
import { describe, expect, it } from "vitest";
import { afterTurn, readTurn, sideToMove } from "./arrangement";
import { countOf, withAnchor, withMoved, withPiece, withSide, withoutAnchor } from "./editing";
import { geometry } from "./geometry";
import { follow } from "./motion";
import { railed, readShape, type Shape } from "./shape";
import { turnSpeech, turnText } from "./speech";
import { wayTo } from "./ways";

function board(...lines: readonly string[]): Shape {
  const shape = readShape(lines.join("\n"), { above: true, below: true });
  if (!shape) throw new Error("no board");
  return shape;
}

const standard = board("  abcdefgh", "4   .ox..  4", "3 ..OOX... 3", "2 ...OXX.. 2", "1  ..ox.   1", "  abcdefgh");
const mini = board("  abcdef", "3  .ox.  3", "2 .OOXX. 2", "1  .ox.  1", "  abcdef");
const square = (shape: Shape, name: string) => shape.numberOf(name);

describe("the shape of a board", () => {
  it("is read from a diagram", () => {
    expect([standard.columns, standard.rows, standard.squares.length]).toEqual([8, 4, 26]);
    expect(standard.squares[0]).toEqual({ name: "c4", column: 2, row: 0 });
    expect(standard.squares[25]?.name).toBe("f1");
    expect(standard.numberOf("a4")).toBe(-1);
    expect(standard.at(0, 0)).toBe(-1);
  });
  it("is nothing for other texts", () => expect(readShape("", { above: true, below: true })).toBeNull());
  it("has railings above and below only", () => {
    expect(railed(mini, square(mini, "c2"), square(mini, "c3"))).toBe(true);
    expect(railed(mini, square(mini, "c3"), square(mini, "b3"))).toBe(false);
    expect(railed(mini, square(mini, "b2"), square(mini, "a2"))).toBe(false);
  });
  it("is turned as a whole", () => {
    const place = geometry(standard, false);
    const turned = geometry(standard, true);
    for (const name of ["c4", "a3", "h2", "f1"]) {
      const here = place.centre(square(standard, name));
      const there = turned.centre(square(standard, name));
      expect(there).toEqual({ x: place.width - here.x, y: place.height - here.y });
      expect(turned.squareAt(there)).toBe(square(standard, name));
    }
    expect(place.squareAt({ x: 1, y: 1 })).toBe(-1);
  });
});

describe("a turn on the board", () => {
  const after = (shape: Shape, position: string, text: string) => {
    const turn = readTurn(shape, text);
    return turn && afterTurn(shape, position, turn);
  };
  // What `kanzen moves pushfight --board mini` says these turns lead to.
  it("leads where the engine says", () => {
    expect(after(mini, ".ox..OOXX..ox.", "b2-c2")).toBe(".ox...POXX.ox.");
    expect(after(mini, ".ox..OOXX..ox.", "b2-a2,c3-b2,a2-b2")).toBe("..x..PoOXX.ox.");
    expect(after(mini, ".ox..OOXX..ox.", "b2-b3,b3-c3")).toBe(".Pox..OXX..ox.");
  });
  it("takes a piece off the board and the anchor off its piece", () => {
    expect(after(mini, ".ox.O..YOX.ox.", "e2-f2")).toBe(".ox.O..X.P.ox.");
  });
  it("is nothing if a square is not on the board", () => expect(readTurn(mini, "a1-b1")).toBeNull());
  it("goes around pieces", () => {
    const way = wayTo(mini, ".ox.O.OXX..ox.", square(mini, "c3"), square(mini, "b1"));
    expect(way.map((number) => mini.squares[number]?.name)).toEqual(["c3", "b3", "b2", "b1"]);
  });
  it("tells who moves", () => {
    expect(sideToMove(".ox...POXX.ox.")).toBe(1);
    expect(sideToMove(".ox..OOXX..ox.")).toBe(0);
    expect(sideToMove(".ox.O..YOX.ox.")).toBe(0);
  });
});

describe("pieces that slide", () => {
  const start = follow(mini, null, ".ox..OOXX..ox.", null);
  const at = (tracked: { tracks: readonly (number | null)[] }, name: string) => tracked.tracks[square(mini, name)];
  it("keep their numbers in a push", () => {
    const next = follow(mini, start, ".ox...POXX.ox.", "b2-c2");
    expect(at(next, "c2")).toBe(at(start, "b2"));
    expect(at(next, "d2")).toBe(at(start, "c2"));
    expect(at(next, "e2")).toBe(at(start, "d2"));
    expect(at(next, "f2")).toBe(at(start, "e2"));
    expect(at(next, "b2")).toBeNull();
  });
  it("keep them in a push whose turn is written otherwise", () => {
    const moved = follow(mini, start, ".ox.O.OXX..ox.", null);
    expect(at(moved, "a2")).toBe(at(start, "b2"));
    const next = follow(mini, moved, ".ox.O..PXX.ox.", null);
    expect(at(next, "d2")).toBe(at(start, "c2"));
    expect(at(next, "e2")).toBe(at(start, "d2"));
  });
  it("keep them when a turn is played at once", () => {
    const next = follow(mini, start, "..x..PoOXX.ox.", "b2-a2,c3-b2,a2-b2");
    expect(at(next, "b2")).toBe(at(start, "b2"));
    expect(at(next, "c2")).toBe(at(start, "c3"));
    expect(at(next, "d2")).toBe(at(start, "c2"));
  });
  it("have different numbers after any jump", () => {
    const next = follow(mini, start, "xO.XoO..xY..o.", null);
    const numbers = next.tracks.filter((number) => number !== null);
    expect(new Set(numbers).size).toBe(8);
  });
});

describe("speech", () => {
  it("is short in lists", () => expect(turnText("b2-a2,c2-d2")).toBe("b2–a2, c2⇒d2"));
  it("says who is pushed", () => {
    expect(turnSpeech(mini, "b2-a2,c3-b2,a2-b2", ".ox..OOXX..ox.", "en")).toBe(
      "pusher from b2 to a2, then mover from c3 to b2, then pusher on a2 pushes own mover on b2, own pusher on c2, Blue pusher on d2 and Blue pusher on e2",
    );
    expect(turnSpeech(mini, "c2-d2", ".ox..OOXX..ox.", "ja")).toBe("c2の四角駒でd2の青の四角駒とe2の青の四角駒を押す");
  });
  it("says who falls", () => {
    expect(turnSpeech(mini, "e2-f2", ".ox.O..YOX.ox.", "en")).toBe("pusher on e2 pushes Blue pusher on f2; Blue pusher falls off the board");
    expect(turnSpeech(mini, "e2-f2", ".ox.O..YOX.ox.", "ja")).toContain("青の四角駒が盤から落ちる");
  });
  it("does without a board that fits", () => expect(turnSpeech(mini, "e2-f2", "..", "en")).toBe("e2⇒f2"));
});

describe("editing", () => {
  it("has one anchor at most", () => {
    expect(withAnchor(".ox..OOXX..ox.", 7)).toBe(".ox..OOYX..ox.");
    expect(withAnchor(".ox..OOYX..ox.", 8)).toBe(".ox..OOXY..ox.");
    expect(withAnchor(".ox..OOXY..ox.", 8)).toBe(".ox..OOXX..ox.");
    expect(withAnchor(".ox..OOXY..ox.", 5)).toBe(".ox..POXX..ox.");
    expect(withAnchor(".ox..OOXY..ox.", 1)).toBe(".ox..OOXY..ox.");
    expect(withoutAnchor(".ox..POXX..ox.")).toBe(".ox..OOXX..ox.");
  });
  it("gives the anchor to the other side when a side is to move", () => {
    expect(sideToMove(withSide(".ox..OOXX..ox.", 1))).toBe(1);
    expect(withSide(".ox..OOXX..ox.", 0)).toBe(".ox..OOYX..ox.");
    expect(withSide(".ox..OOXY..ox.", 0)).toBe(".ox..OOXY..ox.");
    expect(withSide(".ox..OOXY..ox.", 1)).toBe(".ox..POXX..ox.");
    expect(withSide("..............", 1)).toBe("..............");
  });
  it("puts, moves and counts pieces", () => {
    expect(withPiece("....", 2, { kind: "mover", side: 1, anchored: false })).toBe("..x.");
    expect(withPiece("..x.", 2, null)).toBe("....");
    expect(withMoved("O.x.", 0, 2)).toBe("..O.");
    expect(withMoved("O.x.", 0, 0)).toBe("O.x.");
    expect(countOf(".ox..POXX..ox.", "pusher", 0)).toBe(2);
    expect(countOf(".ox..POXX..ox.", "mover", 1)).toBe(2);
  });
});
