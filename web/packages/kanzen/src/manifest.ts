// SPDX-License-Identifier: MIT
//
// Which tables the site has: tables/index.json, beside the tables,
//
//     {"tables": [{"game": "dobutsu", "rules": "official", "file": "dobutsu-official.kzt", "bytes": 24937741,
//                  "digest": "the SHA-256 that the table states"}]}
import type { Fetch } from "./server.js";

export interface TableEntry {
  readonly game: string;
  readonly rules: string;
  readonly file: string;
  readonly bytes: number;
  readonly digest: string;
}

function isEntry(value: unknown): value is TableEntry {
  const entry = value as Partial<TableEntry> | null;
  return (
    typeof entry === "object" &&
    entry !== null &&
    typeof entry.game === "string" &&
    typeof entry.rules === "string" &&
    typeof entry.file === "string" &&
    typeof entry.bytes === "number" &&
    Number.isSafeInteger(entry.bytes) &&
    entry.bytes > 0 &&
    typeof entry.digest === "string"
  );
}

export function parseManifest(text: string): TableEntry[] {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return [];
  }
  const list = (parsed as { readonly tables?: unknown } | null)?.tables;
  return Array.isArray(list) ? list.filter(isEntry) : [];
}

/** The site's tables; none if it has no list of them. Throws when there is no connection. */
export async function fetchManifest(fetcher: Fetch, folder: string): Promise<TableEntry[]> {
  const response = await fetcher(new URL("index.json", folder).href);
  return response.ok ? parseManifest(await response.text()) : [];
}
