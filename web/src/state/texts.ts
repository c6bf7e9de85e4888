// SPDX-License-Identifier: MIT
import { language, table, type Language } from "../i18n";

const texts = table(
  {
    played: (side: string, move: string) => `${side}: ${move}`,
    gameKept: "The game before is kept.",
    removed: "The moves were removed.",
  },
  {
    played: (side: string, move: string) => `${side}、${move}`,
    gameKept: "前の対局は保存されています。",
    removed: "手順を削除しました。",
  },
);

export const stateTexts = Object.assign(texts, { language: (): Language => language.value });
