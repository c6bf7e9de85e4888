// SPDX-License-Identifier: MIT
import { expect, it } from "vitest";
import { type BoardAnswer, type BoardMove, Boards, choose } from "./boards";

const move = (name: string, squares: readonly number[], choice: string | null = null): BoardMove => ({ move: name, position: `after ${name}`, squares, choice });

it("one square plays a move that touches one", () => {
  expect(choose([move("a", [1]), move("b", [2])], [], 2).move?.move).toBe("b");
  expect(choose([move("a", [1])], [], 5)).toEqual({ chosen: [], move: null, open: [] });
});

it("a piece and then where it goes; another piece instead", () => {
  const moves = [move("a", [1, 2]), move("b", [1, 3]), move("c", [4, 3])];
  expect(choose(moves, [], 1).chosen).toEqual([1]);
  expect(choose(moves, [1], 3).move?.move).toBe("b");
  expect(choose(moves, [1], 4).chosen).toEqual([4]);
  expect(choose(moves, [1], 1).chosen).toEqual([]);
});

it("a man that is taken is the third square; the same square again means what is complete", () => {
  const moves = [move("a", [1, 2]), move("b", [1, 2, 9]), move("c", [1, 2, 8])];
  expect(choose(moves, [1], 2)).toMatchObject({ chosen: [1, 2], move: null });
  expect(choose(moves, [1, 2], 8).move?.move).toBe("c");
  expect(choose(moves, [1, 2], 2).move?.move).toBe("a");
});

it("moves with the same squares are asked about", () => {
  const moves = [move("a", [1, 2], "promote"), move("b", [1, 2], "stay")];
  const result = choose(moves, [1], 2);
  expect(result.move).toBeNull();
  expect(result.open.map(({ choice }) => choice)).toEqual(["promote", "stay"]);
});

it("boards are asked for once, and tell who moves", async () => {
  let asked = 0;
  const answer: BoardAnswer = {
    position: "p", mover: 1, sides: ["X", "O"], squares: [], kinds: [], lines: [], pieces: [], counts: [], moves: [move("a", [1])],
  };
  const boards = new Boards("game", () => {
    asked++;
    return Promise.resolve(answer);
  });
  expect(boards.board("rules", "p")).toBeNull();
  expect(boards.board("rules", "p")).toBeNull();
  await Promise.resolve();
  expect(boards.board("rules", "p")).toBe(answer);
  expect(asked).toBe(1);
  expect(boards.mover("p")).toBe(1);
  expect(boards.mover("after a")).toBe(0);
});
