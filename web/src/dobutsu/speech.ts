// SPDX-License-Identifier: MIT
//
// Pieces, squares and moves in words.
import type { Side } from "../games/view";
import { tableIn, type Language } from "../i18n";
import { parse, parseMove, squareName, type HandKind, type Kind } from "./parse";

export const words = tableIn(
  {
    chick: "chick",
    hen: "hen",
    elephant: "elephant",
    giraffe: "giraffe",
    lion: "lion",
    sente: "Sente",
    gote: "Gote",
    official: "Official rules",
    simplified: "Simplified Try rule",
    empty: "empty",
    hand: (side: string) => `${side}'s hand`,
    inHand: (piece: string, count: number) => `${count} ${piece}${count === 1 ? "" : "s"} in hand`,
    board: "Dobutsu Shogi board",
    canGo: "can be reached",
    chosen: "chosen",
    help: "Choose a piece, then a square; or drag it. Arrow keys move between squares and hands, Enter chooses, Escape puts back.",
  },
  {
    chick: "ひよこ",
    hen: "にわとり",
    elephant: "ぞう",
    giraffe: "きりん",
    lion: "ライオン",
    sente: "先手",
    gote: "後手",
    official: "公式ルール",
    simplified: "簡略トライルール",
    empty: "空き",
    hand: (side: string) => `${side}の持ち駒`,
    inHand: (piece: string, count: number) => `持ち駒の${piece}${count}枚`,
    board: "どうぶつしょうぎの盤",
    canGo: "移動できます",
    chosen: "選択中",
    help: "駒を選んでから行き先を選びます。ドラッグもできます。矢印キーで移動、Enterで選択、Escapeで取り消し。",
  },
);

export function sideName(side: Side, language: Language): string {
  return side === 0 ? words(language).sente : words(language).gote;
}

export function pieceName(kind: Kind | HandKind, language: Language): string {
  return words(language)[kind];
}

const kanjiRanks: Readonly<Record<string, string>> = { a: "一", b: "二", c: "三", d: "四" };

/** "2c", and "2三" in Japanese. */
export function squareWord(square: number, language: Language): string {
  const name = squareName(square);
  return language === "ja" ? `${name[0]}${kanjiRanks[name[1] ?? ""] ?? ""}` : name;
}

interface Described {
  readonly kind: Kind;
  readonly taken: Kind | null;
  readonly from: number | null;
  readonly to: number;
  readonly promotes: boolean;
}

function describe(move: string, position: string): Described | null {
  const parts = parseMove(move);
  if (!parts) return null;
  const picture = parse(position);
  const kind = parts.drop ?? (parts.from === null ? null : picture.squares[parts.from]?.kind);
  if (!kind) return null;
  return {
    kind,
    taken: picture.squares[parts.to]?.kind ?? null,
    from: parts.from,
    to: parts.to,
    promotes: parts.promotes,
  };
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** "Chick 2c×2b", "Elephant drop 2b", "Chick 2b–2a = hen"; "2二ひよこ(2三)". */
export function moveText(move: string, position: string, language: Language): string {
  const described = describe(move, position);
  if (!described) return move;
  const { kind, taken, from, to, promotes } = described;
  const name = pieceName(kind, language);
  if (language === "ja") {
    const target = squareWord(to, language);
    if (from === null) return `${target}${name}打`;
    return `${target}${name}${promotes ? "成" : ""}(${squareWord(from, language)})`;
  }
  if (from === null) return `${capital(name)} drop ${squareName(to)}`;
  return `${capital(name)} ${squareName(from)}${taken ? "×" : "–"}${squareName(to)}${promotes ? " = hen" : ""}`;
}

export function moveSpeech(move: string, position: string, language: Language): string {
  const described = describe(move, position);
  if (!described) return move;
  const { kind, taken, from, to, promotes } = described;
  const text = words(language);
  const name = text[kind];
  const target = squareWord(to, language);
  if (language === "ja") {
    if (from === null) return `${target}に${name}を打つ`;
    const takes = taken ? `${text[taken]}を取る` : "";
    return `${name}、${squareWord(from, language)}から${target}へ${takes}${promotes ? "、にわとりに成る" : ""}`;
  }
  if (from === null) return `${name} dropped on ${target}`;
  const way = taken ? `takes ${text[taken]} on ${target}` : `to ${target}`;
  return `${name} from ${squareName(from)} ${way}${promotes ? ", becomes a hen" : ""}`;
}
