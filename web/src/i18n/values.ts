// SPDX-License-Identifier: MIT
//
// Values in words, the same for all games.
import type { Outcome } from "../games/view";
import type { Language } from "./index";
import { tableIn } from "./index";

export type Unit = "plies" | "turns";

export interface Value {
  readonly value: Outcome;
  readonly distance: number | null;
  /** The game has ended. */
  readonly over?: boolean;
}

const words = tableIn(
  {
    win: "Win",
    draw: "Draw",
    loss: "Loss",
    unknown: "Unknown",
    drawn: "Draw with best play",
    hasDrawn: "The game is a draw",
    notKnown: "Not known",
    hasWon: (side: string) => `${side} has won`,
    wins: (side: string) => `${side} wins`,
    winsIn: (side: string, distance: number, unit: Unit) =>
      unit === "turns"
        ? `${side} wins in ${distance} ${distance === 1 ? "turn" : "turns"}`
        : `${side} wins in ${distance}`,
    moveWins: "wins",
    moveWinsIn: (distance: number, _unit: Unit) => `wins in ${distance}`,
    moveDraws: "draws",
    moveLoses: "loses",
    moveLosesIn: (distance: number, _unit: Unit) => `loses in ${distance}`,
    moveUnknown: "not known",
  },
  {
    win: "勝ち",
    draw: "引き分け",
    loss: "負け",
    unknown: "不明",
    drawn: "最善を尽くせば引き分け",
    hasDrawn: "引き分け",
    notKnown: "不明",
    hasWon: (side: string) => `${side}の勝ち`,
    wins: (side: string) => `${side}の勝ち`,
    winsIn: (side: string, distance: number, unit: Unit) =>
      unit === "turns" ? `${side}の勝ち(あと${distance}ターン)` : `${side}の勝ち(あと${distance}手)`,
    moveWins: "勝ち",
    moveWinsIn: (distance: number, unit: Unit) => `${distance}${unit === "turns" ? "ターン" : "手"}で勝ち`,
    moveDraws: "引き分け",
    moveLoses: "負け",
    moveLosesIn: (distance: number, unit: Unit) => `${distance}${unit === "turns" ? "ターン" : "手"}で負け`,
    moveUnknown: "不明",
  },
);

/** "Win", "Draw", "Loss", "Unknown". */
export function outcomeWord(value: Outcome, language: Language): string {
  return words(language)[value];
}

/** What a position is worth, in a sentence: "Gote wins in 78". `mover` and `other` are the names of the sides. */
export function positionWords(value: Value, mover: string, other: string, unit: Unit, language: Language): string {
  const text = words(language);
  if (value.value === "draw") return value.over ? text.hasDrawn : text.drawn;
  if (value.value === "unknown") return text.notKnown;
  const winner = value.value === "win" ? mover : other;
  if (value.distance === null) return text.wins(winner);
  if (value.distance === 0) return text.hasWon(winner);
  return text.winsIn(winner, value.distance, unit);
}

/** What a move is worth to the side that makes it: "wins in 75". */
export function moveWords(value: Value, unit: Unit, language: Language): string {
  const text = words(language);
  switch (value.value) {
    case "win":
      return value.distance === null ? text.moveWins : text.moveWinsIn(value.distance, unit);
    case "loss":
      return value.distance === null ? text.moveLoses : text.moveLosesIn(value.distance, unit);
    case "draw":
      return text.moveDraws;
    case "unknown":
      return text.moveUnknown;
  }
}
