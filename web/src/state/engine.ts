// SPDX-License-Identifier: MIT
//
// The engine that the page found, and how far the tables that it loads have come.
import { signal } from "@preact/signals";
import { chooseEngine } from "../engine/choose";
import type { FoundEngine, TableProgress } from "../engine/types";

/** The table that is being loaded into the page, null when none is. */
export const tableProgress = signal<TableProgress | null>(null);

let found: Promise<FoundEngine> | null = null;

export function engine(): Promise<FoundEngine> {
  found ??= chooseEngine({
    onProgress: (progress) => {
      tableProgress.value = progress.done ? null : progress;
    },
  });
  return found;
}
