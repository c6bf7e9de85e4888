// SPDX-License-Identifier: MIT
//
// The engine for programs: the module, and the tables that they add.
import { Analyst } from "./analyst.js";
import { type Answer, contentOf } from "./answer.js";
import { fetchPart, fileName } from "./download.js";
import { RequestEngine, makeRequest } from "./engine.js";
import { headerSize, readHeader } from "./header.js";
import { noKeeper } from "./keeper.js";
import { type ByteSource, LocalTable } from "./local.js";
import type { TableEntry } from "./manifest.js";
import type { Fetch } from "./server.js";
import { SiteTable, type Table } from "./table.js";
import { type AnnotateAnswer, type ApiRequest, EngineError, type PuzzlesAnswer } from "./types.js";

/** Where a table comes from: its bytes, a file that a user chose, an address, or anything that can be read at any place. */
export type TableSource = Uint8Array | ArrayBuffer | Blob | URL | string | ByteSource;

/** What a table is about. */
export type TableInfo = Readonly<Pick<TableEntry, "game" | "rules" | "bytes" | "digest">>;

export interface RawRequest {
  /** The parameters, or what follows '?' in the address. */
  readonly query?: string | Readonly<Record<string, string | number>>;
  /** Something that becomes JSON; makes the request a POST. */
  readonly body?: unknown;
}

export interface TableOptions {
  /** How the table is called in messages. */
  readonly name?: string;
  /** Instead of the global one: for tables at addresses that need a header of their own, or for tests. */
  readonly fetch?: Fetch;
}

export class Kanzen extends RequestEngine {
  readonly kind = "local";
  private readonly analyst: Analyst;
  private closed = false;

  constructor(compiled: () => Promise<WebAssembly.Module>) {
    super();
    this.analyst = new Analyst(compiled, null);
  }

  /**
   * Opens a table; from now on answers about its game and rules come from it. A table at an address is fetched by ranges, as far
   * as answers need it. A damaged table throws an EngineError, here or when the damaged part is read.
   */
  async addTable(source: TableSource, options: TableOptions = {}): Promise<TableInfo> {
    this.check();
    const table = await this.tableOf(source, options);
    await this.analyst.add(table.table);
    const { game, rules, bytes, digest } = table.entry;
    return { game, rules, bytes, digest };
  }

  /** A request of the HTTP API, and the answer as `kanzen serve` would give it: a status and a text, JSON but for svg. */
  async request(path: string, { query = "", body }: RawRequest = {}): Promise<Answer> {
    this.check();
    const text = typeof query === "string" ? query : makeRequest("", query).query;
    return this.analyst.ask({ path, query: text, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
  }

  async ask<T>(request: ApiRequest): Promise<T> {
    this.check();
    return contentOf<T>(await this.analyst.ask(request));
  }

  /** What each move of a game was worth. `record`: a list of moves with its head, or KIF. */
  annotate(game: string, record: string): Promise<AnnotateAnswer> {
    return this.ask({ ...makeRequest(`${encodeURIComponent(game)}/annotate`), body: JSON.stringify({ record }) });
  }

  /** Random won positions in which just one of several moves wins. */
  puzzles(game: string, rules: string, options: { plies?: number; count?: number; seed?: number } = {}): Promise<PuzzlesAnswer> {
    return this.ask(makeRequest(`${encodeURIComponent(game)}/puzzles`, { rules, ...options }));
  }

  /** The board as an SVG document. */
  async svg(game: string, rules: string, position?: string): Promise<string> {
    const { path, query } = makeRequest(`${encodeURIComponent(game)}/svg`, { rules, pos: position });
    const answer = await this.request(path, { query });
    return answer.status === 200 ? answer.body : contentOf<never>(answer);
  }

  /** Lets go of tables and files. Nothing can be asked afterwards. */
  async close(): Promise<void> {
    this.closed = true;
    await this.analyst.close();
  }

  private check(): void {
    if (this.closed) throw new EngineError(400, "This engine was closed.", "closed");
  }

  private async tableOf(source: TableSource, { name, fetch: fetcher }: TableOptions): Promise<{ table: Table; entry: TableEntry }> {
    let table: LocalTable;
    if (source instanceof Uint8Array) table = LocalTable.fromBytes(source, name ?? "the table");
    else if (source instanceof ArrayBuffer) table = LocalTable.fromBytes(new Uint8Array(source), name ?? "the table");
    else if (source instanceof Blob) table = await LocalTable.fromSource(blobSource(source, name));
    else if (source instanceof URL || typeof source === "string") return tableAt(addressOf(source), name, fetcher);
    else table = await LocalTable.fromSource(name === undefined ? source : renamed(source, name));
    return { table, entry: table.entry };
  }
}

function renamed(source: ByteSource, name: string): ByteSource {
  return { name, size: source.size, read: (offset, size) => source.read(offset, size), close: async () => source.close?.() };
}

function blobSource(blob: Blob, name?: string): ByteSource {
  const own = "name" in blob && typeof blob.name === "string" ? blob.name : "the table";
  return {
    name: name ?? own,
    size: blob.size,
    read: async (offset, size) => new Uint8Array(await blob.slice(offset, offset + size).arrayBuffer()),
  };
}

function addressOf(source: URL | string): string {
  const base = (globalThis as { document?: { baseURI: string } }).document?.baseURI ?? globalThis.location?.href;
  try {
    return new URL(source, base).href;
  } catch {
    throw new EngineError(400, `"${String(source)}" is no address.`, "bad_address");
  }
}

/** The header says how long the file is, so hosts need not. */
export async function tableAt(address: string, name = fileName(address), fetcher: Fetch = (...call) => fetch(...call)): Promise<{ table: Table; entry: TableEntry }> {
  const { bytes } = await fetchPart(fetcher, address, { offset: 0, size: headerSize }, null);
  const entry = readHeader(bytes, name);
  const around = { fetcher, keeper: noKeeper, folder: address, progress: () => undefined, mostLoadedWhole: 0 };
  return { table: new SiteTable(entry, around, address), entry };
}
