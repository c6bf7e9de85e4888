// SPDX-License-Identifier: MIT
//
// A table that is near: bytes in memory, or a file that is read as far as answers need it.
import { headerSize, readHeader } from "./header.js";
import type { TableEntry } from "./manifest.js";
import { Pages } from "./pages.js";
import { rangesOf } from "./ranges.js";
import { type Table, mostInMemory, pageSize } from "./table.js";
import { EngineError } from "./types.js";

/** A file that can be read at any place. */
export interface ByteSource {
  /** How it is called in messages. */
  readonly name: string;
  readonly size: number;
  /** Fewer bytes only at the end of the file. */
  read(offset: number, size: number): Promise<Uint8Array>;
  close?(): Promise<void>;
}

export class LocalTable implements Table {
  readonly pages: Pages;

  private constructor(
    readonly entry: TableEntry,
    private readonly source: ByteSource | null,
  ) {
    this.pages = new Pages(entry.bytes, pageSize);
  }

  static fromBytes(bytes: Uint8Array, name: string): LocalTable {
    const entry = readHeader(bytes, name);
    checkSize(entry, bytes.length);
    const table = new LocalTable(entry, null);
    table.pages.putWhole(bytes);
    return table;
  }

  static async fromSource(source: ByteSource): Promise<LocalTable> {
    try {
      const entry = readHeader(await source.read(0, headerSize), source.name);
      checkSize(entry, source.size);
      return new LocalTable(entry, source);
    } catch (error) {
      await source.close?.();
      throw error;
    }
  }

  prepare(): Promise<void> {
    return Promise.resolve();
  }

  async fetchMissing(): Promise<void> {
    const ranges = rangesOf(this.pages.missing, pageSize, this.entry.bytes);
    this.pages.missing.clear();
    for (const { offset, size } of ranges) {
      const bytes = await this.source?.read(offset, size);
      if (bytes?.length !== size) {
        throw new EngineError(500, `${this.entry.file} has become shorter.`, "wrong_length", { file: this.entry.file });
      }
      this.pages.put(offset, bytes);
    }
  }

  opened(): Promise<void> {
    this.pages.trim(0); // what opening took is not needed any more
    return Promise.resolve();
  }

  settle(): void {
    this.pages.trim(mostInMemory);
  }

  async close(): Promise<void> {
    await this.source?.close?.();
  }
}

function checkSize({ file, bytes }: TableEntry, size: number): void {
  if (size !== bytes) {
    throw new EngineError(500, `${file} has ${size} bytes, and its header says ${bytes}.`, "wrong_length", { file });
  }
}
