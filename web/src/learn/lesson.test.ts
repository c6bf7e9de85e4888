// SPDX-License-Identifier: MIT
//
// Every step of the lessons can be solved, and most can be got wrong, by the rules of the engine.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { lesson as dobutsu } from "../dobutsu/lesson";
import { Analyst, type LegalAnswer, contentOf, makeRequest } from "kanzen/parts";
import { lesson as pushfight } from "../pushfight/lesson";

const modulePath = join(import.meta.dirname, "../../public/kanzen.wasm");

describe.skipIf(!existsSync(modulePath))("the lessons", () => {
  const analyst = new Analyst(() => WebAssembly.compile(readFileSync(modulePath)), null);
  it.each([...dobutsu.map((step, number) => ["dobutsu", number, step] as const), ...pushfight.map((step, number) => ["pushfight", number, step] as const)])(
    "%s, step %s",
    async (game, _number, step) => {
      const request = makeRequest(`${game}/legal`, { rules: step.rules, pos: step.position === "" ? undefined : step.position });
      const { moves } = contentOf<LegalAnswer>(await analyst.ask(request));
      expect(moves.filter(({ move }) => step.isRight(move)).length).toBeGreaterThan(0);
      expect(step.words.ja).toMatch(/[ぁ-ん]/);
    },
  );
});
