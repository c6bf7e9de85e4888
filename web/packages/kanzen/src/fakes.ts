// SPDX-License-Identifier: MIT
//
// A file host and a browser's storage, for tests.
import type { Keeper } from "./keeper.js";
import type { Fetch } from "./server.js";

export interface Host {
  readonly fetcher: Fetch;
  /** "file" for all of it, "file 0-99" for a part. */
  readonly log: string[];
  online: boolean;
}

/** A host with these files. Without `parts`, it sends whole files whatever is asked for. */
export function makeHost(files: Readonly<Record<string, Uint8Array>>, parts = true): Host {
  const host: Host = {
    log: [],
    online: true,
    fetcher: (address, options) => {
      if (!host.online) return Promise.reject(new TypeError("Failed to fetch"));
      const name = new URL(address).pathname.replace(/^.*\//, "");
      const bytes = files[name];
      if (!bytes) return Promise.resolve(new Response("not found", { status: 404 }));
      const range = /^bytes=(\d+)-(\d+)$/.exec(new Headers(options?.headers).get("Range") ?? "");
      if (!range || !parts) {
        host.log.push(name);
        return Promise.resolve(new Response(bytes.slice().buffer));
      }
      host.log.push(`${name} ${range[1]}-${range[2]}`);
      return Promise.resolve(new Response(bytes.slice(Number(range[1]), Number(range[2]) + 1).buffer, { status: 206 }));
    },
  };
  return host;
}

export function memoryKeeper(): Keeper & { readonly kept: Map<string, Uint8Array> } {
  const kept = new Map<string, Uint8Array>();
  return {
    kept,
    load: (name) => Promise.resolve(kept.get(name) ?? null),
    save: (family, name, bytes) => {
      for (const key of [...kept.keys()]) if (key.startsWith(family)) kept.delete(key);
      kept.set(name, bytes.slice());
      return Promise.resolve();
    },
  };
}
