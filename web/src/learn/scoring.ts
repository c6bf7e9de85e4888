// SPDX-License-Identifier: MIT
import { signal } from "@preact/signals";
import { load, save } from "../state/storage";
import { decodeScore, encodeScore, noScore, withResult } from "./score";

/** The person's score, kept by the browser. */
export const score = signal(decodeScore(load("puzzles")));

export function countResult(solved: boolean): void {
  score.value = withResult(score.value, solved);
  save("puzzles", encodeScore(score.value));
}

export function resetScore(): void {
  score.value = noScore;
  save("puzzles", encodeScore(noScore));
}
