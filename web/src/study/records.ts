// SPDX-License-Identifier: MIT
//
// The game as text for other programs.
import type { GameView } from "../games/view";
import { positionAt, type GameRecord } from "../state/record";

/** The list that `kanzen annotate` and `kanzen play --load` read; comments after '#'. */
export function listOf({ game, rules, start, plies }: GameRecord, comments: readonly string[]): string {
  const head = [`game: ${game}`, `rules: ${rules}`, `start: ${start}`, ""];
  const note = (text: string) => (text === "" ? "" : `    # ${text.replaceAll(/\s+/g, " ")}`);
  const first = comments[0] ? [`# ${comments[0].replaceAll(/\s+/g, " ")}`] : [];
  return [...first, ...head, ...plies.map(({ move }, number) => `${number + 1} ${move}${note(comments[number + 1] ?? "")}`), ""].join("\n");
}

/** For shogi programs: "position sfen ... moves ...". */
export function usiOf({ start, plies }: GameRecord): string {
  const moves = plies.map(({ move }) => move).join(" ");
  return `position sfen ${start}${moves === "" ? "" : ` moves ${moves}`}`;
}

/** KIF, if the game has it. */
export function kifOf(record: GameRecord, view: GameView, comments: readonly string[]): string | null {
  const { kif } = view;
  if (!kif) return null;
  const lines = [`手合割：${kif.name}`, `ルール：${record.rules}`, `開始局面：${record.start}`, "手数----指手---------"];
  record.plies.forEach(({ move }, number) => {
    const last = record.plies[number - 1]?.move ?? null;
    lines.push(`${String(number + 1).padStart(4)} ${kif.move(move, positionAt(record, number), last)}`);
    const comment = comments[number + 1] ?? "";
    if (comment !== "") lines.push(...comment.split("\n").map((line) => `*${line}`));
  });
  return `${lines.join("\n")}\n`;
}
