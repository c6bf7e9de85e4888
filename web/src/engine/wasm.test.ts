// SPDX-License-Identifier: MIT
import { describe, expect, it } from "vitest";
import type { TableProgress } from "kanzen/parts";
import type { FromWorker, ToWorker } from "./protocol";
import { WasmEngine, type WorkerLike } from "./wasm";

class FakeWorker implements WorkerLike {
  onmessage: WorkerLike["onmessage"] = null;
  onerror: WorkerLike["onerror"] = null;
  readonly heard: ToWorker[] = [];

  postMessage(message: ToWorker): void {
    this.heard.push(message);
  }

  say(data: FromWorker): void {
    this.onmessage?.call(this as unknown as Worker, { data } as MessageEvent);
  }

  die(): void {
    this.onerror?.call(this as unknown as Worker, {} as ErrorEvent);
  }
}

describe("the engine in the page", () => {
  it("gives each question its own answer", async () => {
    const worker = new FakeWorker();
    const engine = new WasmEngine("http://host/", true, undefined, worker);
    expect(worker.heard[0]).toEqual({ kind: "start", base: "http://host/", tables: true });
    const first = engine.table("g", "r");
    const second = engine.legal("g", "r");
    worker.say({ kind: "answer", number: 2, answer: { status: 200, body: '"second"' } });
    worker.say({ kind: "answer", number: 1, answer: { status: 200, body: '"first"' } });
    expect(await first).toBe("first");
    expect(await second).toBe("second");
  });

  it("passes on what is wrong", async () => {
    const worker = new FakeWorker();
    const engine = new WasmEngine("http://host/", true, undefined, worker);
    const bad = engine.legal("g", "r", "x");
    const failed = engine.legal("g", "r", "y");
    worker.say({ kind: "answer", number: 1, answer: { status: 400, body: '{"error": {"status": 400, "code": "bad_position", "params": {"character": 3}, "message": "bad"}}' } });
    worker.say({ kind: "failure", number: 2, status: 0, message: "no connection", code: "offline", params: {} });
    await expect(bad).rejects.toMatchObject({ status: 400, message: "bad", code: "bad_position", params: { character: 3 }, passes: false });
    await expect(failed).rejects.toMatchObject({ status: 0, message: "no connection", code: "offline", passes: true });
  });

  it("passes on how far a table is", () => {
    const worker = new FakeWorker();
    const reports: TableProgress[] = [];
    new WasmEngine("http://host/", true, (report) => reports.push(report), worker);
    const progress: TableProgress = { game: "g", rules: "r", loaded: 1, total: 2, done: false };
    worker.say({ kind: "progress", progress });
    expect(reports).toEqual([progress]);
  });

  it("fails at once when its worker is gone", async () => {
    const worker = new FakeWorker();
    const engine = new WasmEngine("http://host/", true, undefined, worker);
    const asked = engine.legal("g", "r");
    worker.die();
    await expect(asked).rejects.toMatchObject({ status: 500, code: "no_engine" });
    await expect(engine.games()).rejects.toMatchObject({ status: 500, code: "no_engine" });
  });
});
