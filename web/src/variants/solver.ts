// SPDX-License-Identifier: MIT
//
// The page's side of the worker that solves games from texts.
import { type Answer, type ApiRequest, contentOf, EngineError, RequestEngine } from "kanzen/parts";
import type { FromSolver, ToSolver } from "./worker";

export interface OpenedVariant {
  readonly name: string;
  /** How many numbers its index has: no more positions than that. */
  readonly size: number;
}

type Message = ToSolver extends infer T ? (T extends { number: number } ? Omit<T, "number"> : never) : never;

export class VariantSolver extends RequestEngine {
  readonly kind = "local";
  private readonly worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
  private readonly waiting = new Map<number, { resolve: (value: unknown) => void; reject: (error: Error) => void }>();
  private asked = 0;
  /** Called while a game is being solved, with a part from 0 to 1 of what is being done. */
  onProgress: ((part: number) => void) | null = null;

  constructor() {
    super();
    this.worker.onmessage = ({ data }: MessageEvent<FromSolver>) => {
      if ("progress" in data) {
        this.onProgress?.(data.progress);
        return;
      }
      const waiting = this.waiting.get(data.number);
      this.waiting.delete(data.number);
      if ("failed" in data) waiting?.reject(new EngineError(400, data.failed, "variant"));
      else waiting?.resolve(data.done);
    };
    this.worker.onerror = () => {
      for (const { reject } of this.waiting.values()) reject(new EngineError(500, "The solver can't be started in this browser.", "no_engine"));
      this.waiting.clear();
    };
  }

  private tell<T>(message: Message): Promise<T> {
    const number = ++this.asked;
    return new Promise<T>((resolve, reject) => {
      this.waiting.set(number, { resolve: (value) => resolve(value as T), reject });
      this.worker.postMessage({ ...message, number });
    });
  }

  open(text: string): Promise<OpenedVariant> {
    return this.tell<OpenedVariant>({ kind: "open", address: new URL("kanzen-solve.wasm", document.baseURI).href, text });
  }

  solve(): Promise<void> {
    return this.tell<void>({ kind: "solve" });
  }

  async ask<T>(request: ApiRequest): Promise<T> {
    return contentOf<T>(await this.tell<Answer>({ kind: "ask", request }));
  }

  end(): void {
    this.worker.terminate();
  }
}
