// SPDX-License-Identifier: MIT
//
// All that changes the game on the Play page.
import { batch } from "@preact/signals";
import type { LineAnswer, MoveAnswer } from "../engine/types";
import { gameNames, isGame, loadView } from "../games/registry";
import { EngineError } from "../engine/types";
import { language } from "../i18n";
import type { PlayAddress } from "./address";
import { withoutShare } from "./sharing";
import { decode } from "./address";
import { legalOf } from "./analysis";
import { engine } from "./engine";
import { errorWords, PageError } from "./errors";
import { allGames, firstRules } from "./games";
import { keepGame, keptTree, takeBackGame } from "./kept";
import type { Ply } from "./record";
import { readMoves, splitGame } from "./reading";
import { mostPlies, positionAt } from "./record";
import * as store from "./store";
import type { Opponent, Tab } from "./store";
import { stateTexts } from "./texts";
import { childWith, leafOf, newTree, pathTo, promoted, withComment, withLine, without, type GameTree } from "./tree";

/** The longest known win takes 173 plies. */
const mostLine = 400;

/** Each change of game makes answers to earlier questions stale; they carry the number they were asked under. */
let generation = 0;

export function announce(text: string): void {
  // The same text again would not be read; a no-break space makes it another one.
  store.announcement.value = store.announcement.value === text ? `${text}\u00a0` : text;
}

/** @param typed what the person typed, if that is what is wrong */
export function report(error: unknown, typed = ""): void {
  store.problem.value = { error, typed };
  announce(errorWords(error, language.value, typed));
}

export function dismissProblem(): void {
  store.problem.value = null;
}

export function dismissNotice(): void {
  store.notice.value = null;
}

export function setTab(tab: Tab): void {
  store.tab.value = tab;
}

/** Sets what the computer plays; the person's side comes to the bottom. */
export function setOpponent(opponent: Opponent): void {
  batch(() => {
    if (opponent.side !== null && opponent.side !== store.opponent.value.side)
      store.flipped.value = opponent.side === 0;
    store.opponent.value = opponent;
  });
}

interface Wanted {
  readonly game: string;
  readonly rules: string;
  readonly start: string;
  readonly moves: readonly string[];
  /** How many of the moves are on the board; null: all. */
  readonly at: number | null;
}

/** Puts a game on the board. The one before is kept, and can be fetched back. */
async function show({ game, rules: wantedRules, start, moves, at }: Wanted): Promise<void> {
  generation += 1;
  const mine = generation;
  const view = await loadView(game);
  const rules = wantedRules === "" ? await firstRules(game) : wantedRules;
  const found = await (await engine()).legal(game, rules, start === "" ? undefined : start);
  const plies: Ply[] = [];
  let legal = found.moves;
  let wrong: PageError | null = null;
  for (const move of moves) {
    const known = legal.find((candidate) => candidate.move === move);
    if (!known) {
      wrong = new PageError("illegal_move", { move, number: plies.length + 1 });
      break;
    }
    plies.push(known);
    if (plies.length < moves.length) legal = (await (await engine()).legal(game, found.rules, known.position)).moves;
  }
  if (mine !== generation) return;
  // The same game as the browser has kept: with its variations.
  const known = keptTree(found.game, found.rules, found.position, plies);
  put(known ?? newTree(found.game, found.rules, found.position), plies, at ?? plies.length, () => {
    store.view.value = view;
    store.problem.value = wrong && { error: wrong, typed: "" };
  });
}

function put(tree: GameTree, plies: readonly Ply[], at: number, also: () => void): void {
  batch(() => {
    const left = keepGame(tree);
    const { tree: grown, last } = withLine(tree, 0, plies);
    store.tree.value = grown;
    store.leaf.value = leafOf(grown, last);
    store.index.value = Math.min(at, plies.length);
    store.mode.value = "play";
    store.shownMove.value = null;
    also();
    store.notice.value = left ? { words: () => stateTexts().gameKept, undo: bringBack } : null;
  });
}

/** The game that was on the board before comes back; the one that is there now is kept in its place. */
export function bringBack(number = 0): void {
  const game = takeBackGame(number);
  if (!game) return;
  void loadView(game.tree.game).then((view) => {
    batch(() => {
      keepGame(game.tree);
      store.view.value = view;
      store.tree.value = game.tree;
      store.leaf.value = game.leaf;
      store.index.value = game.index;
      store.mode.value = "play";
      store.notice.value = null;
    });
  });
}

