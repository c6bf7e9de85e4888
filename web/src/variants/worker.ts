// SPDX-License-Identifier: MIT
//
// The worker in which a game from a text is opened and solved, by the module kanzen-solve.wasm (src/wasm/solver). A new text gets a
// new instance, because memory of the old one never comes back.
import type { ApiRequest } from "kanzen/parts";

export type ToSolver =
  | { readonly number: number; readonly kind: "open"; readonly address: string; readonly text: string }
  | { readonly number: number; readonly kind: "solve" }
  | { readonly number: number; readonly kind: "ask"; readonly request: ApiRequest };

export type FromSolver =
  | { readonly number: number; readonly done: unknown }
  | { readonly number: number; readonly failed: string }
  | { readonly progress: number };

interface Exports {
  readonly memory: WebAssembly.Memory;
  alloc(size: number): number;
  free(at: number): void;
  start(): number;
  message(session: number): number;
  variant(session: number, text: number): number;
  variant_name(session: number): number;
  variant_size(session: number): number;
  solve(session: number): number;
  ask(session: number, path: number, query: number, body: number, length: number): number;
  body(session: number): number;
  body_length(session: number): number;
}

const scope = self as unknown as DedicatedWorkerGlobalScope;
const tell = (message: FromSolver) => scope.postMessage(message);
let compiled: Promise<WebAssembly.Module> | null = null;

class Instance {
  private readonly session: number;

  private constructor(private readonly exports: Exports) {
    this.session = exports.start();
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

  private with<T>(text: string, call: (at: number, length: number) => T): T {
    const bytes = new TextEncoder().encode(text);
    const at = this.exports.alloc(bytes.length + 1);
    if (at === 0) throw new Error("out of memory");
    const memory = new Uint8Array(this.exports.memory.buffer, at, bytes.length + 1);
    memory.set(bytes);
    memory[bytes.length] = 0;
    try {
      return call(at, bytes.length);
    } finally {
      this.exports.free(at);
    }
  }

  private read(at: number, length?: number): string {
    const memory = new Uint8Array(this.exports.memory.buffer);
    return new TextDecoder().decode(memory.subarray(at, length === undefined ? memory.indexOf(0, at) : at + length));
  }

  private check(status: number): void {
    if (status !== 0) throw new Error(this.read(this.exports.message(this.session)) || "out of memory");
  }

  open(text: string): { readonly name: string; readonly size: number } {
    this.check(this.with(text.replaceAll("\0", " "), (at) => this.exports.variant(this.session, at)));
    const size = this.exports.variant_size(this.session);
    if (size === 0) this.check(1);
    return { name: this.read(this.exports.variant_name(this.session)), size };
  }

  solve(): void {
    this.check(this.exports.solve(this.session));
  }

  ask(request: ApiRequest): { readonly status: number; readonly body: string } {
    const posted = request.positions && JSON.stringify({ positions: request.positions });
    const sent = request.body ?? posted;
    const status = this.with(request.path, (path) =>
      this.with(request.query, (query) =>
        sent === undefined
          ? this.exports.ask(this.session, path, query, 0, 0)
          : this.with(sent, (body, length) => this.exports.ask(this.session, path, query, body, length)),
      ),
    );
    return { status, body: this.read(this.exports.body(this.session), this.exports.body_length(this.session)) };
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
