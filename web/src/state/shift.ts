// SPDX-License-Identifier: MIT
//
// "What if this piece stood elsewhere?": in the editor, the value of the position with a piece on each other square.
import { signal } from "@preact/signals";
import type { Shift, ShiftValue } from "../games/view";
import { engine } from "./engine";
import { record } from "./store";

/** The values, by position. A position that is not legal has null. */
export const shifted = signal<ReadonlyMap<string, ShiftValue>>(new Map());

let wanted: Shift | null = null;

export function showShift(shift: Shift | null): void {
  wanted = shift;
  if (!shift) {
    shifted.value = new Map();
    return;
  }
  const { game, rules } = record.value;
  const positions = [...shift.positions.values()];
  engine()
    .then((found) => found.positions(game, rules, positions))
    .then((answers) => {
      if (wanted !== shift) return;
      shifted.value = new Map(
        answers.map((answer, number) => [
          positions[number] ?? "",
          "error" in answer ? null : { value: answer.value, distance: answer.distance },
        ]),
      );
    })
    .catch(() => undefined); // the editor works without
}
