// SPDX-License-Identifier: MIT
//
// kanzen.wasm, the library in C; src/wasm/exports.c is the other side.
import type { Answer } from "./answer.js";
import type { ApiRequest } from "./types.js";

interface Exports {
  readonly memory: WebAssembly.Memory;
  alloc(size: number): number;
  free(memory: number): void;
  start(): number;
  open(session: number, table: number, name: number, size: number): number;
  message(session: number): number;
  ask(session: number, path: number, query: number, body: number, bodyLength: number): number;
  body(session: number): number;
  body_length(session: number): number;
}

/** Copies bytes of a table to `target`; false if they are not here yet. */
export type GetBytes = (table: number, offset: number, target: Uint8Array) => boolean;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

export class OutOfMemory extends Error {
  constructor() {
    super("There is not enough memory.");
  }
}

export class KanzenModule {
  private readonly session: number;

  private constructor(private readonly exports: Exports) {
    this.session = exports.start();
    if (this.session === 0) throw new OutOfMemory();
  }

  static async start(compiled: WebAssembly.Module, getBytes: GetBytes): Promise<KanzenModule> {
    const imports = {
      get: (table: number, offset: number, size: number, to: number): number =>
        getBytes(table, offset, new Uint8Array(exports.memory.buffer, to >>> 0, size)) ? 1 : 0,
      seconds: (): number => performance.now() / 1000,
    };
    const instance = await WebAssembly.instantiate(compiled, { kanzen: imports });
    const exports = instance.exports as unknown as Exports;
    return new KanzenModule(exports);
  }

  /** Answers come from this table from now on. What is wrong, if it can't be opened; "" otherwise. */
  open(table: number, name: string, size: number): string {
    const failed = this.withText(name, (text) => this.exports.open(this.session, table, text, size));
    return failed ? this.read(this.exports.message(this.session)) || "the table can't be opened" : "";
  }

  ask(request: ApiRequest): Answer {
    const posted =
      request.positions && JSON.stringify({ positions: request.positions.map((text) => text.replaceAll("\0", " ")) });
    const sent = request.body ?? posted;
    const status = this.withText(request.path, (path) =>
      this.withText(request.query, (query) =>
        sent !== undefined
          ? this.withText(sent, (body, length) => this.exports.ask(this.session, path, query, body, length))
          : this.exports.ask(this.session, path, query, 0, 0),
      ),
    );
    const body = this.exports.body(this.session);
    if (body === 0) throw new OutOfMemory();
    return { status, body: this.read(body, this.exports.body_length(this.session)) };
  }

  /** Calls with a copy of the text in the module's memory, 0 at its end. */
  private withText(text: string, call: (at: number, length: number) => number): number {
    const bytes = encoder.encode(text);
    const at = this.exports.alloc(bytes.length + 1);
    if (at === 0) throw new OutOfMemory();
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
    return decoder.decode(memory.subarray(at, length === undefined ? memory.indexOf(0, at) : at + length));
  }
}
