// SPDX-License-Identifier: MIT
//
// The engine that the page found, and how far the tables that it loads have come. Questions that fail because there is no
// connection are asked again (retry.ts).
import { signal } from "@preact/signals";
import { chooseEngine } from "../engine/choose";
import { RequestEngine } from "kanzen/parts";
import type { ApiRequest, FoundEngine, TableProgress } from "../engine/types";
import type { WasmEngine } from "../engine/wasm";
import { persistently } from "./retry";
import { kept } from "./storage";

function readAddresses(value: unknown): Readonly<Record<string, string>> | null {
  if (typeof value !== "object" || value === null) return null;
  return Object.fromEntries(Object.entries(value).filter(([, address]) => typeof address === "string")) as Record<string, string>;
}

/** Tables at other addresses that somebody chose, by "GAME/RULES". */
export const tableAddresses = kept<Readonly<Record<string, string>>>("tables", {}, readAddresses);

/** The table that is being loaded into the page, null when none is. */
export const tableProgress = signal<TableProgress | null>(null);

/** Which kind it is, null until one was found. */
export const engineKind = signal<FoundEngine["kind"] | null>(null);

/** Games that were made on this page, with what answers about them. */
export const ownGames = new Map<string, RequestEngine>();

function ownGameOf({ path }: ApiRequest): RequestEngine | undefined {
  const [, game] = /^\/api\/v1\/([^/]+)\//.exec(path) ?? [];
  return game === undefined ? undefined : ownGames.get(decodeURIComponent(game));
}

class PersistentEngine extends RequestEngine {
  readonly kind: FoundEngine["kind"];
  /** Tables at other addresses, by game and rules; settled when they are open. */
  private readonly added = new Map<string, Promise<void>>();

  constructor(
    private readonly found: FoundEngine,
    private readonly local: WasmEngine,
  ) {
    super();
    this.kind = found.kind;
    for (const [name, address] of Object.entries(tableAddresses.peek())) this.keep(name, this.local.addTable(address));
  }

  private keep(name: string, opened: Promise<unknown>): void {
    const settled = opened.then(() => undefined);
    settled.catch(() => this.added.delete(name)); // then the others answer
    this.added.set(name, settled);
  }

  async ask<T>(request: ApiRequest): Promise<T> {
    const own = ownGameOf(request);
    if (own) return own.ask<T>(request);
    const name = tableName(request);
    const opened = name === null ? undefined : this.added.get(name);
    const there = opened && (await opened.then(() => true, () => false));
    return persistently(() => (there ? this.local : this.found).ask<T>(request));
  }

  override legal(game: string, rules: string, position?: string) {
    const own = ownGames.get(game);
    return own ? own.legal(game, rules, position) : persistently(() => this.found.legal(game, rules, position));
  }

  /** Answers from the table at an address from now on, in later visits, too. */
  async addTable(address: string): Promise<void> {
    const { game, rules } = await this.local.addTable(address);
    const name = `${game}/${rules}`;
    this.keep(name, Promise.resolve());
    tableAddresses.value = { ...tableAddresses.value, [name]: address };
  }

  /** The site's own answers again. */
  dropTable(name: string): void {
    this.added.delete(name);
    tableAddresses.value = Object.fromEntries(Object.entries(tableAddresses.value).filter(([other]) => other !== name));
  }
}

/** What a request is about, "GAME/RULES"; null: no game with rules. */
function tableName({ path, query }: ApiRequest): string | null {
  const [, game] = /^\/api\/v1\/([^/]+)\//.exec(path) ?? [];
  const rules = new URLSearchParams(query).get("rules");
  return game !== undefined && rules ? `${decodeURIComponent(game)}/${rules}` : null;
}

let found: Promise<PersistentEngine> | null = null;

export function engine(): Promise<PersistentEngine> {
  found ??= chooseEngine({
    onProgress: (progress) => {
      tableProgress.value = progress.done ? null : progress;
    },
  }).then(({ engine, local }) => {
    engineKind.value = engine.kind;
    return new PersistentEngine(engine, local);
  });
  return found;
}
