// SPDX-License-Identifier: MIT
import { describe, expect, it } from "vitest";
import { hasServer } from "./choose";

const base = "http://host/folder/";

describe("a server is there", () => {
  it("if it says so", async () => {
    let asked = "";
    const found = await hasServer(base, (address) => {
      asked = address;
      return Promise.resolve(new Response('{"status": "ok", "version": "0.1.0"}'));
    });
    expect(found).toBe(true);
    expect(asked).toBe("http://host/folder/healthz");
  });

  it.each([
    ["has no such file", () => Promise.resolve(new Response("", { status: 404 }))],
    ["answers everything with its page", () => Promise.resolve(new Response("<!doctype html>"))],
    ["answers with other JSON", () => Promise.resolve(new Response('["ok"]'))],
    ["can't be reached", () => Promise.reject(new TypeError("Failed to fetch"))],
  ])("but not if the host %s", async (_, fetcher) => {
    expect(await hasServer(base, fetcher)).toBe(false);
  });
});
