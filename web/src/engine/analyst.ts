// SPDX-License-Identifier: MIT
//
// Answers requests with the module and the site's tables. It needs no page around it, so that it runs in a worker and in
// tests alike.
import type { Answer } from "./answer";
import { type TableEntry, fetchManifest, parseManifest } from "./manifest";
import { KanzenModule } from "./module";
import { SiteTable, type Surroundings } from "./table";
import { type ApiRequest, EngineError, type GameInfo } from "./types";

interface Opened {
  readonly table: SiteTable;
  /** Settled when the module answers from it. */
  ready: Promise<void> | null;
}

/** The module, and what of it has to be done again if it breaks. */
interface Running {
  readonly module: KanzenModule;
  readonly games: readonly GameInfo[];
  readonly tables: readonly Opened[];
}

const gamesPath = "/api/v1/games";

export class Analyst {
  private running: Promise<Running> | null = null;
  private module: WebAssembly.Module | null = null;
  private entries: Promise<readonly TableEntry[]> | null = null;
  private siteTables: SiteTable[] = [];

  /** @param around null: there are no tables here, and only the rules are asked about */
  constructor(
    private readonly compiled: () => Promise<WebAssembly.Module>,
    private readonly around: Surroundings | null,
  ) {}

  async ask(request: ApiRequest): Promise<Answer> {
    const running = await this.start();
    try {
      return await this.answer(running, request);
    } catch (error) {
      // A trap leaves the module in an unknown state; the next question gets a new one.
      if (error instanceof WebAssembly.RuntimeError) this.running = null;
      throw error;
    }
  }

  private start(): Promise<Running> {
    this.running ??= this.startModule().catch((error: unknown) => {
      this.running = null;
      throw error;
    });
    return this.running;
  }

  private async startModule(): Promise<Running> {
    const compiled = (this.module ??= await this.compiled());
    const entries = await this.manifest();
    if (this.around && this.siteTables.length !== entries.length) {
      const around = this.around;
      this.siteTables = entries.map((entry) => new SiteTable(entry, around));
    }
    const tables = this.siteTables.map((table): Opened => ({ table, ready: null }));
    const module = await KanzenModule.start(compiled, (number, offset, target) =>
      (tables[number] as Opened).table.pages.copy(offset, target),
    );
    const { games } = JSON.parse(module.ask({ path: gamesPath, query: "" }).body) as { games: GameInfo[] };
    return { module, games, tables };
  }

  private manifest(): Promise<readonly TableEntry[]> {
    if (!this.around) return Promise.resolve([]);
    this.entries ??= this.findManifest(this.around).catch((error: unknown) => {
      this.entries = null;
      throw error;
    });
    return this.entries;
  }

  /** From the site; without a connection, as it was the last time. */
  private async findManifest({ fetcher, folder, keeper }: Surroundings): Promise<readonly TableEntry[]> {
    const name = "tables.json";
    try {
      const entries = await fetchManifest(fetcher, folder);
      await keeper.save(name, name, new TextEncoder().encode(JSON.stringify({ tables: entries })));
      return entries;
    } catch {
      const kept = await keeper.load(name);
      return kept ? parseManifest(new TextDecoder().decode(kept)) : [];
    }
  }

  private async answer(running: Running, request: ApiRequest): Promise<Answer> {
    if (request.path === gamesPath) return this.listGames(running);
    const opened = this.tableFor(running, request);
    if (opened) await this.open(running, opened);
    return this.askUntilComplete(running, opened, request);
  }

  /** A table that the site has is one, whether it is loaded already or not. */
  private listGames({ games, tables }: Running): Answer {
    const has = (game: string, rules: string): boolean =>
      tables.some(({ table: { entry } }) => entry.game === game && entry.rules === rules);
    const list = games.map((game) => ({
      ...game,
      rules: game.rules.map((rules) => ({ ...rules, table: rules.table || has(game.name, rules.name) })),
    }));
    return { status: 200, body: JSON.stringify({ games: list }) };
  }

  /** The table that answers such a request; none for what the rules alone tell. */
  private tableFor({ games, tables }: Running, request: ApiRequest): Opened | undefined {
    const [, name, what] = /^\/api\/v1\/([^/]*)\/([^/]*)$/.exec(request.path) ?? [];
    const game = games.find((one) => one.name === name);
    if (!game || what === "legal") return undefined;
    const rules = new URLSearchParams(request.query).get("rules") || game.rules[0]?.name;
    return tables.find(({ table: { entry } }) => entry.game === name && entry.rules === rules);
  }

  private open({ module, tables }: Running, opened: Opened): Promise<void> {
    opened.ready ??= this.openTable(module, tables.indexOf(opened), opened.table).catch((error: unknown) => {
      opened.ready = null; // the next question tries again
      throw error;
    });
    return opened.ready;
  }

  private async openTable(module: KanzenModule, number: number, table: SiteTable): Promise<void> {
    await table.prepare();
    for (;;) {
      const problem = module.open(number, table.entry.file, table.entry.bytes);
      if (problem === "") break;
      if (table.pages.missing.size === 0) throw new EngineError(500, problem, "table_damaged");
      await table.fetchMissing(true);
    }
    await table.opened();
  }

  /** Bytes that are missing become known by asking; then they are fetched, and the same is asked again. */
  private async askUntilComplete({ module }: Running, opened: Opened | undefined, request: ApiRequest): Promise<Answer> {
    if (!opened) return module.ask(request);
    const pages = opened.table.pages;
    const fetched = new Set<number>();
    for (;;) {
      pages.missing.clear();
      const answer = module.ask(request);
      if (pages.missing.size === 0) {
        opened.table.settle();
        return answer;
      }
      const before = fetched.size;
      for (const page of pages.missing) fetched.add(page);
      if (fetched.size === before) throw new EngineError(500, "There is not enough memory for this answer.", "no_memory");
      await opened.table.fetchMissing(false);
    }
  }
}
