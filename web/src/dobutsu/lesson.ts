// SPDX-License-Identifier: MIT
//
// The rules piece by piece.
import type { LessonStep } from "../games/view";

const rules = "official";
const from = (square: string) => (move: string) => move.startsWith(square);
const only = (...moves: readonly string[]) => (move: string) => moves.includes(move);

export const lesson: readonly LessonStep[] = [
  {
    words: { en: "The chick takes one step forward. Move the chick!", ja: "ひよこは前に一つだけ進めます。ひよこを動かしてみよう!" },
    rules,
    position: "l2/3/1C1/2L b GEgec 1",
    isRight: from("2c"),
  },
  {
    words: {
      en: "The giraffe steps forward, back or sideways: follow its dots. Move the giraffe!",
      ja: "きりんは前と後ろと横に一つ進めます。赤い点が目じるしです。きりんを動かしてみよう!",
    },
    rules,
    position: "l2/3/1G1/2L b CEgec 1",
    isRight: from("2c"),
  },
  {
    words: { en: "The elephant steps diagonally. Move the elephant!", ja: "ぞうは斜めに一つ進めます。ぞうを動かしてみよう!" },
    rules,
    position: "l2/3/1E1/2L b CGgec 1",
    isRight: from("2c"),
  },
  {
    words: { en: "The lion steps to any side. Move the lion!", ja: "ライオンはどの向きにも一つ進めます。ライオンを動かしてみよう!" },
    rules,
    position: "l2/3/1L1/3 b CGEgec 1",
    isRight: from("2c"),
  },
  {
    words: {
      en: "Step on a piece of the other side to take it. Take the chick with your chick!",
      ja: "相手の駒があるマスに進むと、その駒を取れます。ひよこで相手のひよこを取ってみよう!",
    },
    rules,
    position: "gle/1c1/1C1/ELG b - 1",
    isRight: only("2c2b"),
  },
  {
    words: {
      en: "A piece that you took is yours now. Put the chick from your hand on an empty square!",
      ja: "取った駒は自分の持ち駒になります。持ち駒のひよこを、空いているマスに打ってみよう!",
    },
    rules,
    position: "gl1/1e1/3/ELG b Cc 3",
    isRight: (move) => move.startsWith("C*"),
  },
  {
    words: {
      en: "A chick that gets to the far row becomes a hen. Move the chick forward!",
      ja: "ひよこは一番奥まで進むと、にわとりになります。ひよこを進めてみよう!",
    },
    rules,
    position: "2l/C2/3/1L1 b GEgec 1",
    isRight: only("3b3a+", "3b3a"),
  },
  {
    words: { en: "Take the lion to win. Take it with the chick!", ja: "相手のライオンを取れば勝ちです。ひよこでライオンを取ろう!" },
    rules,
    position: "1l1/1C1/3/1L1 b GEgec 1",
    isRight: (move) => move.startsWith("2b2a"),
  },
  {
    words: {
      en: "You also win when your lion gets to the far row and can't be taken there: that is a Try. Go!",
      ja: "自分のライオンが一番奥に入って、次に取られなければ勝ちです。これを「トライ」といいます。やってみよう!",
    },
    rules,
    position: "3/L2/2l/3 b GECgec 1",
    isRight: only("3b3a", "3b2a"),
  },
];
