// SPDX-License-Identifier: MIT
import { describe, expect, it } from "vitest";
import { moveWords, outcomeWord, positionWords } from "./values";

const say = (value: "win" | "draw" | "loss" | "unknown", distance: number | null, language: "en" | "ja" = "en") =>
  positionWords(
    { value, distance },
    language === "en" ? "Sente" : "先手",
    language === "en" ? "Gote" : "後手",
    "plies",
    language,
  );

describe("values in words", () => {
  it("names the winner and the distance", () => {
    expect(say("loss", 78)).toBe("Gote wins in 78");
    expect(say("win", 75)).toBe("Sente wins in 75");
    expect(say("loss", 0)).toBe("Gote has won");
    expect(say("draw", null)).toBe("Draw with best play");
    expect(positionWords({ value: "draw", distance: null, over: true }, "X", "O", "plies", "en")).toBe("The game is a draw");
    expect(say("unknown", null)).toBe("Not known");
    expect(say("loss", 78, "ja")).toBe("後手の勝ち(あと78手)");
  });

  it("counts turns where the game does", () => {
    expect(positionWords({ value: "win", distance: 1 }, "Red", "Blue", "turns", "en")).toBe("Red wins in 1 turn");
    expect(positionWords({ value: "loss", distance: 3 }, "Red", "Blue", "turns", "en")).toBe("Blue wins in 3 turns");
  });

  it("says what a move is worth to who makes it", () => {
    expect(moveWords({ value: "win", distance: 75 }, "plies", "en")).toBe("wins in 75");
    expect(moveWords({ value: "loss", distance: 30 }, "plies", "ja")).toBe("30手で負け");
    expect(moveWords({ value: "loss", distance: 3 }, "turns", "ja")).toBe("3ターンで負け");
    expect(moveWords({ value: "draw", distance: null }, "plies", "en")).toBe("draws");
    expect(outcomeWord("unknown", "ja")).toBe("不明");
  });
});
