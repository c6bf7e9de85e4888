// SPDX-License-Identifier: MIT
//
// What both entries, index.ts and node.ts, have beside openKanzen.
export { Kanzen, type RawRequest, type TableInfo, type TableOptions, type TableSource } from "./kanzen.js";
export type { ByteSource } from "./local.js";
export type { Answer } from "./answer.js";
export { type Fetch, ServerEngine } from "./server.js";
export * from "./types.js";
