// SPDX-License-Identifier: MIT
//
// Which puzzle is next, and how the address names it: "dobutsu/official/7/2" is the second one of length 7, and
// "dobutsu/official/any/40" the 40th of all.
import type { Puzzle } from "./collections";

export interface PuzzlePath {
  readonly game: string;
  readonly rules: string;
  /** null: any. */
  readonly length: number | null;
  /** From 0 in the list of that length; null: not chosen yet. */
  readonly number: number | null;
}

const digits = /^\d{1,6}$/;

export function parsePath(subpath: string): PuzzlePath {
  const [game = "", rules = "", length = "", number = ""] = subpath.split("/");
  return {
    game,
    rules,
    length: digits.test(length) ? Number(length) : null,
    number: digits.test(number) && Number(number) > 0 ? Number(number) - 1 : null,
  };
}

export function formatPath({ game, rules, length, number }: PuzzlePath): string {
  const parts = [game, rules];
  if (length !== null || number !== null) parts.push(length === null ? "any" : String(length));
  if (number !== null) parts.push(String(number + 1));
  return parts.join("/");
}

export function lengthsOf(puzzles: readonly Puzzle[]): readonly number[] {
  return [...new Set(puzzles.map((puzzle) => puzzle.distance))].sort((a, b) => a - b);
}

export function ofLength(puzzles: readonly Puzzle[], length: number | null): readonly Puzzle[] {
  return length === null ? puzzles : puzzles.filter((puzzle) => puzzle.distance === length);
}

/**
 * One of `count` puzzles, but none of those seen as long as there are others; `random` is from 0 up to 1. When all have
 * been seen, any but the last one.
 */
export function nextNumber(count: number, seen: ReadonlySet<number>, last: number | null, random: number): number | null {
  const all = Array.from({ length: count }, (_, number) => number);
  const fresh = all.filter((number) => !seen.has(number));
  const others = all.filter((number) => number !== last);
  const choice = fresh.length > 0 ? fresh : others.length > 0 ? others : all;
  return choice[Math.min(Math.floor(random * choice.length), choice.length - 1)] ?? null;
}
