// SPDX-License-Identifier: MIT
//
// kanzen.wasm, the library in C; src/app/wasm/exports.c is the other side.
import type { Answer } from "./answer.js";
import { Session, type SessionExports } from "./session.js";
import type { ApiRequest } from "./types.js";

interface Exports extends SessionExports {
  open(session: number, table: number, name: number, size: number): number;
}

/** Copies bytes of a table to `target`; false if they are not here yet. */
export type GetBytes = (table: number, offset: number, target: Uint8Array) => boolean;

export class KanzenModule {
  private readonly session: Session<Exports>;

  private constructor(exports: Exports) {
    this.session = new Session(exports);
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
    const { session } = this;
    const failed = session.withText(name, (text) => session.exports.open(session.number, table, text, size));
    return failed ? session.message() || "the table can't be opened" : "";
  }

  ask(request: ApiRequest): Answer {
    return this.session.ask(request);
  }
}
