// SPDX-License-Identifier: MIT
//
// The parts that the engine is made of, for a page that puts them together in its own way: in a worker, with the tables of
// its site, with a server in place of the module. Kanzen's own page does that.
export { Analyst } from "./analyst.js";
export { type Answer, contentOf } from "./answer.js";
export { RequestEngine, makeRequest } from "./engine.js";
export { CacheKeeper, type Keeper, noKeeper } from "./keeper.js";
export { type TableInfo, tableAt } from "./kanzen.js";
export type { TableEntry } from "./manifest.js";
export { type Fetch, ServerEngine } from "./server.js";
export { Session, type SessionExports } from "./session.js";
export type { Surroundings } from "./table.js";
export * from "./types.js";
