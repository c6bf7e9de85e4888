// SPDX-License-Identifier: MIT
//
// How good the moves of a game were, from the values of its positions.
import type { Outcome } from "../games/view";

/** What a position is worth to the side to move; null: not known yet. */
export interface Worth {
  readonly value: Outcome;
  readonly plies: number | null;
}

/**
 * `best`: nothing better there was. `slow`: the result stays, but the winner takes longer or the loser falls sooner.
 * `mistake`: the result gets worse by one step. `blunder`: a won game is lost. `unclear`: a value is not known.
 */
export type Quality = "best" | "slow" | "mistake" | "blunder" | "unclear";

export interface Verdict {
  readonly quality: Quality;
  /** For the side that moved: what it had and what it has. */
  readonly before: Outcome;
  readonly after: Outcome;
  /** Plies thrown away by a `slow` move; 0 otherwise. */
  readonly lost: number;
}

const opposite: Readonly<Record<Outcome, Outcome>> = { win: "loss", loss: "win", draw: "draw", unknown: "unknown" };
const steps: Readonly<Record<Outcome, number>> = { win: 2, draw: 1, loss: 0, unknown: 1 };

export function judge(before: Worth | null, after: Worth | null): Verdict {
  const had = before?.value ?? "unknown";
  const has = opposite[after?.value ?? "unknown"];
  if (!before || !after || had === "unknown" || has === "unknown") {
    return { quality: "unclear", before: had, after: has, lost: 0 };
  }
  const fallen = steps[had] - steps[has];
  if (fallen > 0) return { quality: fallen > 1 ? "blunder" : "mistake", before: had, after: has, lost: 0 };
  if (had === "draw" || before.plies === null || after.plies === null) {
    return { quality: "best", before: had, after: has, lost: 0 };
  }
  // The move itself is a ply, so perfect play leaves one less.
  const longer = after.plies - (before.plies - 1);
  const lost = Math.max(0, had === "win" ? longer : -longer);
  return { quality: lost > 0 ? "slow" : "best", before: had, after: has, lost };
}

/**
 * How the game stands for one side as a number from -1 (lost at once) to 1 (won at once); 0 is a draw. A win is never
 * nearer to 0 than 0.2, however far away it is, so that it can be told from a draw. null: not known.
 */
export function standing(worth: Worth | null, mover: boolean): number | null {
  if (!worth || worth.value === "unknown") return null;
  if (worth.value === "draw") return 0;
  const size = 0.2 + 0.8 * Math.exp(-(worth.plies ?? 100) / 45);
  return (worth.value === "win") === mover ? size : -size;
}