/** A new game; without rules and position the ones that the game has first. */
export async function startGame(game: string, rules = "", position = ""): Promise<void> {
  try {
    await show({ game, rules, start: position, moves: [], at: null });
  } catch (error) {
    report(error);
  }
}

/** Puts a position on the Play page's board and brings that page to the front. */
export async function openPosition(
  game: string,
  rules: string,
  position: string,
  moves: readonly string[] = [],
): Promise<void> {
  try {
    await show({ game, rules, start: position, moves, at: moves.length > 0 ? 0 : null });
    store.tab.value = "play";
  } catch (error) {
    report(error);
  }
}

/** The game that an address describes. If it can't be shown: what is wrong, and the start. */
export async function openAddress(play: PlayAddress): Promise<void> {
  if (!isGame(play.game)) await allGames().catch(() => undefined); // it may be one that only the engine knows
  const game = isGame(play.game) ? play.game : store.tree.value.game;
  try {
    if (game !== play.game) throw new PageError("unknown_game", { game: play.game });
    await show(play);
    store.flipped.value = play.flipped;
  } catch (error) {
    if (store.tree.value.nodes[0]?.position === "") {
      // The rules may be right where the position is not.
      const rules = error instanceof EngineError && error.code === "bad_position" ? play.rules : "";
      await startGame(game, rules);
      if (store.tree.value.nodes[0]?.position === "") await startGame(game);
    }
    report(error, play.start);
  }
}

/** @param byComputer the computer plays its own move; while it thinks, nobody else plays for it */
export function playMove(move: string, byComputer = false): void {
  if (store.thinking.value && !byComputer) return;
  const { game, rules } = store.record.value;
  const legal = legalOf(game, rules, store.position.value).value.answer;
  const ply = legal?.find((candidate) => candidate.move === move);
  if (!ply || store.mode.value !== "play") return;
  const view = store.view.value;
  const spoken = view?.moveSpeech(move, store.position.value, stateTexts.language()) ?? move;
  const side = view ? view.sideName(view.sideToMove(store.position.value), stateTexts.language()) : "";
  if (store.index.value >= mostPlies) return;
  batch(() => {
    const known = childWith(store.tree.value, store.node.value, move);
    if (known !== null) goToNode(known);
    else {
      const { tree, last } = withLine(store.tree.value, store.node.value, [ply]);
      store.tree.value = tree;
      goToNode(last);
    }
    store.problem.value = null;
    store.notice.value = null;
    store.spokenMove.value = stateTexts().played(side, spoken);
    announce(store.spokenMove.value);
  });
}

export function jumpTo(index: number): void {
  batch(() => {
    store.index.value = Math.max(0, Math.min(index, store.record.value.plies.length));
    store.shownMove.value = null;
    store.spokenMove.value = "";
  });
}

/** Any node of the tree; if it is not on the line that is shown, its line is shown. */
export function goToNode(number: number): void {
  batch(() => {
    if (!store.path.value.includes(number)) store.leaf.value = leafOf(store.tree.value, number);
    jumpTo(pathTo(store.tree.value, number).length - 1);
  });
}

/** To the move before or after this one among those that were played in the same position. */
export function stepVariation(step: number): void {
  const here = store.node.value;
  const nodes = store.tree.value.nodes;
  const children = nodes[nodes[here]?.parent ?? -1]?.children ?? [];
  const other = children[children.indexOf(here) + step];
  if (store.index.value > 0 && other !== undefined) goToNode(other);
}

export function setComment(number: number, comment: string): void {
  store.tree.value = withComment(store.tree.value, number, comment);
}

export function promoteNode(number: number): void {
  store.tree.value = promoted(store.tree.value, number);
}

/** Takes a node and all below it out of the tree; that can be undone. */
export function removeNode(number: number): void {
  const before = { tree: store.tree.value, leaf: store.leaf.value, index: store.index.value };
  const parent = before.tree.nodes[number]?.parent ?? -1;
  if (parent < 0) return;
  const depth = pathTo(before.tree, parent).length - 1;
  const line = store.path.value.includes(number) ? pathTo(before.tree, parent) : store.path.value;
  const moves = line.slice(1).flatMap((at) => before.tree.nodes[at] ?? []);
  batch(() => {
    const { tree, last } = withLine(without(before.tree, number), 0, moves);
    store.tree.value = tree;
    store.leaf.value = last;
    store.index.value = Math.min(before.index, line.includes(number) ? depth : moves.length);
    store.shownMove.value = null;
    store.notice.value = {
      words: () => stateTexts().removed,
      undo: () =>
        batch(() => {
          store.tree.value = before.tree;
          store.leaf.value = before.leaf;
          store.index.value = before.index;
          store.notice.value = null;
        }),
    };
  });
}

