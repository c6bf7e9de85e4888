// SPDX-License-Identifier: MIT
//
// For browsers, workers and whatever has fetch. node.ts is the same for Node.
import { Kanzen } from "./kanzen.js";
import { EngineError } from "./types.js";
import { compileFrom } from "./wasm-file.js";

export * from "./public.js";

export interface OpenOptions {
  /** kanzen.wasm: its address, its bytes, or the compiled module. Without it, the file in this package. */
  readonly wasm?: string | URL | ArrayBuffer | Uint8Array | WebAssembly.Module;
}

/** The engine. It knows the rules of all games; tables are added. */
export async function openKanzen({ wasm }: OpenOptions = {}): Promise<Kanzen> {
  const module = await compileFrom(wasm ?? new URL("./kanzen.wasm", import.meta.url), load);
  return new Kanzen(() => Promise.resolve(module));
}

async function load(address: string | URL): Promise<ArrayBuffer> {
  const response = await fetch(address).catch(() => null);
  if (!response) throw new EngineError(0, "kanzen.wasm can't be loaded: there is no connection.", "offline");
  if (!response.ok) {
    throw new EngineError(404, `kanzen.wasm can't be loaded: the host answers with status ${response.status}.`, "host_status", {
      file: "kanzen.wasm",
      status: response.status,
    });
  }
  return response.arrayBuffer();
}
