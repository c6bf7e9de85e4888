// SPDX-License-Identifier: MIT
import { table } from "../i18n";

export const variantTexts = table(
  {
    title: "A variant of your own",
    intro:
      "Write the rules in the language of Fairy-Stockfish's variants.ini, paste them, or open a file. The start position and the pieces are shown at once. A small game is solved here, in your browser, by the same C code as everywhere.",
    text: "Rules of the variant",
    file: "Open a file (.ini)",
    reading: "Reading…",
    wrong: "This can't be played:",
    taken: (name: string) => `A game called “${name}” is here already. Give it another name in the first line.`,
    pieces: "Pieces",
    start: "Start position",
    size: (count: string) => `At most ${count} positions.`,
    solve: "Solve it here",
    solving: (part: string) => `Solving… ${part}`,
    stop: "Stop",
    tooLarge: "That is too much for a browser. On a computer with Kanzen:",
    play: "Play it, with values",
    solved: "Solved: the value of every position is known.",
    failed: (reason: string) => `It could not be solved: ${reason}`,
  },
  {
    title: "自分で作る変則ルール",
    intro:
      "Fairy-Stockfishのvariants.iniの書き方でルールを書くか、貼り付けるか、ファイルを開いてください。開始局面と駒がすぐに表示されます。小さなゲームは、ほかと同じC言語のコードで、このブラウザーの中で解析できます。",
    text: "ルール",
    file: "ファイルを開く(.ini)",
    reading: "読み取り中…",
    wrong: "このルールは使えません:",
    taken: (name: string) => `「${name}」という名前のゲームがすでにあります。1行目で別の名前にしてください。`,
    pieces: "駒",
    start: "開始局面",
    size: (count: string) => `最大${count}局面。`,
    solve: "ここで解析する",
    solving: (part: string) => `解析中… ${part}`,
    stop: "中止",
    tooLarge: "ブラウザーには大きすぎます。Kanzenの入ったコンピューターで次のように実行してください:",
    play: "形勢を見ながら対局する",
    solved: "解析が終わりました。全局面の形勢がわかります。",
    failed: (reason: string) => `解析できませんでした:${reason}`,
  },
);
