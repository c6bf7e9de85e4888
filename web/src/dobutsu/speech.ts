// SPDX-License-Identifier: MIT
//
// Pieces, squares and moves in words.
import type { Side } from "../games/view";
import { tableIn, type Language } from "../i18n";
import { parse, parseMove, squareName, type HandKind, type Kind, type Picture } from "./parse";

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
    fact: "With perfect play the second player wins in 78 moves.",
    tooMany: (piece: string, count: number) => `There are ${count} ${piece}s; there can be no more than 2.`,
    missing: (piece: string, count: number) => (count === 0 ? `There is no ${piece}.` : `There is only one ${piece}; there have to be two.`),
    lions: (side: string, count: number) => (count === 0 ? `${side} has no lion.` : `${side} has ${count} lions.`),
    cantMove: (piece: string) => `The ${piece} does not move like that.`,
    ownPiece: "Your own piece is there.",
    dropOnPiece: "A piece from the hand goes to an empty square.",
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
    fact: "双方最善なら、78手で後手が勝ちます。",
    tooMany: (piece: string, count: number) => `${piece}が${count}枚あります。2枚までです。`,
    missing: (piece: string, count: number) => (count === 0 ? `${piece}がありません。` : `${piece}が1枚足りません。`),
    lions: (side: string, count: number) => (count === 0 ? `${side}のライオンがいません。` : `${side}のライオンが${count}枚います。`),
    cantMove: (piece: string) => `${piece}はそこへは動けません。`,
    ownPiece: "そこには自分の駒があります。",
    dropOnPiece: "持ち駒は空いているマスに打ちます。",
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

/** What is wrong with the pieces of a picture, one sentence each. */
export function whyIllegal(picture: Picture, language: Language): readonly string[] {
  const text = words(language);
  const found: string[] = [];
  const pieces = picture.squares.flatMap((piece) => (piece ? [piece] : []));
  for (const side of [0, 1] as const) {
    const lions = pieces.filter((piece) => piece.kind === "lion" && piece.side === side).length + picture.hands[side].lion;
    if (lions !== 1) found.push(text.lions(sideName(side, language), lions));
  }
  for (const kind of ["chick", "elephant", "giraffe"] as const) {
    const onBoard = pieces.filter((piece) => piece.kind === kind || (kind === "chick" && piece.kind === "hen")).length;
    const count = onBoard + picture.hands[0][kind] + picture.hands[1][kind];
    if (count > 2) found.push(text.tooMany(pieceName(kind, language), count));
    else if (count < 2) found.push(text.missing(pieceName(kind, language), count));
  }
  return found;
}

const csaNames: Readonly<Record<Kind, string>> = { chick: "HI", hen: "NI", elephant: "ZO", giraffe: "KI", lion: "LI" };
const shortNames: Readonly<Record<Kind, readonly string[]>> = {
  chick: ["ひよこ", "ヒヨコ", "ひ", "ヒ", "雛"],
  hen: ["にわとり", "ニワトリ", "に", "ニ", "鶏"],
  elephant: ["ぞう", "ゾウ", "ぞ", "ゾ", "象"],
  giraffe: ["きりん", "キリン", "き", "キ", "麒"],
  lion: ["ライオン", "らいおん", "ラ", "ら", "獅"],
};

/** "23": file and rank as digits, as KIF and CSA have them. */
function digits(square: number): string {
  const name = squareName(square);
  return `${name[0]}${"abcd".indexOf(name[1] ?? "") + 1}`;
}

/** USI, the words of this page in both languages, KIF and CSA. */
export function spellings(move: string, position: string, last: string | null): readonly string[] {
  const described = describe(move, position);
  if (!described) return [move];
  const { kind, from, to, promotes } = described;
  const target = squareWord(to, "ja");
  const same = last !== null && parseMove(last)?.to === to;
  const found = [move, moveText(move, position, "en"), moveText(move, position, "ja")];
  const mark = from === null ? "打" : promotes ? "成" : "";
  for (const name of shortNames[kind]) {
    for (const place of same ? [target, "同"] : [target]) {
      found.push(`${place}${name}${mark}`);
      if (from !== null) found.push(`${place}${name}${mark}(${digits(from)})`, `${place}${name}${mark}(${squareWord(from, "ja")})`);
      else found.push(`${place}${name}`);
    }
  }
  // CSA names the piece as it is after the move.
  found.push(`${from === null ? "00" : digits(from)}${digits(to)}${csaNames[promotes ? "hen" : kind]}`);
  return found;
}

/** "2二ひよこ(23)", as KIF has it. */
export function kifMove(move: string, position: string, last: string | null): string {
  const described = describe(move, position);
  if (!described) return move;
  const { kind, from, to, promotes } = described;
  const name = words("ja")[kind];
  const [file = "", rank = ""] = squareWord(to, "ja");
  const target = last !== null && parseMove(last)?.to === to ? "同　" : `${"１２３"[Number(file) - 1] ?? file}${rank}`;
  if (from === null) return `${target}${name}打`;
  return `${target}${name}${promotes ? "成" : ""}(${digits(from)})`;
}

export function moveHint(move: string, position: string, language: Language): { readonly from: string; readonly to: string } {
  const described = describe(move, position);
  if (!described) return { from: move, to: move };
  const { kind, from, to } = described;
  const name = pieceName(kind, language);
  if (language === "ja") {
    return { from: from === null ? `持ち駒の${name}` : `${squareWord(from, language)}の${name}`, to: squareWord(to, language) };
  }
  return { from: from === null ? `the ${name} in your hand` : `the ${name} on ${squareName(from)}`, to: squareName(to) };
}
