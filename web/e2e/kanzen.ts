// SPDX-License-Identifier: MIT
//
// What the command line says. The page has to say the same.
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { kanzenEnvironment, kanzenPath, siteFolder } from "./surroundings";

const run = promisify(execFile);

export type Outcome = "win" | "draw" | "loss" | "unknown";

export interface Value {
  readonly value: Outcome;
  readonly distance: number | null;
}

export interface ValuedMove extends Value {
  readonly move: string;
  readonly position: string;
}

interface MovesAnswer extends Value {
  readonly position: string;
  readonly side: string;
  readonly moves: readonly ValuedMove[];
}

interface LineAnswer {
  readonly plies: readonly (Value & { readonly position: string; readonly move: string | null })[];
}

export interface Stats {
  readonly positions: number;
  readonly wins: number;
  readonly losses: number;
  readonly draws: number;
  readonly sha256: string;
  /** Counted in plies or in turns. */
  readonly distances: readonly { readonly plies?: number; readonly turns?: number; readonly wins: number; readonly losses: number }[];
}

export interface Puzzle {
  readonly position: string;
  readonly distance: number;
  readonly move: string;
}

async function ask<T>(command: string, game: string, rules: string, position: string): Promise<T> {
  const options = ["--rules", rules, "--json"];
  const { stdout } = await run(kanzenPath(), [command, game, ...options, ...(position === "" ? [] : ["--", position])], {
    env: kanzenEnvironment(),
    maxBuffer: 2 ** 26,
  });
  return JSON.parse(stdout) as T;
}

/** The value of a position ("": the start) and all its moves, best first. */
export function movesOf(game: string, rules: string, position = ""): Promise<MovesAnswer> {
  return ask("moves", game, rules, position);
}

/** Perfect play from a position. */
export function lineOf(game: string, rules: string, position = ""): Promise<LineAnswer> {
  return ask("line", game, rules, position);
}

/** How many positions are worth what. */
export function statsOf(game: string, rules: string): Promise<Stats> {
  return ask("stats", game, rules, "");
}

async function collection<T>(kind: string, game: string, rules: string): Promise<T> {
  return JSON.parse(await readFile(join(siteFolder(), "collections", `${kind}-${game}-${rules}.json`), "utf8")) as T;
}

export async function puzzlesOf(game: string, rules: string): Promise<readonly Puzzle[]> {
  return (await collection<{ readonly puzzles: readonly Puzzle[] }>("puzzles", game, rules)).puzzles;
}

export async function galleryOf(game: string, rules: string): Promise<readonly Puzzle[]> {
  return (await collection<{ readonly positions: readonly Puzzle[] }>("gallery", game, rules)).positions;
}
