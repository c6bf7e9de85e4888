// SPDX-License-Identifier: MIT
//
// The listed turns by the position that they lead to. There may be 25,000 of them, and the board should not wait; so what
// a turn leads to is a sum of one number for each piece and square, which a step changes in a few places only. Different
// positions hardly ever have the same sum; they are told apart when a turn is found.
import { afterTurn, readTurn, type Step } from "./arrangement";
import { beyond, type Shape } from "./shape";

/** Empty squares come first; the anchor is counted by itself. */
const letters = ".oOxX";
const kinds = letters.length;

function codeOf(letter: string): number {
  return Math.max(letters.indexOf(letter === "Y" ? "X" : letter === "P" ? "O" : letter), 0);
}

/** Numbers that look random, below 2^44: sums of them are exact. */
function weights(count: number): Float64Array {
  const all = new Float64Array(count);
  let state = 20240229;
  const bits = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state >>> 10;
  };
  for (let i = 0; i < count; i++) all[i] = bits() * 2 ** 22 + bits();
  return all;
}

interface Arrangement {
  readonly cells: Uint8Array;
  readonly sum: number;
}

export class TurnResults {
  private readonly size: number;
  private readonly weight: Float64Array;
  private readonly anchor: Float64Array;
  /** For two neighbours the square beyond the second, or -1. */
  private readonly next: Int8Array;
  private readonly found = new Map<number, string[]>();

  constructor(
    private readonly shape: Shape,
    private readonly position: string,
    legal: readonly string[],
  ) {
    this.size = shape.squares.length;
    const all = weights(this.size * (kinds + 1));
    this.weight = all.subarray(0, this.size * kinds);
    this.weight.forEach((_, i, weight) => {
      if (i % kinds === 0) weight[i] = 0; // nothing on a square counts nothing
    });
    this.anchor = all.subarray(this.size * kinds);
    this.next = new Int8Array(this.size * this.size);
    for (let from = 0; from < this.size; from++) {
      for (let to = 0; to < this.size; to++) this.next[from * this.size + to] = beyond(shape, from, to);
    }
    this.list(legal);
  }

  /** The listed turn that leads where this push leads, or null. `position` is what moves have made of the first one. */
  turn(position: string, push: Step): string | null {
    const turns = this.found.get(this.pushed(this.read(position), push));
    if (!turns) return null;
    const result = afterTurn(this.shape, position, { moves: [], push });
    return turns.find((text) => this.resultOf(text) === result) ?? null;
  }

  private resultOf(text: string): string | null {
    const turn = readTurn(this.shape, text);
    return turn && afterTurn(this.shape, this.position, turn);
  }

  private list(legal: readonly string[]): void {
    const steps = new Map<string, Step | null>();
    const stepOf = (text: string): Step | null => {
      let step = steps.get(text);
      if (step === undefined) {
        step = readTurn(this.shape, text)?.push ?? null;
        steps.set(text, step);
      }
      return step;
    };
    // Many turns differ in the push alone.
    const arrangements = new Map<string, Arrangement>([["", this.read(this.position)]]);
    const arrangementAfter = (moves: string): Arrangement => {
      const known = arrangements.get(moves);
      if (known) return known;
      const end = moves.lastIndexOf(",");
      const step = stepOf(moves.slice(end + 1));
      const before = arrangementAfter(end < 0 ? "" : moves.slice(0, end));
      const after = step ? this.moved(before, step) : before;
      arrangements.set(moves, after);
      return after;
    };
    for (const text of legal) {
      const end = text.lastIndexOf(",");
      const push = stepOf(text.slice(end + 1));
      if (!push) continue;
      const sum = this.pushed(arrangementAfter(end < 0 ? "" : text.slice(0, end)), push);
      const same = this.found.get(sum);
      if (same) same.push(text);
      else this.found.set(sum, [text]);
    }
  }

  private read(position: string): Arrangement {
    const cells = Uint8Array.from({ length: this.size }, (_, square) => codeOf(position[square] ?? "."));
    return { cells, sum: cells.reduce((sum, code, square) => sum + this.count(square, code), 0) };
  }

  private count(square: number, code: number): number {
    return this.weight[square * kinds + code] ?? 0;
  }

  private moved({ cells, sum }: Arrangement, { from, to }: Step): Arrangement {
    const after = cells.slice();
    const code = cells[from] ?? 0;
    after[from] = 0;
    after[to] = code;
    return { cells: after, sum: sum - this.count(from, code) + this.count(to, code) };
  }

  /** The sum after a push. */
  private pushed({ cells, sum }: Arrangement, { from, to }: Step): number {
    let carried = cells[from] ?? 0;
    let last = from;
    let square = to;
    let result = sum - this.count(from, carried) + (this.anchor[to] ?? 0);
    while (square >= 0 && carried !== 0) {
      const code = cells[square] ?? 0;
      result += this.count(square, carried) - this.count(square, code);
      carried = code;
      const after = this.next[last * this.size + square] ?? -1;
      last = square;
      square = after;
    }
    return result;
  }
}
