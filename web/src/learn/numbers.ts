// SPDX-License-Identifier: MIT
//
// How many positions have which value, from either source: the engine's answer about a table, or what `kanzen stats
// --json` printed about it.
import type { TableAnswer } from "../engine/types";
import type { Unit } from "../i18n/values";

export interface Row {
  readonly distance: number;
  readonly wins: number;
  readonly losses: number;
}

export interface Numbers {
  readonly positions: number;
  readonly wins: number;
  readonly losses: number;
  readonly draws: number;
  readonly bytes: number;
  readonly digest: string;
  readonly unit: Unit;
  /** By distance; those that do not occur are left out. */
  readonly rows: readonly Row[];
}

function sum(rows: readonly Row[], of: (row: Row) => number): number {
  return rows.reduce((total, row) => total + of(row), 0);
}

function numbersOf(rows: readonly Row[], draws: number, bytes: number, digest: string, unit: Unit): Numbers {
  const wins = sum(rows, (row) => row.wins);
  const losses = sum(rows, (row) => row.losses);
  return { positions: wins + losses + draws, wins, losses, draws, bytes, digest, unit, rows };
}

export function numbersOfAnswer(answer: TableAnswer, unit: Unit): Numbers {
  const rows = new Map<number, Row>();
  let draws = 0;
  for (const { value, distance, count } of answer.counts) {
    if (value === "draw") draws += count;
    if ((value !== "win" && value !== "loss") || distance === null) continue;
    const known = rows.get(distance) ?? { distance, wins: 0, losses: 0 };
    rows.set(distance, value === "win" ? { ...known, wins: known.wins + count } : { ...known, losses: known.losses + count });
  }
  const sorted = [...rows.values()].sort((a, b) => a.distance - b.distance);
  return numbersOf(sorted, draws, answer.bytes, answer.digest, unit);
}

function count(fields: Readonly<Record<string, unknown>>, name: string): number | null {
  const value = fields[name];
  return typeof value === "number" && value >= 0 ? value : null;
}

/** null if it is something else. */
export function numbersOfStats(stats: unknown): Numbers | null {
  if (typeof stats !== "object" || stats === null) return null;
  const fields = stats as Readonly<Record<string, unknown>>;
  const list = fields["distances"];
  const draws = count(fields, "draws");
  const bytes = count(fields, "table_bytes");
  const digest = fields["sha256"];
  if (!Array.isArray(list) || draws === null || bytes === null || typeof digest !== "string") return null;
  const rows: Row[] = [];
  let unit: Unit = "plies";
  for (const item of list as readonly Readonly<Record<string, unknown>>[]) {
    if (count(item, "turns") !== null) unit = "turns";
    const distance = count(item, unit);
    const wins = count(item, "wins");
    const losses = count(item, "losses");
    if (distance === null || wins === null || losses === null) return null;
    rows.push({ distance, wins, losses });
  }
  return numbersOf(rows, draws, bytes, digest, unit);
}

/** The row with the longest win or loss; null when there is none. */
export function longest(numbers: Numbers, of: "wins" | "losses"): Row | null {
  return numbers.rows.filter((row) => row[of] > 0).at(-1) ?? null;
}
