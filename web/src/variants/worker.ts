// SPDX-License-Identifier: MIT
//
// The worker in which a game from a text is opened and solved, by the module kanzen-solve.wasm (src/app/wasm/solver). A new text gets a
// new instance, because memory of the old one never comes back.
import { type Answer, type ApiRequest, Session, type SessionExports } from "kanzen/parts";

export type ToSolver =
  | { readonly number: number; readonly kind: "open"; readonly address: string; readonly text: string }
  | { readonly number: number; readonly kind: "solve" }
  | { readonly number: number; readonly kind: "ask"; readonly request: ApiRequest };

export type FromSolver =
  | { readonly number: number; readonly done: unknown }
  | { readonly number: number; readonly failed: string }
  | { readonly progress: number };

interface Exports extends SessionExports {
  variant(session: number, text: number): number;
  variant_name(session: number): number;
  variant_size(session: number): number;
  solve(session: number): number;
}

const scope = self as unknown as DedicatedWorkerGlobalScope;
const tell = (message: FromSolver) => scope.postMessage(message);
let compiled: Promise<WebAssembly.Module> | null = null;

class Instance {
  private readonly session: Session<Exports>;

  private constructor(exports: Exports) {
    this.session = new Session(exports);
  }

  static async start(module: WebAssembly.Module): Promise<Instance> {
    let told = 0;
    const { exports } = await WebAssembly.instantiate(module, {
      kanzen: {
        get: () => 0,
        seconds: () => performance.now() / 1000,
        progress: (done: number, total: number) => {
          const now = performance.now();
          if (now - told < 100) return;
          told = now;
          tell({ progress: total > 0 ? done / total : 0 });
        },
      },
    });
    return new Instance(exports as unknown as Exports);
  }

  private check(status: number): void {
    if (status !== 0) throw new Error(this.session.message() || "out of memory");
  }

  open(text: string): { readonly name: string; readonly size: number } {
    const { exports, number } = this.session;
    this.check(this.session.withText(text.replaceAll("\0", " "), (at) => exports.variant(number, at)));
    const size = exports.variant_size(number);
    if (size === 0) this.check(1);
    return { name: this.session.read(exports.variant_name(number)), size };
  }

  solve(): void {
    this.check(this.session.exports.solve(this.session.number));
  }

  ask(request: ApiRequest): Answer {
    return this.session.ask(request);
  }
}

let instance: Instance | null = null;

async function load(address: string): Promise<WebAssembly.Module> {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`status ${response.status}`);
  return WebAssembly.compile(await response.arrayBuffer());
}

async function work(message: ToSolver): Promise<unknown> {
  if (message.kind === "open") {
    compiled ??= load(message.address).catch((error: unknown) => {
      compiled = null;
      throw error;
    });
    instance = await Instance.start(await compiled);
    return instance.open(message.text);
  }
  if (!instance) throw new Error("there is no game");
  return message.kind === "solve" ? instance.solve() : instance.ask(message.request);
}

// One after the other: a question waits for a solve.
let last: Promise<unknown> = Promise.resolve();
scope.onmessage = ({ data }: MessageEvent<ToSolver>): void => {
  last = last
    .then(() => work(data))
    .then(
      (done) => tell({ number: data.number, done }),
      (error: unknown) => tell({ number: data.number, failed: error instanceof Error ? error.message : String(error) }),
    );
};
