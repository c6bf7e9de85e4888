// SPDX-License-Identifier: MIT
import type { Language } from "../i18n";

const texts = {
  en: {
    board: "Board",
    empty: "empty",
    canGo: "can be chosen",
    cantGo: "That is no legal move.",
    waiting: "The board is coming …",
    which: "Which move?",
    help: "Arrow keys go from square to square; Enter chooses a square; Escape starts again. A move takes one square or several, in order.",
    edit: "Position as text",
    from: "from",
    sides: ["first", "second"],
  },
  ja: {
    board: "盤面",
    empty: "空き",
    canGo: "選べます",
    cantGo: "そこには指せません。",
    waiting: "盤面を読み込んでいます…",
    which: "どの手にしますか",
    help: "矢印キーでマスを移動し、Enter で選び、Escape でやり直します。手は一つまたは複数のマスを順に選びます。",
    edit: "局面(テキスト)",
    from: "から",
    sides: ["先手", "後手"],
  },
} as const;

export function words(language: Language) {
  return texts[language];
}
