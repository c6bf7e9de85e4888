// SPDX-License-Identifier: MIT
//
// How the game on the board has ended: by the rules, or because a position came as often as the game allows.
import { computed } from "@preact/signals";
import { winnerOf } from "../games/winner";
import type { Side } from "../games/view";
import { current } from "./analysis";
import { positionAt } from "./record";
import { index, record, view } from "./store";

export type Ending = { readonly by: "rules"; readonly winner: Side | null } | { readonly by: "repetition"; readonly times: number };

/** How often the position on the board has been there in this line, and how often it may be. */
export const repeated = computed<{ readonly count: number; readonly limit: number } | null>(() => {
  const rule = view.value?.repetition;
  if (!rule || record.value.start === "") return null;
  const here = rule.same(positionAt(record.value, index.value));
  let count = 0;
  for (let at = 0; at <= index.value; at++) if (rule.same(positionAt(record.value, at)) === here) count += 1;
  return { count, limit: rule.times };
});

export const ended = computed<Ending | null>(() => {
  const { answer } = current.value;
  if (answer?.over && view.value) return { by: "rules", winner: winnerOf(answer, view.value) };
  const times = repeated.value;
  return times && times.count >= times.limit ? { by: "repetition", times: times.limit } : null;
});
