// SPDX-License-Identifier: MIT
//
// The header of a table file, as far as it says what the table is about (docs/format-table.md). The module checks it.
import type { TableEntry } from "./manifest.js";
import { EngineError } from "./types.js";

export const headerSize = 152;
const magic = [0x89, 0x4b, 0x5a, 0x54, 0x0d, 0x0a, 0x1a, 0x0a];

/** Zero bytes follow the text. */
function textAt(bytes: Uint8Array, offset: number, size: number): string {
  const field = bytes.subarray(offset, offset + size);
  const end = field.indexOf(0);
  return new TextDecoder().decode(end < 0 ? field : field.subarray(0, end));
}

/** What the header says. `name` stands for the table in messages. */
export function readHeader(bytes: Uint8Array, name: string): TableEntry {
  if (bytes.length < headerSize || magic.some((byte, at) => bytes[at] !== byte)) {
    throw new EngineError(400, `${name} is not a table of Kanzen.`, "no_table", { file: name });
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, headerSize);
  const size = Number(view.getBigUint64(56, true));
  if (!Number.isSafeInteger(size) || size < headerSize) {
    throw new EngineError(500, `${name}: the header is damaged.`, "table_damaged", { file: name });
  }
  return {
    game: textAt(bytes, 16, 16),
    rules: textAt(bytes, 32, 16),
    file: name,
    bytes: size,
    digest: Array.from(bytes.subarray(112, 144), (byte) => byte.toString(16).padStart(2, "0")).join(""),
  };
}
