// SPDX-License-Identifier: MIT
//
// The engine that the page found, and how far the tables that it loads have come. Questions that fail because there is no
// connection are asked again (retry.ts).
import { signal } from "@preact/signals";
import { chooseEngine } from "../engine/choose";
import { RequestEngine } from "kanzen/parts";
import type { ApiRequest, FoundEngine, TableProgress } from "../engine/types";
import { persistently } from "./retry";

/** The table that is being loaded into the page, null when none is. */
export const tableProgress = signal<TableProgress | null>(null);

class PersistentEngine extends RequestEngine {
  readonly kind: FoundEngine["kind"];

  constructor(private readonly found: FoundEngine) {
    super();
    this.kind = found.kind;
  }

  ask<T>(request: ApiRequest): Promise<T> {
    return persistently(() => this.found.ask<T>(request));
  }

  override legal(game: string, rules: string, position?: string) {
    return persistently(() => this.found.legal(game, rules, position));
  }
}

/** Which kind it is, null until one was found. */
export const engineKind = signal<FoundEngine["kind"] | null>(null);

let found: Promise<FoundEngine> | null = null;

export function engine(): Promise<FoundEngine> {
  found ??= chooseEngine({
    onProgress: (progress) => {
      tableProgress.value = progress.done ? null : progress;
    },
  }).then((engine) => {
    engineKind.value = engine.kind;
    return new PersistentEngine(engine);
  });
  return found;
}
