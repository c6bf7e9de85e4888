// SPDX-License-Identifier: MIT
//
// For Node: files by their paths. Everything else is as in index.ts.
import { open, readFile } from "node:fs/promises";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import type { OpenOptions } from "./index.js";
import { Kanzen, type TableInfo, type TableOptions, type TableSource } from "./kanzen.js";
import type { ByteSource } from "./local.js";
import { EngineError } from "./types.js";
import { compileFrom } from "./wasm-file.js";

export * from "./public.js";
export type { OpenOptions };

/** A file; closed with the engine. */
async function fileSource(path: string): Promise<ByteSource> {
  try {
    const file = await open(path);
    const { size } = await file.stat();
    return {
      name: basename(path),
      size,
      read: async (offset, length) => {
        const bytes = new Uint8Array(length);
        let count = 0;
        while (count < length) {
          const { bytesRead } = await file.read(bytes, count, length - count, offset + count);
          if (bytesRead === 0) break;
          count += bytesRead;
        }
        return bytes.subarray(0, count);
      },
      close: () => file.close(),
    };
  } catch (error) {
    throw new EngineError(404, `${path} can't be read: ${error instanceof Error ? error.message : String(error)}`, "no_file", {
      file: path,
    });
  }
}

class NodeKanzen extends Kanzen {
  /** A text is a path here, unless it begins with http:// or https://. */
  override async addTable(source: TableSource, options: TableOptions = {}): Promise<TableInfo> {
    if (typeof source === "string" && !/^https?:/i.test(source)) return super.addTable(await fileSource(source), options);
    if (source instanceof URL && source.protocol === "file:") return super.addTable(await fileSource(fileURLToPath(source)), options);
    return super.addTable(source, options);
  }
}

/** The engine. It knows the rules of all games; tables are added. */
export async function openKanzen({ wasm }: OpenOptions = {}): Promise<Kanzen> {
  const module = await compileFrom(wasm ?? new URL("./kanzen.wasm", import.meta.url), async (address) =>
    /^https?:/i.test(String(address)) ? (await fetch(address)).arrayBuffer() : readFile(address),
  );
  return new NodeKanzen(() => Promise.resolve(module));
}
