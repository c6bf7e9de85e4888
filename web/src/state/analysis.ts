// SPDX-License-Identifier: MIT
//
// What the engine has said about positions. Each question is asked once; answers are signals, so that components that
// read them are drawn again when they arrive.
import { computed, signal, type ReadonlySignal, type Signal } from "@preact/signals";
import type { LegalMove, MoveAnswer, PositionAnswer } from "../engine/types";
import { bestMoves } from "./best";
import { engine } from "./engine";
import { position, record } from "./store";

export interface Known<T> {
  readonly state: "waiting" | "ready" | "failed";
  readonly answer: T | null;
  /** When it failed: why (state/errors.ts words it). */
  readonly error: unknown;
}

const waiting: Known<never> = { state: "waiting", answer: null, error: null };

/** More than the longest record needs (mostPlies); when it is full, the oldest are forgotten. */
const mostKept = 3000;

/** A failure may pass (a table arrives, a connection comes back), but must not be asked about with every drawing. */
const failureLasts = 5000;

interface Entry<T> {
  readonly known: Signal<Known<T>>;
  /** When it failed; Infinity: it did not. */
  failed: number;
}

class Memory<T> {
  private readonly kept = new Map<string, Entry<T>>();

  constructor(private readonly ask: (game: string, rules: string, position: string) => Promise<T>) {}

  of(game: string, rules: string, text: string): ReadonlySignal<Known<T>> {
    const key = `${game}\n${rules}\n${text}`;
    let entry = this.kept.get(key);
    if (entry && Date.now() - entry.failed < failureLasts) return entry.known;
    entry ??= { known: signal<Known<T>>(waiting), failed: -Infinity };
    this.kept.set(key, entry);
    void this.fill(entry, game, rules, text);
    if (this.kept.size > mostKept) {
      const oldest = this.kept.keys().next().value;
      if (oldest !== undefined) this.kept.delete(oldest);
    }
    return entry.known;
  }

  private async fill(entry: Entry<T>, game: string, rules: string, text: string): Promise<void> {
    entry.failed = Infinity;
    try {
      entry.known.value = { state: "ready", answer: await this.ask(game, rules, text), error: null };
    } catch (error) {
      entry.failed = Date.now();
      entry.known.value = {
        state: "failed",
        answer: null,
        error,
      };
    }
  }

  clear(): void {
    this.kept.clear();
  }
}

/** Push Fight has thousands of moves; the first ones are enough until somebody asks for all. */
export const firstMoves = 200;

const analyses = new Memory<PositionAnswer>(async (game, rules, text) =>
  (await engine()).position(game, rules, text, firstMoves),
);
const fullAnalyses = new Memory<PositionAnswer>(async (game, rules, text) =>
  (await engine()).position(game, rules, text),
);
const legalMoves = new Memory<readonly LegalMove[]>(
  async (game, rules, text) => (await (await engine()).legal(game, rules, text)).moves,
);

/** The value of a position and its best moves. Reading it makes the page ask. */
export function analysisOf(game: string, rules: string, text: string): ReadonlySignal<Known<PositionAnswer>> {
  return analyses.of(game, rules, text);
}

/** The same with every move. */
export function fullAnalysisOf(game: string, rules: string, text: string): ReadonlySignal<Known<PositionAnswer>> {
  return fullAnalyses.of(game, rules, text);
}

/** The legal moves; no table is needed for them. */
export function legalOf(game: string, rules: string, text: string): ReadonlySignal<Known<readonly LegalMove[]>> {
  return legalMoves.of(game, rules, text);
}

/** Values may be better known now (a table has arrived): ask again. */
export function forgetValues(): void {
  analyses.clear();
  fullAnalyses.clear();
  age.value += 1;
}
const age = signal(0);

/** The analysis of the position on the board. */
export const current = computed<Known<PositionAnswer>>(() => {
  void age.value;
  const { game, rules } = record.value;
  return position.value === "" ? waiting : analysisOf(game, rules, position.value).value;
});

/** The legal moves of the position on the board. */
export const currentLegal = computed<Known<readonly LegalMove[]>>(() => {
  const { game, rules } = record.value;
  return position.value === "" ? waiting : legalOf(game, rules, position.value).value;
});

/** The same as texts only. */
export const currentMoveTexts = computed<readonly string[]>(
  () => currentLegal.value.answer?.map(({ move }) => move) ?? [],
);

/** The best moves of the position on the board. */
export const currentBest = computed<readonly MoveAnswer[]>(() => bestMoves(current.value.answer?.moves ?? []));

/** What the moves on the board are worth, as far as they are listed. */
export const currentValues = computed<ReadonlyMap<string, MoveAnswer>>(
  () => new Map((current.value.answer?.moves ?? []).map((move) => [move.move, move])),
);

/** The values of all positions of the record, null where they are not known (yet). */
export const recordAnswers = computed<readonly (PositionAnswer | null)[]>(() => {
  void age.value;
  const { game, rules, start, plies } = record.value;
  if (start === "") return [];
  return [start, ...plies.map((ply) => ply.position)].map((text) => analysisOf(game, rules, text).value.answer);
});
