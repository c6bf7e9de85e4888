// SPDX-License-Identifier: MIT
//
// turns.fixture.json: `legal` is the engine's list of a position (`kanzen moves pushfight --board B POSITION`). The rest
// was found without this code: every sequence of up to two moves and a push, from any square to any other, was given to
// the engine's reader of turns (kz_move_parse), which accepts any legal one and says for which listed turn it stands. `first`
// are the moves that an accepted one begins with, `pushes` those without a move, `ways` is how many were accepted, and
// `digest` the SHA-256 of the sorted lines "turn=listed turn".
import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { Step } from "./arrangement";
import { railsOf } from "./rails";
import { readShape, type Shape } from "./shape";
import fixtures from "./turns.fixture.json";
import { TurnIndex } from "./turns";

function shapeOf(diagram: string, board: string): Shape {
  const shape = readShape(diagram, railsOf(board));
  if (!shape) throw new Error("no board");
  return shape;
}

function textOf(shape: Shape, { from, to }: Step): string {
  return `${shape.squares[from]?.name}-${shape.squares[to]?.name}`;
}

function stepsOf(offered: ReadonlyMap<number, readonly number[]>): readonly Step[] {
  return [...offered].flatMap(([from, targets]) => targets.map((to) => ({ from, to })));
}

/** All that can be built, as lines "turn=listed turn". */
function everything(shape: Shape, index: TurnIndex, moves: readonly Step[] = []): string[] {
  const offers = index.offers(moves);
  const before = moves.map((move) => `${textOf(shape, move)},`).join("");
  return [
    ...stepsOf(offers.pushes).map((push) => `${before}${textOf(shape, push)}=${index.turn(moves, push)}`),
    ...stepsOf(offers.moves).flatMap((move) => everything(shape, index, [...moves, move])),
  ];
}

describe.each(fixtures)("$board $position", ({ board, diagram, position, legal, first, pushes, ways, digest }) => {
  const shape = shapeOf(diagram, board);
  const index = new TurnIndex(shape, position, legal.split(" "));

  it("offers the steps that legal turns begin with", () => {
    const offers = index.offers([]);
    expect(stepsOf(offers.moves).map((step) => textOf(shape, step)).sort().join(" ")).toBe(first);
    expect(stepsOf(offers.pushes).map((step) => textOf(shape, step)).sort().join(" ")).toBe(pushes);
  });

  it("builds every legal turn in every way, and nothing else", () => {
    const lines = everything(shape, index).sort();
    expect(lines.length).toBe(ways);
    expect(createHash("sha256").update(lines.join("\n")).digest("hex")).toBe(digest);
  });
});

describe("the start of the mini board", () => {
  //   abcdef
  // 3  .ox.  3   Red's pieces on the left: b2 can go to a2, b1 and b3, the movers on c3 and c1 to the corners beside them, and
  // 2 .OOXX. 2   c2 is shut in.
  // 1  .ox.  1
  const { board, diagram, position, legal } = fixtures[0] ?? { board: "", diagram: "", position: "", legal: "" };
  const shape = shapeOf(diagram, board);
  const listed = legal.split(" ");
  const index = new TurnIndex(shape, position, listed);
  const step = (text: string): Step => {
    const [from = "", to = ""] = text.split("-");
    return { from: shape.numberOf(from), to: shape.numberOf(to) };
  };
  const turn = (text: string) => {
    const steps = text.split(",").map(step);
    const push = steps.pop();
    return push ? index.turn(steps, push) : null;
  };
  const names = (squares: readonly number[] | undefined) => squares?.map((square) => shape.squares[square]?.name).sort();

  it("knows where pieces can go", () => {
    const { moves, pushes } = index.offers([]);
    expect(names([...moves.keys()])).toEqual(["b2", "c1", "c3"]);
    expect(names(moves.get(shape.numberOf("b2")))).toEqual(["a2", "b1", "b3"]);
    expect(names(moves.get(shape.numberOf("c3")))).toEqual(["b3"]);
    // c2 would push the movers against the railings.
    expect(names(pushes.get(shape.numberOf("c2")))).toEqual(["b2", "d2"]);
    expect(names(pushes.get(shape.numberOf("b2")))).toEqual(["c2"]);
  });

  it("takes moves in either order", () => {
    const one = turn("c3-b3,c1-b1,b2-c2");
    expect(one).not.toBeNull();
    expect(turn("c1-b1,c3-b3,b2-c2")).toBe(one);
    expect(listed).toContain(one);
  });

  it("takes two moves of one piece for one move, and a move and back for none", () => {
    expect(turn("b2-b3,b3-a2,c2-d2")).toBe("b2-a2,c2-d2");
    expect(turn("b2-a2,a2-b2,c2-d2")).toBe("c2-d2");
  });

  it("opens the way for other pieces when one has moved", () => {
    const { moves } = index.offers([step("b2-a2")]);
    expect(names(moves.get(shape.numberOf("c3")))).toEqual(["b1", "b2", "b3"]);
  });

  it("offers no third move", () => {
    const { moves, pushes } = index.offers([step("b2-a2"), step("c3-b2")]);
    expect(moves.size).toBe(0);
    expect(names(pushes.get(shape.numberOf("a2")))).toEqual(["b2"]);
  });

  it("offers nothing without a list", () => {
    const { moves, pushes } = new TurnIndex(shape, position, []).offers([]);
    expect(moves.size + pushes.size).toBe(0);
  });
});
