// SPDX-License-Identifier: MIT
import { describe, expect, it } from "vitest";
import { makeRequest, RequestEngine } from "./engine.js";
import type { ApiRequest } from "./types.js";

class Recorder extends RequestEngine {
  readonly kind = "local";
  asked: ApiRequest[] = [];

  constructor(private readonly answer: unknown = {}) {
    super();
  }

  ask<T>(request: ApiRequest): Promise<T> {
    this.asked.push(request);
    return Promise.resolve(this.answer as T);
  }
}

describe("requests", () => {
  it("encode what is given and leave out the rest", () => {
    expect(makeRequest("dobutsu/position", { pos: "gle/1c1 b - 1", rules: "official", moves: undefined })).toEqual({
      path: "/api/v1/dobutsu/position",
      query: "pos=gle%2F1c1+b+-+1&rules=official",
    });
    expect(makeRequest("x", { pos: "&=%+\n獅" }).query).toBe("pos=%26%3D%25%2B%0A%E7%8D%85");
  });

  it("are those of docs/api.md", async () => {
    const engine = new Recorder({ games: [], answers: [] });
    await engine.games();
    await engine.position("dobutsu", "official", "p", 3);
    await engine.legal("dobutsu", "official");
    await engine.line("pushfight", "mini", "p", 7);
    await engine.play("pushfight", "mini", "p", { level: "hard", aggressive: true, seed: 5 });
    await engine.play("dobutsu", "official", "p", { level: "easy", aggressive: false, seed: 5 }, ["2c2b", "1a2b"]);
    await engine.table("dobutsu", "official");
    await engine.positions("dobutsu", "official", ["a", "b"]);
    expect(engine.asked).toEqual([
      { path: "/api/v1/games", query: "" },
      { path: "/api/v1/dobutsu/position", query: "pos=p&rules=official&moves=3" },
      { path: "/api/v1/dobutsu/legal", query: "rules=official" },
      { path: "/api/v1/pushfight/line", query: "pos=p&rules=mini&limit=7" },
      { path: "/api/v1/pushfight/play", query: "pos=p&rules=mini&level=hard&aggressive=1&seed=5" },
      { path: "/api/v1/dobutsu/play", query: "pos=p&rules=official&level=easy&aggressive=0&seed=5&played=2c2b+1a2b" },
      { path: "/api/v1/dobutsu/table", query: "rules=official" },
      { path: "/api/v1/dobutsu/positions", query: "rules=official", positions: ["a", "b"] },
    ]);
  });

  it("keep names of games inside the path", async () => {
    const engine = new Recorder();
    await engine.legal("../x?y", "r");
    expect(engine.asked[0]?.path).toBe("/api/v1/..%2Fx%3Fy/legal");
  });
});
