// SPDX-License-Identifier: MIT
import type { GameView, Outcome, Side } from "./view";

/** The side that wins with perfect play, or null: a draw, or not known. */
export function winnerOf(answer: { readonly value: Outcome; readonly position: string }, view: Pick<GameView, "sideToMove">): Side | null {
  if (answer.value !== "win" && answer.value !== "loss") return null;
  const mover = view.sideToMove(answer.position);
  return answer.value === "win" ? mover : mover === 0 ? 1 : 0;
}
