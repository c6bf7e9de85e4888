// SPDX-License-Identifier: MIT
//
// A table: where its bytes come from. SiteTable has them from a host over HTTP. What an answer needs is fetched page by page as it is wanted, so that
// the first answer does not wait for the whole file. A small table is then loaded in the background and kept; of a large one
// only what comes before its blocks is kept.
import { fetchPart, fetchWhole } from "./download.js";
import type { Keeper } from "./keeper.js";
import type { TableEntry } from "./manifest.js";
import { Pages } from "./pages.js";
import { type Range, rangesOf } from "./ranges.js";
import type { Fetch } from "./server.js";
import type { TableProgress } from "./types.js";

/** The table of Dobutsu Shogi has 25 MB, that of Push Fight's standard board 1.8 GB. */
const mostLoadedWhole = 32 * 2 ** 20;
/** The successors of a Push Fight position are in some dozens of places, each a few ten thousand bytes long. */
export const pageSize = 16 * 2 ** 10;
/** Pages that stay in memory. */
export const mostInMemory = 64 * 2 ** 20;
/** What is fetched first: all that comes before the blocks of a small table, so that one request is enough to open it. */
const firstPages = 32;
/** After a failure in the background, how long to wait before it is tried again. */
const fillPauseMs = 15_000;
/** Browsers open about so many connections to one host. */
const connections = 6;

/** A table as the engine sees it. */
export interface Table {
  readonly entry: Pick<TableEntry, "game" | "rules" | "file" | "bytes">;
  readonly pages: Pages;
  /** Before the table is opened. */
  prepare(): Promise<void>;
  /** Gets the pages that were found missing; `opening`: before there can be any answer. */
  fetchMissing(opening: boolean): Promise<void>;
  /** When the table has been opened. */
  opened(): Promise<void>;
  settle(): void;
  /** Nobody asks any more. */
  close(): Promise<void>;
}

export interface Surroundings {
  readonly fetcher: Fetch;
  readonly keeper: Keeper;
  /** The address of the folder with the tables. */
  readonly folder: string;
  readonly progress: (progress: TableProgress) => void;
  /** Larger tables are never loaded as a whole; there is a sensible default. */
  readonly mostLoadedWhole?: number;
}

export class SiteTable implements Table {
  readonly pages: Pages;
  private readonly small: boolean;
  private prepared: Promise<void> | null = null;
  private readonly loading = new Map<number, Promise<void>>(); // pages that are on their way
  private filling = false;
  private fillAfter = 0;

  constructor(
    readonly entry: TableEntry,
    private readonly around: Surroundings,
    // With the digest, so that no cache on the way mixes two versions of a table.
    private readonly address = new URL(`${entry.file}?${entry.digest.slice(0, 16)}`, around.folder).href,
  ) {
    this.small = entry.bytes <= (around.mostLoadedWhole ?? mostLoadedWhole);
    this.pages = new Pages(entry.bytes, pageSize);
  }

  private get keptName(): string {
    return `${this.entry.file}/${this.entry.digest}`;
  }

  private report(loaded: number, total: number, done: boolean): void {
    this.around.progress({ game: this.entry.game, rules: this.entry.rules, loaded, total, done });
  }

  /** Takes what was kept from an earlier visit. */
  prepare(): Promise<void> {
    this.prepared ??= this.load().catch((error: unknown) => {
      this.prepared = null; // the next question tries again
      throw error;
    });
    return this.prepared;
  }

  private async load(): Promise<void> {
    const kept = await this.around.keeper.load(this.keptName);
    if (kept?.length === this.entry.bytes) this.pages.putWhole(kept);
    else if (kept && kept.length > 0 && kept.length % pageSize === 0) this.pages.put(0, kept);
  }

  /** Loads all of a small table while answers come from parts of it, and keeps it for the next visit. */
  async fill(): Promise<void> {
    const total = this.entry.bytes;
    if (!this.small || this.filling || this.pages.complete || Date.now() < this.fillAfter) return;
    this.filling = true;
    this.report(0, total, false);
    try {
      const fetcher: Fetch = (address, options) =>
        this.around.fetcher(address, { ...options, priority: "low" } as RequestInit);
      const bytes = await fetchWhole(fetcher, this.address, total, (loaded) => this.report(loaded, total, false));
      this.pages.putWhole(bytes);
      await this.around.keeper.save(this.entry.file, this.keptName, bytes);
    } catch {
      this.fillAfter = Date.now() + fillPauseMs; // answers still come from parts
    } finally {
      this.filling = false;
      this.report(total, total, true);
    }
  }

  /** When the table has been opened: what that took is kept for the next visit, and not needed any more in this one. */
  async opened(): Promise<void> {
    if (this.small || this.pages.complete) return;
    const known = await this.around.keeper.load(this.keptName);
    const head = this.pages.head();
    const whole = Math.floor(head.length / pageSize) * pageSize;
    if (known?.length !== whole) {
      await this.around.keeper.save(this.entry.file, this.keptName, head.subarray(0, whole));
    }
    this.pages.trim(0);
  }

  async fetchMissing(opening: boolean): Promise<void> {
    const wanted = [...this.pages.missing];
    this.pages.missing.clear();
    if (opening && this.small && this.pages.count === 0) {
      const pages = Math.min(firstPages, Math.ceil(this.entry.bytes / pageSize));
      for (let page = 0; page < pages; page++) wanted.push(page);
    }
    const waiting = wanted.flatMap((page) => this.loading.get(page) ?? []);
    const ranges = rangesOf(
      wanted.filter((page) => !this.loading.has(page)),
      pageSize,
      this.entry.bytes,
    );
    const total = ranges.reduce((sum, { size }) => sum + size, 0);
    let loaded = 0;
    const fetchNext = async (): Promise<void> => {
      for (let range = ranges.shift(); range && !this.pages.complete; range = ranges.shift()) {
        await this.fetchRange(range);
        loaded += range.size;
        if (opening) this.report(loaded, total, loaded === total);
      }
    };
    // One first when the host is new to us: it may send the whole file in answer.
    if (opening) this.report(0, total, false);
    try {
      if (this.pages.count === 0) {
        const range = ranges.shift();
        if (range) await this.fetchRange(range).then(() => (loaded += range.size));
      }
      await Promise.all([...waiting, ...Array.from({ length: connections }, fetchNext)]);
    } finally {
      if (opening) this.report(total, total, true);
    }
  }

  private fetchRange(range: Range): Promise<void> {
    const first = range.offset / pageSize;
    const count = Math.ceil(range.size / pageSize);
    const work = fetchPart(this.around.fetcher, this.address, range, this.entry.bytes)
      .then(({ whole, bytes }) => {
        if (whole) {
          this.pages.putWhole(bytes);
          if (this.small) void this.around.keeper.save(this.entry.file, this.keptName, bytes);
        } else if (!this.pages.complete) this.pages.put(range.offset, bytes);
      })
      .finally(() => {
        for (let page = first; page < first + count; page++) this.loading.delete(page);
      });
    for (let page = first; page < first + count; page++) this.loading.set(page, work);
    return work;
  }

  /** After an answer: pages that were not looked at for long may go. */
  settle(): void {
    this.pages.trim(mostInMemory);
    void this.fill();
  }

  close(): Promise<void> {
    this.fillAfter = Number.POSITIVE_INFINITY;
    return Promise.resolve();
  }
}
