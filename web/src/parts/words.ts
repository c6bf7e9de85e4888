// SPDX-License-Identifier: MIT
//
// Values in words for the game on the board.
import type { PositionAnswer } from "../engine/types";
import type { GameView } from "../games/view";
import { language } from "../i18n";
import { positionWords } from "../i18n/values";

/** "Gote wins in 78". */
export function answerWords(answer: PositionAnswer, view: GameView): string {
  const mover = view.sideToMove(answer.position);
  return positionWords(
    answer,
    view.sideName(mover, language.value),
    view.sideName(mover === 0 ? 1 : 0, language.value),
    answer.unit,
    language.value,
  );
}
