// SPDX-License-Identifier: MIT
import { describe, expect, it } from "vitest";
import { EngineError } from "../engine/types";
import { errorWords, PageError } from "./errors";

const english = "character 15 ('X'): not a piece";

describe("errors in words", () => {
  it("are Japanese on the Japanese page, whatever the engine's sentence is", () => {
    const codes = ["bad_position", "unknown_rules", "unknown_game", "no_table", "table_damaged", "busy", "offline", "something_new"];
    for (const code of codes) {
      const words = errorWords(new EngineError(400, english, code, { character: 15 }), "ja");
      expect(words, code).toMatch(/[ぁ-んァ-ヶ一-龠]/);
      expect(words, code).not.toContain("character");
    }
  });

  it("quote what the person typed, and nothing else", () => {
    const error = new EngineError(400, english, "bad_position", { character: 3 });
    expect(errorWords(error, "en", "abZcd")).toBe("This is no position of the game: “Zcd” can't be read.");
    expect(errorWords(error, "ja", "abZcd")).toContain("「Zcd」");
    expect(errorWords(error, "en")).toBe("This is no position of the game.");
  });

  it("of the page itself have both languages", () => {
    const error = new PageError("illegal_move", { move: "9z9z", number: 2 });
    expect(errorWords(error, "en")).toContain("Move 2, “9z9z”");
    expect(errorWords(error, "ja")).toContain("2手目「9z9z」");
  });
});
