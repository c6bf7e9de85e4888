// SPDX-License-Identifier: MIT
//
// One session of a WebAssembly module of Kanzen: texts into its memory and out of it, and requests. Every such module has these
// exports; src/app/wasm/exports.c is the other side.
import type { Answer } from "./answer.js";
import type { ApiRequest } from "./types.js";

export interface SessionExports {
  readonly memory: WebAssembly.Memory;
  alloc(size: number): number;
  free(memory: number): void;
  start(): number;
  message(session: number): number;
  ask(session: number, path: number, query: number, body: number, bodyLength: number): number;
  body(session: number): number;
  body_length(session: number): number;
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

export class OutOfMemory extends Error {
  constructor() {
    super("There is not enough memory.");
  }
}

export class Session<Exports extends SessionExports> {
  /** What the module calls this session. */
  readonly number: number;

  constructor(readonly exports: Exports) {
    this.number = exports.start();
    if (this.number === 0) throw new OutOfMemory();
  }

  ask(request: ApiRequest): Answer {
    const posted =
      request.positions && JSON.stringify({ positions: request.positions.map((text) => text.replaceAll("\0", " ")) });
    const sent = request.body ?? posted;
    const status = this.withText(request.path, (path) =>
      this.withText(request.query, (query) =>
        sent !== undefined
          ? this.withText(sent, (body, length) => this.exports.ask(this.number, path, query, body, length))
          : this.exports.ask(this.number, path, query, 0, 0),
      ),
    );
    const body = this.exports.body(this.number);
    if (body === 0) throw new OutOfMemory();
    return { status, body: this.read(body, this.exports.body_length(this.number)) };
  }

  /** Why the last call failed; "" if the module does not say. */
  message(): string {
    return this.read(this.exports.message(this.number));
  }

  /** Calls with a copy of the text in the module's memory, 0 at its end. */
  withText(text: string, call: (at: number, length: number) => number): number {
    const bytes = encoder.encode(text);
    const at = this.exports.alloc(bytes.length + 1);
    if (at === 0) throw new OutOfMemory();
    // Addresses above 2 GiB come as negative numbers.
    const memory = new Uint8Array(this.exports.memory.buffer, at >>> 0, bytes.length + 1);
    memory.set(bytes);
    memory[bytes.length] = 0;
    try {
      return call(at, bytes.length);
    } finally {
      this.exports.free(at);
    }
  }

  /** The text at an address, of so many bytes or up to a 0. */
  read(at: number, length?: number): string {
    const memory = new Uint8Array(this.exports.memory.buffer);
    const begin = at >>> 0;
    return decoder.decode(memory.subarray(begin, length === undefined ? memory.indexOf(0, begin) : begin + length));
  }
}
