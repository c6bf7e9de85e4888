// SPDX-License-Identifier: MIT
//
// Bytes that stay in the browser from one visit to the next.

export interface Keeper {
  load(name: string): Promise<Uint8Array | null>;
  /** Keeps the bytes in place of all whose names begin with `family`. */
  save(family: string, name: string, bytes: Uint8Array): Promise<void>;
}

/** Where nothing can be kept. */
export const noKeeper: Keeper = {
  load: () => Promise.resolve(null),
  save: () => Promise.resolve(),
};

const cacheName = "kanzen-tables";

/** In the Cache API. It is missing in pages that did not come over a safe connection, and may be full or forbidden. */
export class CacheKeeper implements Keeper {
  /** @param base names become addresses below it; nothing is there */
  constructor(
    private readonly base: string,
    private readonly storage: CacheStorage,
  ) {}

  private address(name: string): string {
    return new URL(`kept/${name}`, this.base).href;
  }

  async load(name: string): Promise<Uint8Array | null> {
    try {
      const cache = await this.storage.open(cacheName);
      const found = await cache.match(this.address(name));
      return found ? new Uint8Array(await found.arrayBuffer()) : null;
    } catch {
      return null;
    }
  }

  async save(family: string, name: string, bytes: Uint8Array): Promise<void> {
    try {
      const cache = await this.storage.open(cacheName);
      const before = await cache.keys();
      await Promise.all(before.filter(({ url }) => url.startsWith(this.address(family))).map((key) => cache.delete(key)));
      await cache.put(this.address(name), new Response(bytes.slice().buffer));
    } catch {
      // Full, or forbidden: it is loaded again the next time.
    }
  }
}
