// SPDX-License-Identifier: MIT
//
// How well somebody does with puzzles. A puzzle counts once: as solved if the first move tried was the right one.

export interface Score {
  readonly solved: number;
  readonly tried: number;
  /** Solved in a row, now and at best. */
  readonly streak: number;
  readonly best: number;
}

export const noScore: Score = { solved: 0, tried: 0, streak: 0, best: 0 };

export function withResult(score: Score, solved: boolean): Score {
  const streak = solved ? score.streak + 1 : 0;
  return {
    solved: score.solved + (solved ? 1 : 0),
    tried: score.tried + 1,
    streak,
    best: Math.max(score.best, streak),
  };
}

export function encodeScore(score: Score): string {
  return [score.solved, score.tried, score.streak, score.best].join(" ");
}

/** What the browser has kept; anything that makes no sense is no score. */
export function decodeScore(text: string | null): Score {
  if (text === null || !/^\d{1,9}( \d{1,9}){3}$/.test(text)) return noScore;
  const [solved = 0, tried = 0, streak = 0, best = 0] = text.split(" ").map(Number);
  return solved <= tried && streak <= best && best <= solved ? { solved, tried, streak, best } : noScore;
}
