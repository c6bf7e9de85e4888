// SPDX-License-Identifier: MIT
//
// The games that the page can show. A view is loaded when it is first needed, so that nobody waits for the other games. What
// has to be known before that is here.
import { signal } from "@preact/signals";
import type { GameInfo } from "../engine/types";
import type { Language } from "../i18n";
import type { GameView } from "./view";

interface Entry {
  readonly title: Readonly<Record<Language, string>>;
  /** Width by height of the board, for the place that is kept free for it: on wide screens and on narrow ones. */
  readonly wide: string;
  readonly tall: string;
  readonly load: () => Promise<GameView>;
}

const entries: Readonly<Record<string, Entry>> = {
  dobutsu: {
    title: { en: "Dobutsu Shogi", ja: "どうぶつしょうぎ" },
    wide: "554 / 450",
    tall: "350 / 618",
    load: () => import("../dobutsu/view").then((module) => module.dobutsuView),
  },
  pushfight: {
    title: { en: "Push Fight", ja: "プッシュファイト" },
    wide: "896 / 548",
    tall: "896 / 548",
    load: () => import("../pushfight/view").then((module) => module.pushfightView),
  },
};

const loaded = new Map<string, GameView>();

/** Games of the engine that have no view of their own: anygame/ shows them. */
const others = signal<readonly GameInfo[]>([]);

/** Says which games the engine has. */
export function addGames(games: readonly GameInfo[]): void {
  others.value = games.filter(({ name }) => !Object.hasOwn(entries, name));
}

export function gameNames(): readonly string[] {
  return [...Object.keys(entries), ...others.value.map(({ name }) => name)];
}

export function isGame(name: string): boolean {
  return gameNames().includes(name);
}

/** The name of a game as people say it. */
export function gameTitle(name: string, language: Language): string {
  return entries[name]?.title[language] ?? others.value.find((game) => game.name === name)?.title ?? name;
}

export function boardRatio(name: string, wide: boolean): string {
  return entries[name]?.[wide ? "wide" : "tall"] ?? "1 / 1";
}

export async function loadView(name: string): Promise<GameView> {
  const known = loaded.get(name);
  if (known) return known;
  const entry = entries[name];
  const other = others.value.find((game) => game.name === name);
  if (!entry && !other) throw new Error(`there is no game '${name}'`);
  const view = entry ? await entry.load() : (await import("../anygame/view")).anyView(other as GameInfo);
  loaded.set(name, view);
  return view;
}
