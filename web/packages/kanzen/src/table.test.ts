// SPDX-License-Identifier: MIT
import { describe, expect, it } from "vitest";
import { type Host, makeHost, memoryKeeper } from "./fakes.js";
import type { Keeper } from "./keeper.js";
import { pageSize, SiteTable } from "./table.js";
import type { TableProgress } from "./types.js";

const large = 40 * 2 ** 20 + 123;

function someBytes(size: number): Uint8Array {
  const bytes = new Uint8Array(size);
  for (let i = 0; i < size; i += 1000) bytes[i] = i % 251;
  return bytes;
}

function makeTable(size: number, host: Host, keeper: Keeper, reports: TableProgress[] = []): SiteTable {
  const entry = { game: "g", rules: "r", file: "t.kzt", bytes: size, digest: "0123456789abcdef0123" };
  const progress = (report: TableProgress): void => void reports.push(report);
  return new SiteTable(entry, { fetcher: host.fetcher, keeper, folder: "http://host/tables/", progress });
}

function want(table: SiteTable, ...places: number[]): void {
  for (const place of places) table.pages.copy(place, new Uint8Array(1));
}

describe("a small table", () => {
  const size = 100 * pageSize + 7;

  it("answers from parts at once, and is then loaded in the background and kept", async () => {
    const bytes = someBytes(size);
    const host = makeHost({ "t.kzt": bytes });
    const keeper = memoryKeeper();
    const reports: TableProgress[] = [];
    const table = makeTable(size, host, keeper, reports);
    await Promise.all([table.prepare(), table.prepare()]);
    expect(host.log).toEqual([]);
    want(table, 0);
    await table.fetchMissing(true);
    // The first request brings all that opening takes, and no more.
    expect(host.log).toEqual([`t.kzt 0-${32 * pageSize - 1}`]);
    expect(table.pages.complete).toBe(false);
    expect(table.pages.copy(31 * pageSize, new Uint8Array(pageSize))).toBe(true);
    table.settle();
    await expect.poll(() => table.pages.complete).toBe(true);
    expect(host.log.slice(1)).toEqual(["t.kzt"]);
    await expect.poll(() => reports.at(-1)).toEqual({ game: "g", rules: "r", loaded: size, total: size, done: true });
    const target = new Uint8Array(7);
    expect(table.pages.copy(size - 7, target)).toBe(true);
    expect([...target]).toEqual([...bytes.subarray(size - 7)]);

    host.online = false;
    const again = makeTable(size, host, keeper);
    await again.prepare();
    expect(again.pages.complete).toBe(true);
  });

  it("goes on answering from parts when the rest does not come, or has another size", async () => {
    const host = makeHost({ "t.kzt": someBytes(size) });
    const table = makeTable(size, host, memoryKeeper());
    want(table, 0);
    await table.fetchMissing(true);
    host.online = false;
    await table.fill();
    expect(table.pages.complete).toBe(false);
    expect(table.pages.copy(0, new Uint8Array(9))).toBe(true);
    const wrong = makeTable(size - 1, makeHost({ "t.kzt": someBytes(size) }), memoryKeeper());
    await wrong.fill();
    expect(wrong.pages.complete).toBe(false);
  });

  it("is asked for again after a failure", async () => {
    const host = makeHost({ "t.kzt": someBytes(size) });
    host.online = false;
    const table = makeTable(size, host, memoryKeeper());
    want(table, 0);
    await expect(table.fetchMissing(true)).rejects.toMatchObject({ code: "offline", passes: true });
    host.online = true;
    want(table, 0);
    await table.fetchMissing(true);
    expect(table.pages.copy(0, new Uint8Array(9))).toBe(true);
  });

  it("from a host that sends nothing less than whole files, it is kept at once", async () => {
    const keeper = memoryKeeper();
    const table = makeTable(size, makeHost({ "t.kzt": someBytes(size) }, false), keeper);
    want(table, 0);
    await table.fetchMissing(true);
    expect(table.pages.complete).toBe(true);
    await expect.poll(() => keeper.kept.size).toBe(1);
  });
});

describe("a large table", () => {
  it("comes in parts, neighbours together", async () => {
    const bytes = someBytes(large);
    const host = makeHost({ "t.kzt": bytes });
    const keeper = memoryKeeper();
    const table = makeTable(large, host, keeper);
    await table.prepare();
    expect(host.log).toEqual([]);
    want(table, 0, pageSize, large - 1, 20_000_000);
    await table.fetchMissing(false);
    expect(host.log).toHaveLength(3);
    expect(host.log[0]).toBe(`t.kzt 0-${2 * pageSize - 1}`);
    const target = new Uint8Array(100);
    expect(table.pages.copy(large - 100, target)).toBe(true);
    expect([...target]).toEqual([...bytes.subarray(large - 100)]);
  });

  it("keeps its beginning", async () => {
    const host = makeHost({ "t.kzt": someBytes(large) });
    const keeper = memoryKeeper();
    const table = makeTable(large, host, keeper);
    await table.prepare();
    want(table, 0, pageSize);
    await table.fetchMissing(true);
    await table.opened();
    const again = makeTable(large, host, keeper);
    await again.prepare();
    expect(again.pages.copy(pageSize, new Uint8Array(pageSize))).toBe(true);
    expect(host.log).toHaveLength(1);
  });

  it("does not fetch the same page twice at the same time", async () => {
    const host = makeHost({ "t.kzt": someBytes(large) });
    const table = makeTable(large, host, memoryKeeper());
    want(table, 0);
    const first = table.fetchMissing(false);
    want(table, 0);
    await Promise.all([first, table.fetchMissing(false)]);
    expect(host.log).toHaveLength(1);
  });

  it("comes as a whole from a host that knows no parts", async () => {
    const bytes = someBytes(large);
    const host = makeHost({ "t.kzt": bytes }, false);
    const table = makeTable(large, host, memoryKeeper());
    want(table, 0, 10_000_000, 20_000_000, 30_000_000);
    await table.fetchMissing(false);
    expect(host.log).toEqual(["t.kzt"]);
    expect(table.pages.complete).toBe(true);
  });

  it("is refused if it is too large for that", async () => {
    const host = makeHost({ "t.kzt": someBytes(10) }, false);
    const table = makeTable(2 ** 30, host, memoryKeeper());
    want(table, 0);
    await expect(table.fetchMissing(false)).rejects.toThrow("can't send parts");
  });

  it("says so when the host has it no more", async () => {
    const table = makeTable(large, makeHost({}), memoryKeeper());
    want(table, 0);
    await expect(table.fetchMissing(false)).rejects.toMatchObject({ status: 404, code: "host_status" });
  });
});
