// SPDX-License-Identifier: MIT
import { describe, expect, it } from "vitest";
import { type Fetch, ServerEngine } from "./server.js";
import { type Engine, EngineError, type LegalAnswer } from "./types.js";

function answering(status: number, body: string, seen: { address: string; options: RequestInit | undefined }[] = []): Fetch {
  return (address, options) => {
    seen.push({ address, options });
    return Promise.resolve(new Response(body, { status }));
  };
}

const base = "http://host/folder/";
const legal: LegalAnswer = { game: "g", rules: "r", position: "p", count: 0, moves: [] };

describe("the server", () => {
  it("is asked below the page's folder", async () => {
    const seen: { address: string; options: RequestInit | undefined }[] = [];
    const engine = new ServerEngine(base, null, answering(200, '{"value": "win"}', seen));
    expect(await engine.position("dobutsu", "official", "a b")).toEqual({ value: "win" });
    expect(seen[0]?.address).toBe("http://host/folder/api/v1/dobutsu/position?pos=a+b&rules=official");
  });

  it("gets many positions in a POST", async () => {
    const seen: { address: string; options: RequestInit | undefined }[] = [];
    const engine = new ServerEngine(base, null, answering(200, '{"answers": []}', seen));
    await engine.positions("dobutsu", "official", ["a", "b"]);
    expect(seen[0]?.address).toBe("http://host/folder/api/v1/dobutsu/positions");
    expect(seen[0]?.options?.method).toBe("POST");
    expect(JSON.parse(String(seen[0]?.options?.body))).toEqual({ positions: ["a", "b"], rules: "official" });
  });

  it("says what is wrong in its own words", async () => {
    const engine = new ServerEngine(base, null, answering(400, '{"error": {"status": 400, "message": "no such piece"}}'));
    await expect(engine.position("dobutsu", "official", "x")).rejects.toMatchObject({ status: 400, message: "no such piece" });
  });

  it("may send anything, or nothing", async () => {
    await expect(new ServerEngine(base, null, answering(502, "<html>")).games()).rejects.toMatchObject({ status: 502 });
    await expect(new ServerEngine(base, null, answering(500, "{}")).games()).rejects.toMatchObject({ status: 500 });
    const gone = new ServerEngine(base, null, () => Promise.reject(new TypeError("Failed to fetch")));
    await expect(gone.games()).rejects.toEqual(new EngineError(0, "The server can't be reached.", "offline"));
  });
});

describe("the rules", () => {
  it("are asked nearer by", async () => {
    const rules: Pick<Engine, "legal"> = { legal: () => Promise.resolve(legal) };
    const engine = new ServerEngine(base, rules, () => Promise.reject(new Error("not this one")));
    expect(await engine.legal("g", "r", "p")).toBe(legal);
  });

  it("say what is wrong with a position", async () => {
    const rules: Pick<Engine, "legal"> = { legal: () => Promise.reject(new EngineError(400, "two lions")) };
    const engine = new ServerEngine(base, rules, answering(200, "{}"));
    await expect(engine.legal("g", "r", "p")).rejects.toMatchObject({ status: 400, message: "two lions" });
  });

  it("come from the server if the browser can't run them", async () => {
    const rules: Pick<Engine, "legal"> = { legal: () => Promise.reject(new EngineError(503, "no WebAssembly")) };
    const engine = new ServerEngine(base, rules, answering(200, JSON.stringify(legal)));
    expect(await engine.legal("g", "r", "p")).toEqual(legal);
  });
});
