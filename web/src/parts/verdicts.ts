// SPDX-License-Identifier: MIT
//
// How good each move of the game on the board was.
import { computed } from "@preact/signals";
import { language } from "../i18n";
import { outcomeWord } from "../i18n/values";
import { recordAnswers } from "../state/analysis";
import { judge, type Quality, type Verdict } from "../state/mistakes";
import { record } from "../state/store";
import { partTexts } from "./texts";

export const verdicts = computed<readonly Verdict[]>(() => {
  const answers = recordAnswers.value;
  return record.value.plies.map((_, number) => judge(answers[number] ?? null, answers[number + 1] ?? null));
});

/** As in chess books: "??" a blunder, "?" a mistake, "·" right but slow. */
export const qualitySigns: Readonly<Record<Quality, string>> = {
  best: "",
  slow: "·",
  mistake: "?",
  blunder: "??",
  unclear: "",
};

export function verdictWords(verdict: Verdict): string {
  const texts = partTexts();
  const before = outcomeWord(verdict.before, language.value);
  const after = outcomeWord(verdict.after, language.value);
  switch (verdict.quality) {
    case "best":
      return texts.best;
    case "slow":
      return texts.slow(verdict.lost);
    case "mistake":
      return texts.mistake(before, after);
    case "blunder":
      return texts.blunder(before, after);
    case "unclear":
      return texts.unclear;
  }
}
