// SPDX-License-Identifier: MIT
import { language, table, type Language } from "../i18n";

const texts = table(
  {
    illegalMove: (move: string, number: number) =>
      `Move ${number}, ${move}, can't be played here; the moves up to it are shown.`,
    noSuchGame: (name: string) => `There is no game called ${name} on this page.`,
    played: (side: string, move: string) => `${side}: ${move}`,
    noEngine: "Neither a server nor the engine of this page could be reached.",
  },
  {
    illegalMove: (move: string, number: number) => `${number}手目の${move}は指せません。その前までを表示します。`,
    noSuchGame: (name: string) => `「${name}」というゲームはありません。`,
    played: (side: string, move: string) => `${side}、${move}`,
    noEngine: "サーバーにもこのページのエンジンにも接続できませんでした。",
  },
);

export const stateTexts = Object.assign(texts, { language: (): Language => language.value });
