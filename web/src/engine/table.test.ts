// SPDX-License-Identifier: MIT
import { describe, expect, it } from "vitest";
import { type Host, makeHost, memoryKeeper } from "./fakes";
import type { Keeper } from "./keeper";
import { pageSize, SiteTable } from "./table";
import type { TableProgress } from "./types";

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
  it("is loaded once and kept", async () => {
    const bytes = someBytes(100_000);
    const host = makeHost({ "t.kzt": bytes });
    const keeper = memoryKeeper();
    const reports: TableProgress[] = [];
    const table = makeTable(bytes.length, host, keeper, reports);
    await Promise.all([table.prepare(), table.prepare()]);
    expect(table.pages.complete).toBe(true);
    expect(host.log).toEqual(["t.kzt"]);
    expect(reports.at(-1)).toEqual({ game: "g", rules: "r", loaded: 100_000, total: 100_000, done: true });

    host.online = false;
    const again = makeTable(bytes.length, host, keeper);
    await again.prepare();
    expect(again.pages.complete).toBe(true);
  });

  it("is asked for again after a failure", async () => {
    const bytes = someBytes(1000);
    const host = makeHost({ "t.kzt": bytes });
    host.online = false;
    const table = makeTable(bytes.length, host, memoryKeeper());
    await expect(table.prepare()).rejects.toThrow("no connection");
    host.online = true;
    await table.prepare();
    expect(table.pages.complete).toBe(true);
  });

  it("must have the right size", async () => {
    const host = makeHost({ "t.kzt": someBytes(1000) });
    await expect(makeTable(999, host, memoryKeeper()).prepare()).rejects.toThrow("not as long");
    await expect(makeTable(1001, host, memoryKeeper()).prepare()).rejects.toThrow("not as long");
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
    await expect(table.fetchMissing(false)).rejects.toMatchObject({ status: 503 });
  });
});
