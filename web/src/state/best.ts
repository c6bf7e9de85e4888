// SPDX-License-Identifier: MIT
import type { MoveAnswer } from "../engine/types";

/** More arrows than this hide the board. */
const mostArrows = 5;

/** The moves that are as good as the first of a list that has the best first. None when nothing is known. */
export function bestMoves(moves: readonly MoveAnswer[]): readonly MoveAnswer[] {
  const best = moves[0];
  if (!best || best.value === "unknown") return [];
  return moves.filter((move) => move.value === best.value && move.plies === best.plies).slice(0, mostArrows);
}
