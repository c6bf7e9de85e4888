// SPDX-License-Identifier: MIT
import { expect, it } from "vitest";
import type { PositionAnswer } from "../engine/types";
import type { Outcome, Side } from "../games/view";
import { atStake, played } from "./accuracy";
import { judge } from "./mistakes";

/** A position of a side, with the values of its moves, best first. */
function position(side: Side, ...moves: readonly Outcome[]): PositionAnswer {
  const value = moves[0] ?? "loss";
  return { position: String(side), value, plies: 9, count: moves.length, moves: moves.map((move) => ({ value: move })) } as unknown as PositionAnswer;
}
const sideToMove = (text: string): Side => (text === "0" ? 0 : 1);

it("what is at stake is how far the worst move falls", () => {
  expect(atStake(position(0, "win", "draw", "loss"))).toBe(2);
  expect(atStake(position(0, "win", "draw"))).toBe(1);
  expect(atStake(position(0, "draw", "loss"))).toBe(1);
  expect(atStake(position(0, "loss", "loss"))).toBe(0);
  expect(atStake({ ...position(0, "unknown"), value: "unknown" })).toBeNull();
  expect(atStake({ ...position(0, "win", "win"), count: 900 })).toBe(2);
});

it("accuracy is the part of what was at stake that was kept", () => {
  // Side 0 throws a win away for a draw, side 1 keeps the draw, side 0 keeps it as well.
  const answers = [position(0, "win", "draw", "loss"), position(1, "draw", "loss"), position(0, "draw", "loss"), position(1, "draw")];
  const verdicts = answers.slice(0, 3).map((before, number) => judge(before, answers[number + 1] ?? null));
  expect(played(0, verdicts, answers, sideToMove)).toEqual({ moves: 2, slow: 0, mistakes: 1, blunders: 0, accuracy: 67 });
  expect(played(1, verdicts, answers, sideToMove)).toEqual({ moves: 1, slow: 0, mistakes: 0, blunders: 0, accuracy: 100 });
});

it("where nothing can be lost there is no number", () => {
  const answers = [position(0, "loss"), position(1, "win")];
  expect(played(0, [judge(answers[0] ?? null, answers[1] ?? null)], answers, sideToMove).accuracy).toBeNull();
});
