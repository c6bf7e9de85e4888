// SPDX-License-Identifier: MIT
//
// All that changes the game on the Play page.
import { batch } from "@preact/signals";
import type { LineAnswer, MoveAnswer } from "../engine/types";
import { gameNames, isGame, loadView } from "../games/registry";
import type { PlayAddress } from "./address";
import { decode } from "./address";
import { legalOf } from "./analysis";
import { engine } from "./engine";
import { firstRules } from "./games";
import type { GameRecord, Ply } from "./record";
import { mostPlies, positionAt, withMove } from "./record";
import * as store from "./store";
import type { Opponent, Tab } from "./store";
import { stateTexts } from "./texts";

/** The longest known win takes 173 plies. */
const mostLine = 400;

/** Each change of game makes answers to earlier questions stale; they carry the number they were asked under. */
let generation = 0;

export function announce(text: string): void {
  // The same text again would not be read; a no-break space makes it another one.
  store.announcement.value = store.announcement.value === text ? `${text}\u00a0` : text;
}

export function report(error: unknown): void {
  const message = error instanceof Error ? error.message : String(error);
  store.problem.value = message;
  announce(message);
}

export function dismissProblem(): void {
  store.problem.value = null;
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

async function show(game: string, wantedRules: string, start: string, moves: readonly string[], at: number | null) {
  generation += 1;
  const mine = generation;
  const view = await loadView(game);
  const rules = wantedRules === "" ? await firstRules(game) : wantedRules;
  const found = await (await engine()).legal(game, rules, start === "" ? undefined : start);
  const plies: Ply[] = [];
  let legal = found.moves;
  let wrong: string | null = null;
  for (const move of moves) {
    const known = legal.find((candidate) => candidate.move === move);
    if (!known) {
      wrong = stateTexts().illegalMove(move, plies.length + 1);
      break;
    }
    plies.push(known);
    if (plies.length < moves.length) legal = (await (await engine()).legal(game, found.rules, known.position)).moves;
  }
  if (mine !== generation) return;
  const record: GameRecord = { game: found.game, rules: found.rules, start: found.position, plies };
  batch(() => {
    store.view.value = view;
    store.record.value = record;
    store.index.value = Math.min(at ?? plies.length, plies.length);
    store.mode.value = "play";
    store.shownMove.value = null;
    store.problem.value = wrong;
  });
}

/** A new game; without rules and position the ones that the game has first. */
export async function startGame(game: string, rules = "", position = ""): Promise<void> {
  try {
    await show(game, rules, position, [], null);
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
    await show(game, rules, position, moves, moves.length > 0 ? 0 : null);
    store.tab.value = "play";
  } catch (error) {
    report(error);
  }
}

/** The game that an address describes. */
export async function openAddress(play: PlayAddress): Promise<void> {
  if (!isGame(play.game)) {
    report(new Error(stateTexts().noSuchGame(play.game)));
    return;
  }
  try {
    await show(play.game, play.rules, play.start, play.moves, play.at);
    store.flipped.value = play.flipped;
  } catch (error) {
    report(error);
  }
}

export function playMove(move: string): void {
  const { game, rules } = store.record.value;
  const legal = legalOf(game, rules, store.position.value).value.answer;
  const ply = legal?.find((candidate) => candidate.move === move);
  if (!ply || store.mode.value !== "play") return;
  const view = store.view.value;
  const spoken = view?.moveSpeech(move, store.position.value, stateTexts.language()) ?? move;
  const side = view ? view.sideName(view.sideToMove(store.position.value), stateTexts.language()) : "";
  batch(() => {
    store.record.value = withMove(store.record.value, store.index.value, ply);
    jumpTo(store.index.value + 1);
    store.problem.value = null;
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

/** Puts perfect play from here into the record, to be stepped through; what had been taken back is dropped. */
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
    const plies = [...store.record.value.plies.slice(0, store.index.value), ...line].slice(0, mostPlies);
    store.record.value = { ...store.record.value, plies: plies.map(({ move, position }) => ({ move, position })) };
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
  const hash = text.indexOf("#/");
  if (hash >= 0) {
    const { play } = decode(text.slice(hash).trim());
    if (play) {
      await openAddress(play);
      return store.problem.value === null;
    }
  }
  const { game, rules } = store.record.value;
  const attempts = [
    { game, rules },
    ...gameNames.filter((name) => name !== game).map((name) => ({ game: name, rules: "" })),
  ];
  let first: unknown = null;
  for (const attempt of attempts) {
    try {
      await show(attempt.game, attempt.rules, text.trim(), [], null);
      return true;
    } catch (error) {
      first ??= error; // what is wrong with it as a position of the game on the board
    }
  }
  report(first);
  return false;
}
