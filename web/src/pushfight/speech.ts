// SPDX-License-Identifier: MIT
//
// Turns in words, short for lists and long for screen readers.
import type { Side } from "../games/view";
import type { Language } from "../i18n";
import { moveIn, pieceAt, pushIn, readTurn, sideToMove, type Piece } from "./arrangement";
import { countOf } from "./editing";
import type { Shape } from "./shape";
import { boardOf } from "./shapes";
import { words } from "./texts";

export function sideName(side: Side, language: Language): string {
  return side === 0 ? words(language).red : words(language).blue;
}

export function rulesName(rules: string, language: Language): string {
  const text = words(language);
  switch (rules) {
    case "two-pushers":
      return text.twoPushers;
    case "standard":
    case "mini":
    case "twocolumn":
    case "onecolumn":
    case "corridor":
    case "raft":
    case "hook":
      return text[rules];
    default:
      return rules;
  }
}

/** "Red pusher", "Blue pusher with the anchor". */
export function pieceName(piece: Piece, language: Language): string {
  const text = words(language);
  const name = text.piece(sideName(piece.side, language), text[piece.kind]);
  if (!piece.anchored) return name;
  return language === "ja" ? `${name}(${text.anchored})` : `${name} ${text.anchored}`;
}

/** "b2–a2, c2⇒d2": moves, and the push with a double arrow. */
export function turnText(turn: string): string {
  const steps = turn.split(",");
  return steps.map((step, i) => step.replace("-", i === steps.length - 1 ? "⇒" : "–")).join(", ");
}

/** The same in a sentence: who goes where, who is pushed, who falls. */
export function turnSpeech(shape: Shape, turn: string, position: string, language: Language): string {
  const steps = readTurn(shape, turn);
  if (!steps || position.length !== shape.squares.length) return turnText(turn);
  const text = words(language);
  const name = (square: number) => shape.squares[square]?.name ?? "";
  const mover = sideToMove(position);
  const cells = [...position];
  const parts: string[] = [];
  for (const step of steps.moves) {
    const kind = text[pieceAt(cells.join(""), step.from)?.kind ?? "pusher"];
    parts.push(language === "ja" ? `${kind}を${name(step.from)}から${name(step.to)}へ` : `${kind} from ${name(step.from)} to ${name(step.to)}`);
    moveIn(cells, step);
  }
  const before = cells.join("");
  const { line, fallen } = pushIn(shape, cells, steps.push);
  const ja = language === "ja";
  const pushed = line.slice(1).map((square) => {
    const piece = pieceAt(before, square);
    const kind = text[piece?.kind ?? "pusher"];
    const what = piece && piece.side !== mover ? text.piece(sideName(piece.side, language), kind) : text.ownPiece(kind);
    return ja ? `${name(square)}の${what}` : `${what} on ${name(square)}`;
  });
  const falls = fallen ? text.piece(sideName(fallen.side, language), text[fallen.kind]) : null;
  const from = name(steps.push.from);
  if (ja) {
    parts.push(`${from}の${text.pusher}で${pushed.join("と")}を押す`);
    if (falls !== null) parts.push(`${falls}が盤から落ちる`);
    return parts.join("、");
  }
  const last = pushed.pop() ?? "";
  parts.push(`${text.pusher} on ${from} pushes ${pushed.length > 0 ? `${pushed.join(", ")} and ${last}` : last}`);
  return parts.join(", then ") + (falls !== null ? `; ${falls} falls off the board` : "");
}

/** Which pieces are too many or too few. */
export function whyIllegal(rules: string, position: string, language: Language): readonly string[] {
  const start = boardOf(rules)?.start ?? "";
  return ([0, 1] as const).flatMap((side) =>
    (["pusher", "mover"] as const).flatMap((kind) => {
      const count = countOf(position, kind, side);
      const all = countOf(start, kind, side);
      return count === all ? [] : [words(language).pieces(pieceName({ kind, side, anchored: false }, language), count, all)];
    }),
  );
}
