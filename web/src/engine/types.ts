// SPDX-License-Identifier: MIT
//
// What the engine answers, and what an engine is. The engine is a package of its own, packages/kanzen, which programs of others
// use as well.
export type * from "kanzen/parts";
export { EngineError } from "kanzen/parts";
