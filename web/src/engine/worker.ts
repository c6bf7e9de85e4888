// SPDX-License-Identifier: MIT
//
// The worker that the module runs in, so that the page never waits for it.
import { Analyst, type Answer, CacheKeeper, EngineError, type Surroundings, noKeeper, tableAt } from "kanzen/parts";
import type { FromWorker, ToWorker } from "./protocol";

const scope = self as unknown as DedicatedWorkerGlobalScope;

function tell(message: FromWorker): void {
  scope.postMessage(message);
}

async function compile(address: string): Promise<WebAssembly.Module> {
  let response: Response;
  try {
    response = await fetch(address);
  } catch {
    throw new EngineError(0, "The engine can't be loaded: there is no connection.", "offline");
  }
  if (!response.ok) {
    const { status } = response;
    throw new EngineError(status >= 500 ? 503 : 404, `The engine can't be loaded: the host answers with status ${status}.`, "host_status", {
      file: "kanzen.wasm",
      status,
    });
  }
  // Not compileStreaming, which wants a type of content that not every file host knows.
  return WebAssembly.compile(await response.arrayBuffer());
}

function makeAnalyst(base: string, tables: boolean): Analyst {
  const around: Surroundings = {
    fetcher: (address, options) => fetch(address, options),
    keeper: typeof caches === "undefined" ? noKeeper : new CacheKeeper(base, caches),
    folder: new URL("tables/", base).href,
    progress: (progress) => tell({ kind: "progress", progress }),
  };
  // The first question waits for it; after a failure the next one tries again.
  const first = compile(new URL("kanzen.wasm", base).href);
  first.catch(() => undefined);
  let begun = false;
  const compiled = (): Promise<WebAssembly.Module> => {
    if (begun) return compile(new URL("kanzen.wasm", base).href);
    begun = true;
    return first;
  };
  return new Analyst(compiled, tables ? around : null);
}

let analyst: Analyst | null = null;

async function addTable(address: string): Promise<Answer> {
  const { table, entry } = await tableAt(address);
  await analyst?.add(table);
  return { status: 200, body: JSON.stringify(entry) };
}

scope.onmessage = ({ data }: MessageEvent<ToWorker>): void => {
  if (data.kind === "start") {
    analyst = makeAnalyst(data.base, data.tables);
    return;
  }
  const { number } = data;
  const work = data.kind === "add" ? addTable(data.address) : analyst?.ask(data.request);
  work?.then(
    (answer) => tell({ kind: "answer", number, answer }),
    (error: unknown) =>
      tell({
        kind: "failure",
        number,
        status: error instanceof EngineError ? error.status : 500,
        message: error instanceof Error ? error.message : String(error),
        code: error instanceof EngineError ? error.code : "internal",
        params: error instanceof EngineError ? error.params : {},
      }),
  );
};
