// SPDX-License-Identifier: MIT
//
// Reads a game from text: USI, KIF, CSA, or a list of moves in any spelling that the game's view knows. Which move is meant is
// decided by comparing with the legal moves.
import type { LegalMove } from "../engine/types";
import { PageError } from "./errors";

export interface GameText {
  /** The position that the game begins with, "" for the usual one. */
  readonly start: string;
  readonly tokens: readonly string[];
}

/** Wide digits and letters become plain ones; spaces, case and signs that only separate don't count. */
export function normal(text: string): string {
  return text
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/[\s_]+/g, "")
    .replaceAll(/[–—−]/g, "-")
    .replaceAll("⇒", "-")
    .replaceAll("×", "x");
}

/** Words that end or decorate a record and are no moves. */
const noMove =
  /^(\d+[.)]*|\d+\.{2,}|[*#;].*|[!?·]+|\(?\d*:?\d+:\d+\/?[\d:]*\)?|[()/]|resign|投了|中断|千日手|詰み?|まで.*|%.*|t\d+|1-0|0-1|1\/2-1\/2|1\/2|p[i+\-\d].*|v\d.*|n[+-].*|\$.*|[+-])$/;

/** Splits a record into what may be moves. */
export function splitGame(text: string): GameText {
  const usi = /(?:position\s+)?(startpos|sfen\s+(.+?))\s+moves\s+([^]+)$/.exec(text.trim());
  if (usi) return { start: (usi[2] ?? "").trim(), tokens: (usi[3] ?? "").split(/\s+/) };
  let start = "";
  const tokens: string[] = [];
  for (const raw of text.split(/\r?\n/)) {
    const line = raw.normalize("NFKC").trim();
    const heading = /^(開始局面|start|position)\s*[:=]\s*(.+)$/i.exec(line);
    if (heading) {
      start = heading[2] ?? "";
      continue;
    }
    // Headings and comments.
    if (line === "" || /^[#*;'$&]/.test(line) || /^[^\d+\-(][^:]*:/.test(line) || line.startsWith("手数--")) continue;
    const plain = line.replaceAll(/\{[^}]*\}/g, " ").replace(/\s#.*$/, "").replaceAll(/\(\s*\d+:\d+\s*\/[^)]*\)/g, " ");
    tokens.push(...plain.split(/\s+/).filter((token) => token !== ""));
  }
  return { start, tokens };
}

interface Reader {
  readonly legal: (position: string) => Promise<readonly LegalMove[]>;
  /** All ways to write a move; the first is the engine's. */
  readonly spellings: (move: string, position: string, last: string | null) => readonly string[];
}

/** The moves of a game. Throws with the number of the first one that can't be played. */
export async function readMoves(tokens: readonly string[], start: string, { legal, spellings }: Reader): Promise<readonly LegalMove[]> {
  const found: LegalMove[] = [];
  let position = start;
  for (let at = 0; at < tokens.length; ) {
    const moves = await legal(position);
    const last = found.at(-1)?.move ?? null;
    const written = new Map<string, LegalMove>();
    for (const move of moves) {
      for (const spelling of spellings(move.move, position, last)) {
        const key = normal(spelling);
        if (!written.has(key)) written.set(key, move);
      }
    }
    // A move may have spaces in it, and a number before it without one.
    let used = 0;
    let move: LegalMove | undefined;
    for (let count = Math.min(4, tokens.length - at); count > 0 && !move; count--) {
      const joined = normal(tokens.slice(at, at + count).join("")).replace(/[!?]+$/, "");
      move = written.get(joined) ?? written.get(joined.replace(/^\d+\.+/, "")) ?? written.get(joined.replace(/^[▲△☗☖+-]/, ""));
      used = count;
    }
    if (move) {
      found.push(move);
      position = move.position;
      at += used;
    } else if (noMove.test(normal(tokens[at] ?? "")) || moves.length === 0) {
      at += 1;
    } else {
      throw new PageError(found.length === 0 ? "not_read" : "illegal_move", { move: tokens[at] ?? "", number: found.length + 1 });
    }
  }
  return found;
}
