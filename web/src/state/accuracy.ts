// SPDX-License-Identifier: MIT
//
// How well a side played, in one number: docs/levels.md defines it. A win is worth two steps, a draw one, a loss none.
import type { MoveAnswer, PositionAnswer } from "../engine/types";
import type { Outcome, Side } from "../games/view";
import type { Verdict } from "./mistakes";

const steps: Readonly<Record<Outcome, number | null>> = { win: 2, draw: 1, loss: 0, unknown: null };

/** How many steps the side to move could lose with its worst move; null: not known. */
export function atStake(answer: Pick<PositionAnswer, "value" | "count"> & { readonly moves: readonly Pick<MoveAnswer, "value">[] }): number | null {
  const best = steps[answer.value];
  if (best === null || answer.moves.length === 0) return null;
  // Moves are listed best first. If the list is cut, the worst of it is not known; hardly any position has no losing move then.
  const worst = answer.count > answer.moves.length ? 0 : (steps[answer.moves.at(-1)?.value ?? "unknown"] ?? 0);
  return Math.max(0, best - worst);
}

export interface Played {
  readonly moves: number;
  readonly slow: number;
  readonly mistakes: number;
  readonly blunders: number;
  /** 0 to 100; null: nothing could be lost, or nothing is known. */
  readonly accuracy: number | null;
}

/** What one side did. `answers[n]` is the position before move n. */
export function played(
  side: Side,
  verdicts: readonly Verdict[],
  answers: readonly (PositionAnswer | null)[],
  sideToMove: (position: string) => Side,
): Played {
  let moves = 0;
  let slow = 0;
  let mistakes = 0;
  let blunders = 0;
  let lost = 0;
  let stake = 0;
  verdicts.forEach((verdict, number) => {
    const before = answers[number];
    if (!before || sideToMove(before.position) !== side) return;
    moves += 1;
    if (verdict.quality === "slow") slow += 1;
    if (verdict.quality === "mistake") mistakes += 1;
    if (verdict.quality === "blunder") blunders += 1;
    const possible = atStake(before);
    const had = steps[verdict.before];
    const has = steps[verdict.after];
    if (possible === null || had === null || has === null) return;
    stake += possible;
    lost += Math.min(possible, Math.max(0, had - has));
  });
  return { moves, slow, mistakes, blunders, accuracy: stake > 0 ? Math.round(100 * (1 - lost / stake)) : null };
}
