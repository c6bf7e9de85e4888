// SPDX-License-Identifier: MIT
//
// A game as it was played: where it began, and each move with the position that it led to.

export interface Ply {
  readonly move: string;
  /** The position after the move, in canonical notation. */
  readonly position: string;
}

export interface GameRecord {
  readonly game: string;
  readonly rules: string;
  readonly start: string;
  readonly plies: readonly Ply[];
}

/** Longer than any game that gets somewhere; a record must fit into an address. */
export const mostPlies = 1000;

/** The position after `index` plies. */
export function positionAt(record: GameRecord, index: number): string {
  if (index <= 0) return record.start;
  return record.plies[index - 1]?.position ?? record.start;
}
