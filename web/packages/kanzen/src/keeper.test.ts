// SPDX-License-Identifier: MIT
import { describe, expect, it } from "vitest";
import { CacheKeeper } from "./keeper.js";

/** The part of a browser's CacheStorage that is used. */
function fakeStorage(full = false): CacheStorage {
  const kept = new Map<string, Response>();
  const cache = {
    match: (url: string) => Promise.resolve(kept.get(url)?.clone()),
    keys: () => Promise.resolve([...kept.keys()].map((url) => ({ url }))),
    delete: ({ url }: { readonly url: string }) => Promise.resolve(kept.delete(url)),
    put: (url: string, response: Response) => {
      if (full) return Promise.reject(new Error("QuotaExceededError"));
      kept.set(url, response);
      return Promise.resolve();
    },
  };
  return { open: () => Promise.resolve(cache) } as unknown as CacheStorage;
}

describe("the keeper", () => {
  it("gives back what it was given, the newest of a family", async () => {
    const keeper = new CacheKeeper("http://host/", fakeStorage());
    expect(await keeper.load("a/1")).toBeNull();
    await keeper.save("a", "a/1", Uint8Array.of(1, 2));
    await keeper.save("b", "b/1", Uint8Array.of(9));
    await keeper.save("a", "a/2", Uint8Array.of(3));
    expect(await keeper.load("a/1")).toBeNull();
    expect(await keeper.load("a/2")).toEqual(Uint8Array.of(3));
    expect(await keeper.load("b/1")).toEqual(Uint8Array.of(9));
  });

  it("does no harm when it is full or forbidden", async () => {
    const full = new CacheKeeper("http://host/", fakeStorage(true));
    await full.save("a", "a/1", Uint8Array.of(1));
    expect(await full.load("a/1")).toBeNull();
    const forbidden = new CacheKeeper("http://host/", {
      open: () => Promise.reject(new Error("SecurityError")),
    } as unknown as CacheStorage);
    await forbidden.save("a", "a/1", Uint8Array.of(1));
    expect(await forbidden.load("a/1")).toBeNull();
  });
});