/** Puts perfect play from here into the tree as a variation, to be stepped through. */
export async function addPerfectPlay(): Promise<void> {
  const { game, rules } = store.record.value;
  const from = store.position.value;
  try {
    const line: MoveAnswer[] = [];
    for (let at: string | undefined = from; at !== undefined && line.length < mostLine; ) {
      const answer: LineAnswer = await (await engine()).line(game, rules, at, mostLine - line.length);
      if (store.position.value !== from) return;
      line.push(...answer.line);
      // A server works on a line for a limited time only; then the rest has to be asked for.
      at = answer.ending === "limit" ? answer.line.at(-1)?.position : undefined;
    }
    const { tree, last } = withLine(store.tree.value, store.node.value, line.slice(0, mostPlies - store.index.value));
    batch(() => {
      store.tree.value = tree;
      store.leaf.value = last;
    });
  } catch (error) {
    report(error);
  }
}

/** Takes a move back; against the computer its answer, too, so that the person is to move again. */
export function undo(): void {
  const computer = store.opponent.value.side;
  const view = store.view.value;
  let target = store.index.value - 1;
  while (
    computer !== null &&
    view &&
    target >= 0 &&
    view.sideToMove(positionAt(store.record.value, target)) === computer
  ) {
    target -= 1;
  }
  if (target >= 0) jumpTo(target);
}

export function redo(): void {
  jumpTo(store.index.value + 1);
}

export function flip(): void {
  store.flipped.value = !store.flipped.value;
}

export function startEditing(): void {
  batch(() => {
    store.draft.value = store.position.value;
    store.mode.value = "edit";
    store.problem.value = null;
  });
}

export function changeDraft(text: string): void {
  store.draft.value = text;
}

export function cancelEditing(): void {
  store.mode.value = "play";
}

/** The draft becomes the start of a new game. */
export async function finishEditing(): Promise<void> {
  const { game, rules } = store.record.value;
  await startGame(game, rules, store.draft.value);
}

/** Any notation of the game on the board or of another one, or an address of this page. Says whether it was read. */
export async function pasteNotation(text: string): Promise<boolean> {
  const address = withoutShare(text.trim());
  const hash = address.indexOf("#/");
  if (hash >= 0) {
    const { play } = decode(address.slice(hash));
    if (play) {
      await openAddress(play);
      if (store.problem.value === null) store.panel.value = "moves";
      return store.problem.value === null;
    }
  }
  const typed = text.trim();
  const { game, rules } = store.record.value;
  const attempts = [
    { game, rules },
    ...gameNames().filter((name) => name !== game).map((name) => ({ game: name, rules: "" })),
  ];
  let first: unknown = null;
  for (const attempt of attempts) {
    try {
      await show({ ...attempt, start: typed, moves: [], at: null });
      store.panel.value = "moves";
      return true;
    } catch (error) {
      first ??= error; // what is wrong with it as a position of the game on the board
    }
  }
  for (const attempt of attempts) {
    try {
      if (await pasteGame(typed, attempt.game, attempt.rules)) return true;
    } catch (error) {
      // The engine knows of positions; a text of several words is more likely a game.
      if (error instanceof EngineError && error.code === "illegal_move") first = error;
    }
  }
  // Where nothing at all was understood, it need not have been a position.
  const strange = first instanceof EngineError && first.code === "bad_position" && Number(first.params["character"] ?? 0) <= 1;
  report(strange && /\s/.test(typed) ? new PageError("not_read") : first, typed);
  return false;
}

/** Reads a whole game: USI, KIF, CSA or a list of moves. False: there is no move in it. */
async function pasteGame(text: string, game: string, wantedRules: string): Promise<boolean> {
  const { start, tokens } = splitGame(text);
  if (tokens.length === 0) return false;
  const view = await loadView(game);
  const rules = wantedRules === "" ? await firstRules(game) : wantedRules;
  const found = await engine();
  const begin = (await found.legal(game, rules, start === "" ? undefined : start)).position;
  const plies = await readMoves(tokens, begin, {
    legal: async (position) => (await found.legal(game, rules, position)).moves,
    spellings: (move, position, last) => view.spellings(move, position, last),
  });
  if (plies.length === 0) return false;
  generation += 1;
  put(newTree(game, rules, begin), plies, plies.length, () => {
    store.view.value = view;
    store.problem.value = null;
  });
  store.hints.value = true;
  store.panel.value = "moves";
  return true;
}
