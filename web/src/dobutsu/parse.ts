// SPDX-License-Identifier: MIT
//
// Reads the canonical notation to draw it, and writes it for the editor. What is legal is the engine's affair, so this
// takes any arrangement, and anything unreadable as empty.
import type { Side } from "../games/view";

export type Kind = "chick" | "hen" | "elephant" | "giraffe" | "lion";
export const kinds: readonly Kind[] = ["chick", "hen", "elephant", "giraffe", "lion"];
/** What a hand can hold, in the order in which it is drawn. A lion lies there when it has been taken. */
export type HandKind = "chick" | "elephant" | "giraffe" | "lion";
export const handKinds: readonly HandKind[] = ["chick", "elephant", "giraffe"];

export interface Piece {
  readonly kind: Kind;
  readonly side: Side;
}

export type Hand = Readonly<Record<HandKind, number>>;

export interface Picture {
  /** 12 squares, rank a first, each rank from file 3 to file 1: as sente sees the board from top left. */
  readonly squares: readonly (Piece | null)[];
  readonly hands: readonly [Hand, Hand];
  readonly toMove: Side;
  /** The number of the move, or "" if the notation does not tell. */
  readonly number: string;
}

export const columns = 3;
export const rows = 4;

const letterKinds: Readonly<Record<string, Kind>> = { c: "chick", h: "hen", e: "elephant", g: "giraffe", l: "lion" };
const kindLetters: Readonly<Record<Kind, string>> = { chick: "C", hen: "+C", elephant: "E", giraffe: "G", lion: "L" };
const emptyHand: Hand = { chick: 0, elephant: 0, giraffe: 0, lion: 0 };

function sideOfLetter(letter: string): Side {
  return letter === letter.toUpperCase() ? 0 : 1;
}

function parseRanks(text: string): (Piece | null)[] {
  const squares: (Piece | null)[] = [];
  for (const rank of text.split("/").slice(0, rows)) {
    const line: (Piece | null)[] = [];
    let promoted = false;
    for (const letter of rank) {
      if (letter >= "1" && letter <= "3") {
        for (let count = Number(letter); count > 0; count--) line.push(null);
      } else if (letter === "+") {
        promoted = true;
      } else {
        const kind = letterKinds[letter.toLowerCase()];
        if (kind) line.push({ kind: promoted && kind === "chick" ? "hen" : kind, side: sideOfLetter(letter) });
        promoted = false;
      }
    }
    while (line.length < columns) line.push(null);
    squares.push(...line.slice(0, columns));
  }
  while (squares.length < columns * rows) squares.push(null);
  return squares;
}

function parseHands(text: string): [Hand, Hand] {
  const hands: [Record<HandKind, number>, Record<HandKind, number>] = [{ ...emptyHand }, { ...emptyHand }];
  let count = 1;
  for (const letter of text) {
    if (letter >= "1" && letter <= "9") {
      count = Number(letter);
      continue;
    }
    const kind = letterKinds[letter.toLowerCase()];
    if (kind && kind !== "hen") hands[sideOfLetter(letter)][kind] += count;
    count = 1;
  }
  return hands;
}

export function parse(text: string): Picture {
  const [ranks = "", side = "b", hands = "-", number = ""] = text.trim().split(/\s+/);
  return { squares: parseRanks(ranks), hands: parseHands(hands), toMove: side === "w" ? 1 : 0, number };
}

function formatHand(hand: Hand, side: Side): string {
  let text = "";
  for (const kind of ["lion", "giraffe", "elephant", "chick"] as const) {
    const count = hand[kind];
    if (count === 0) continue;
    const letter = kindLetters[kind];
    text += (count > 1 ? String(count) : "") + (side === 0 ? letter : letter.toLowerCase());
  }
  return text;
}

export function format(picture: Picture): string {
  const ranks: string[] = [];
  for (let row = 0; row < rows; row++) {
    let rank = "";
    let empty = 0;
    for (let column = 0; column < columns; column++) {
      const piece = picture.squares[row * columns + column];
      if (!piece) {
        empty += 1;
        continue;
      }
      if (empty > 0) rank += String(empty);
      empty = 0;
      const letter = kindLetters[piece.kind];
      rank += piece.side === 0 ? letter : letter.toLowerCase();
    }
    ranks.push(empty > 0 ? rank + String(empty) : rank);
  }
  const hands = formatHand(picture.hands[0], 0) + formatHand(picture.hands[1], 1) || "-";
  const fields = [ranks.join("/"), picture.toMove === 0 ? "b" : "w", hands];
  if (picture.number !== "") fields.push(picture.number);
  return fields.join(" ");
}

/** "2c" for the square number; files are counted from sente's right, ranks from the top. */
export function squareName(square: number): string {
  return `${columns - (square % columns)}${"abcd"[Math.floor(square / columns)]}`;
}

/** The number of a square's name, or -1. */
export function squareNumber(name: string): number {
  const column = columns - Number(name[0]);
  const row = "abcd".indexOf(name[1] ?? "?");
  return column >= 0 && column < columns && row >= 0 ? row * columns + column : -1;
}

export interface MoveParts {
  /** The square it comes from, or null for a drop. */
  readonly from: number | null;
  readonly drop: HandKind | null;
  readonly to: number;
  readonly promotes: boolean;
}

/** Takes a move text apart: "2c2b", "2b2a+", "C*2b". null: not a move. */
export function parseMove(move: string): MoveParts | null {
  if (move[1] === "*") {
    const kind = letterKinds[(move[0] ?? "").toLowerCase()];
    const to = squareNumber(move.slice(2, 4));
    if (!kind || kind === "hen" || to < 0) return null;
    return { from: null, drop: kind, to, promotes: false };
  }
  const from = squareNumber(move.slice(0, 2));
  const to = squareNumber(move.slice(2, 4));
  return from < 0 || to < 0 ? null : { from, drop: null, to, promotes: move[4] === "+" };
}
