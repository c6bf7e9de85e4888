// SPDX-License-Identifier: MIT
//
// The rules in three turns, on the small board.
import type { LessonStep } from "../games/view";

const rules = "mini";

export const lesson: readonly LessonStep[] = [
  {
    words: {
      en: "A turn ends with a push. Choose a square piece, then a neighbour: the whole row moves. Push something!",
      ja: "ターンの最後に、四角い駒で押します。四角い駒を選び、隣の駒を選ぶと、列ごと動きます。押してみよう!",
    },
    rules,
    position: "",
    isRight: () => true,
  },
  {
    words: {
      en: "Before the push you may move up to two pieces over empty squares. Move one piece, then push!",
      ja: "押す前に、空いているマスを通って駒を二回まで動かせます。一つ動かしてから押してみよう!",
    },
    rules,
    position: "",
    isRight: (move) => move.includes(","),
  },
];
