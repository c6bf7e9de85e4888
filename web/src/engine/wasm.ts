// SPDX-License-Identifier: MIT
//
// The engine in the page itself: asks the worker.
import { type Answer, type ApiRequest, EngineError, RequestEngine, type TableInfo, type TableProgress, contentOf } from "kanzen/parts";
import type { FromWorker, ToWorker } from "./protocol";

interface Waiting {
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: EngineError) => void;
}

/** The part of a Worker that is used here. */
export type WorkerLike = Pick<Worker, "postMessage" | "onmessage" | "onerror">;

function startWorker(): WorkerLike {
  return new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
}

export class WasmEngine extends RequestEngine {
  readonly kind = "local";
  private readonly waiting = new Map<number, Waiting>();
  private asked = 0;
  private broken: EngineError | null = null;

  constructor(
    private readonly base: string,
    tables: boolean,
    private readonly onProgress?: (progress: TableProgress) => void,
    private readonly worker: WorkerLike = startWorker(),
  ) {
    super();
    worker.onmessage = ({ data }: MessageEvent<FromWorker>) => this.hear(data);
    worker.onerror = () => this.fail();
    this.tell({ kind: "start", base, tables });
  }

  async ask<T>(request: ApiRequest): Promise<T> {
    if (request.path === "/api/v1/openapi.json") return this.description<T>();
    return this.answered<T>((number) => ({ kind: "ask", number, request }));
  }

  /** From now on answers about the game and rules of this table come from it. It is read by ranges, as far as it is needed. */
  addTable(address: string): Promise<TableInfo> {
    return this.answered<TableInfo>((number) => ({ kind: "add", number, address }));
  }

  private async answered<T>(message: (number: number) => ToWorker): Promise<T> {
    if (this.broken) throw this.broken;
    const number = ++this.asked;
    const answer = await new Promise<Answer>((resolve, reject) => {
      this.waiting.set(number, { resolve, reject });
      this.tell(message(number));
    });
    return contentOf<T>(answer);
  }

  /** A file of the site: nobody should wait for it who only wants to play. */
  private async description<T>(): Promise<T> {
    const response = await fetch(new URL("openapi.json", this.base).href);
    return contentOf<T>({ status: response.status, body: await response.text() });
  }

  private tell(message: ToWorker): void {
    this.worker.postMessage(message);
  }

  private hear(message: FromWorker): void {
    if (message.kind === "progress") {
      this.onProgress?.(message.progress);
      return;
    }
    const waiting = this.waiting.get(message.number);
    this.waiting.delete(message.number);
    if (message.kind === "answer") waiting?.resolve(message.answer);
    else waiting?.reject(new EngineError(message.status, message.message, message.code, message.params));
  }

  /** The worker's script could not be loaded, or it ended. */
  private fail(): void {
    this.broken = new EngineError(500, "The engine can't be started in this browser.", "no_engine");
    for (const { reject } of this.waiting.values()) reject(this.broken);
    this.waiting.clear();
  }
}
