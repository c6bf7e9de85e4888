// SPDX-License-Identifier: MIT
//
// Answers requests with the module and the tables: those of a site, and those that were added. It needs no page around it, so
// that it runs in a page, in a worker and in Node alike.
import type { Answer } from "./answer.js";
import { type TableEntry, fetchManifest, parseManifest } from "./manifest.js";
import { KanzenModule } from "./module.js";
import { SiteTable, type Surroundings, type Table } from "./table.js";
import { type ApiRequest, EngineError, type GameInfo } from "./types.js";

interface Opened {
  readonly table: Table;
  /** Settled when the module answers from it. */
  ready: Promise<void> | null;
}

/** The module, and what of it has to be done again if it breaks. */
interface Running {
  readonly module: KanzenModule;
  readonly games: readonly GameInfo[];
  readonly tables: Opened[]; // those that were added last come last
}

const gamesPath = "/api/v1/games";

function rulesInBody({ body }: ApiRequest): string | undefined {
  try {
    const { rules } = JSON.parse(body ?? "{}") as { readonly rules?: unknown };
    return typeof rules === "string" ? rules : undefined;
  } catch {
    return undefined; // the module says what is wrong with it
  }
}

export class Analyst {
  private running: Promise<Running> | null = null;
  private module: WebAssembly.Module | null = null;
  private entries: Promise<readonly TableEntry[]> | null = null;
  private siteTables: SiteTable[] = [];
  private readonly added: Table[] = [];

  /** @param around null: there is no site with tables */
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

  /** Opens a table; from now on answers about its game and rules come from it. */
  async add(table: Table): Promise<void> {
    const running = await this.start();
    const opened: Opened = { table, ready: null };
    running.tables.push(opened);
    try {
      await this.open(running, opened);
      this.added.push(table);
    } catch (error) {
      // Its number stays taken, because the module knows tables by their numbers; nothing asks for it.
      await table.close();
      throw error;
    }
  }

  async close(): Promise<void> {
    const tables = [...this.siteTables, ...this.added];
    this.running = null;
    await Promise.all(tables.map((table) => table.close()));
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
    const tables = [...this.siteTables, ...this.added].map((table): Opened => ({ table, ready: null }));
    const module = await KanzenModule.start(compiled, (number, offset, target) =>
      (tables[number] as Opened).table.pages.copy(offset, target),
    );
    const { games } = JSON.parse(module.ask({ path: gamesPath, query: "" }).body) as { games: GameInfo[] };
    const running = { module, games, tables };
    // Added ones were opened before the module broke, and are again.
    for (const opened of tables) if (this.added.includes(opened.table)) await this.open(running, opened);
    return running;
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
    const rules = new URLSearchParams(request.query).get("rules") || rulesInBody(request) || game.rules[0]?.name;
    const fitting = tables.filter(({ table: { entry } }) => entry.game === name && entry.rules === rules);
    // One that was added is open; it stands in for one of the site.
    return fitting.find(({ ready }) => ready) ?? fitting[0];
  }

  private open({ module, tables }: Running, opened: Opened): Promise<void> {
    opened.ready ??= this.openTable(module, tables.indexOf(opened), opened.table).catch((error: unknown) => {
      opened.ready = null; // the next question tries again
      throw error;
    });
    return opened.ready;
  }

  private async openTable(module: KanzenModule, number: number, table: Table): Promise<void> {
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
  private async askUntilComplete(running: Running, opened: Opened | undefined, request: ApiRequest): Promise<Answer> {
    const { module, tables } = running;
    const fetched = new Set<string>(); // "table page"
    for (;;) {
      for (const { table } of tables) table.pages.missing.clear();
      const answer = module.ask(request);
      const before = fetched.size;
      // The rules may be named in the body, where only the module finds them: so any table may lack something.
      const lacking = tables.filter(({ table }) => table.pages.missing.size > 0);
      tables.forEach(({ table }, number) => {
        for (const page of table.pages.missing) fetched.add(`${number} ${page}`);
      });
      if (lacking.length === 0) {
        opened?.table.settle();
        return answer;
      }
      if (fetched.size === before) throw new EngineError(500, "There is not enough memory for this answer.", "no_memory");
      await Promise.all(lacking.map(({ table }) => table.fetchMissing(false)));
    }
  }
}
