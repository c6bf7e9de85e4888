// SPDX-License-Identifier: MIT
//
// With the real module and a real table, where tools/wasm and the command have been built.
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { Analyst } from "./analyst.js";
import { contentOf } from "./answer.js";
import { makeRequest } from "./engine.js";
import { type Host, makeHost, memoryKeeper } from "./fakes.js";
import type { Keeper } from "./keeper.js";
import type { GameInfo, LegalAnswer, PositionAnswer, TableProgress } from "./types.js";

const root = join(import.meta.dirname, "../../../..");
const modulePath = join(root, "web/public/kanzen.wasm");
const command = process.env["KANZEN"] ?? join(root, "build/kanzen");

// Solving the smallest board takes a second, on a busy machine some more.
vi.setConfig({ testTimeout: 30_000, hookTimeout: 60_000 });

function compile(): Promise<WebAssembly.Module> {
  return WebAssembly.compile(readFileSync(modulePath));
}

describe.skipIf(!existsSync(modulePath))("rules without tables", () => {
  it("tell what is legal", async () => {
    const analyst = new Analyst(compile, null);
    const start = contentOf<LegalAnswer>(await analyst.ask(makeRequest("dobutsu/legal", { rules: "official" })));
    expect(start.count).toBe(4); // the start position has four moves
    expect(start.moves).toHaveLength(4);
  });

  it("tell what is wrong with a position", async () => {
    const answer = await new Analyst(compile, null).ask(makeRequest("dobutsu/legal", { pos: "nonsense" }));
    expect(answer.status).toBe(400);
    expect(() => contentOf(answer)).toThrow(/character|position|nonsense/);
  });
});

describe.skipIf(!existsSync(modulePath) || !existsSync(command))("a table", () => {
  const folder = mkdtempSync(join(tmpdir(), "kanzen-"));
  let table: Uint8Array;
  let list: Uint8Array;

  beforeAll(() => {
    const path = join(folder, "mini.kzt");
    execFileSync(command, ["solve", "pushfight", "--board", "mini", "--out", path, "--quiet"]);
    table = new Uint8Array(readFileSync(path));
    const entry = { game: "pushfight", rules: "mini", file: "mini.kzt", bytes: table.length, digest: "d" };
    list = new TextEncoder().encode(JSON.stringify({ tables: [entry] }));
  });

  afterAll(() => rmSync(folder, { recursive: true }));

  function makeAnalyst(host: Host, keeper: Keeper, mostLoadedWhole = 2 ** 20, reports: TableProgress[] = []): Analyst {
    const progress = (report: TableProgress): void => void reports.push(report);
    const folder = "http://host/tables/";
    return new Analyst(compile, { fetcher: host.fetcher, keeper, folder, progress, mostLoadedWhole });
  }

  const question = makeRequest("pushfight/position", { rules: "mini", moves: 3 });

  it("is loaded when it is needed, and works offline from then on", async () => {
    const host = makeHost({ "index.json": list, "mini.kzt": table });
    const keeper = memoryKeeper();
    const analyst = makeAnalyst(host, keeper);
    await analyst.ask(makeRequest("pushfight/legal", { rules: "mini" }));
    const games = contentOf<{ games: GameInfo[] }>(await analyst.ask(makeRequest("games"))).games;
    const boards = games.find(({ name }) => name === "pushfight")?.rules ?? [];
    expect(boards.filter((board) => board.table).map(({ name }) => name)).toEqual(["mini"]);
    expect(host.log).toEqual(["index.json"]);
    const online = await analyst.ask(question);
    expect(contentOf<PositionAnswer>(online)).toMatchObject({ source: "table", rules: "mini" });
    // A part first, and the rest in the background.
    expect(host.log[1]).toMatch(/^mini\.kzt 0-/);
    await expect.poll(() => keeper.kept.get("mini.kzt/d")?.length).toBe(table.length);
    // This table is so small that the first part was all of it.
    expect(host.log).toHaveLength(2);

    host.online = false;
    expect(await makeAnalyst(host, keeper).ask(question)).toEqual(online);
  });

  it.each([true, false])("gives the same answers page by page (the host knows parts: %s)", async (parts) => {
    const host = makeHost({ "index.json": list, "mini.kzt": table }, parts);
    const keeper = memoryKeeper();
    const reports: TableProgress[] = [];
    const slow = makeAnalyst(host, keeper, 0, reports);
    const whole = makeAnalyst(makeHost({ "index.json": list, "mini.kzt": table }), memoryKeeper());
    const line = makeRequest("pushfight/line", { rules: "mini", limit: 10 });
    const play = makeRequest("pushfight/play", { rules: "mini", level: "perfect", aggressive: 1 });
    const answers = await Promise.all([slow.ask(question), slow.ask(line), slow.ask(play)]);
    expect(answers).toEqual([await whole.ask(question), await whole.ask(line), await whole.ask(play)]);
    expect(reports.at(-1)).toMatchObject({ done: true });
    if (parts) {
      expect(host.log.length).toBeGreaterThan(2);
      // The beginning was kept; the next visit asks for blocks only.
      const before = host.log.length;
      await makeAnalyst(host, keeper, 0).ask(question);
      expect(host.log.slice(before + 1).some((part) => part.startsWith("mini.kzt 0-"))).toBe(false);
    } else {
      expect(host.log).toEqual(["index.json", "mini.kzt"]);
    }
  });

  it("that is damaged gives no answers", async () => {
    const bad = table.slice();
    bad[30] = (bad[30] as number) ^ 1;
    const analyst = makeAnalyst(makeHost({ "index.json": list, "mini.kzt": bad }), memoryKeeper());
    await expect(analyst.ask(question)).rejects.toThrow("mini.kzt: the header is damaged");
  });

  it("that can't be loaded is tried again", async () => {
    const host = makeHost({ "index.json": list, "mini.kzt": table });
    const analyst = makeAnalyst(host, memoryKeeper());
    await analyst.ask(makeRequest("games"));
    host.online = false;
    await expect(analyst.ask(question)).rejects.toThrow("no connection");
    host.online = true;
    expect((await analyst.ask(question)).status).toBe(200);
  });
});
