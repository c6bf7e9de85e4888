// SPDX-License-Identifier: MIT
import { signal } from "@preact/signals";
import { kept, load, save } from "../state/storage";
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

/** Puzzles that were solved to the end; one sticker each. */
export const stickers = kept("stickers", 0, (value) => (typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : null));

export function addSticker(): void {
  stickers.value += 1;
}
