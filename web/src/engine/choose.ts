// SPDX-License-Identifier: MIT
//
// Which engine there is: a server where the page comes from, or else the page's own.
import { type Fetch, type FoundEngine, ServerEngine, type TableProgress } from "kanzen/parts";
import { WasmEngine } from "./wasm";

const patienceMs = 3000;

/** Whether `kanzen serve` is what the page comes from. A file host has no such file, or answers with some page. */
export async function hasServer(base: string, fetcher: Fetch): Promise<boolean> {
  try {
    const response = await fetcher(new URL("healthz", base).href, {
      cache: "no-store",
      signal: AbortSignal.timeout(patienceMs),
    });
    const content: unknown = response.ok ? await response.json() : null;
    return typeof content === "object" && content !== null && "status" in content && content.status === "ok";
  } catch {
    return false;
  }
}

/** Lets the page work without a network from the next visit on. */
function keepPage(base: string): void {
  if (!("serviceWorker" in navigator) || !window.isSecureContext || import.meta.env.DEV) return;
  const register = (): void => {
    navigator.serviceWorker.register(new URL("sw.js", base).href).catch(() => undefined); // then it needs a network
  };
  // What is on the screen comes first.
  if (document.readyState === "complete") register();
  else window.addEventListener("load", register, { once: true });
}

export interface Choice {
  /** Called while a table is loaded into the page. */
  readonly onProgress?: (progress: TableProgress) => void;
}

export interface Chosen {
  readonly engine: FoundEngine;
  /** The page's own, which answers from tables at any address. */
  readonly local: WasmEngine;
}

export async function chooseEngine({ onProgress }: Choice = {}): Promise<Chosen> {
  // The page's own address, without what comes after '#': the page may be in any folder.
  const base = new URL(".", document.baseURI).href;
  if (await hasServer(base, (address, options) => fetch(address, options))) {
    const local = new WasmEngine(base, false, onProgress);
    return { engine: new ServerEngine(base, local), local };
  }
  keepPage(base);
  const local = new WasmEngine(base, true, onProgress);
  return { engine: local, local };
}
