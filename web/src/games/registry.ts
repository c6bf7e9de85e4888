// SPDX-License-Identifier: MIT
//
// The games that the page can show. A view is loaded when it is first needed, so that nobody waits for the other game.
import type { GameView } from "./view";

const loaders: Readonly<Record<string, () => Promise<GameView>>> = {
  dobutsu: () => import("../dobutsu/view").then((module) => module.dobutsuView),
  pushfight: () => import("../pushfight/view").then((module) => module.pushfightView),
};

const loaded = new Map<string, GameView>();

export const gameNames: readonly string[] = Object.keys(loaders);

export function isGame(name: string): boolean {
  return Object.hasOwn(loaders, name);
}

export async function loadView(name: string): Promise<GameView> {
  const known = loaded.get(name);
  if (known) return known;
  const load = loaders[name];
  if (!load) throw new Error(`there is no game '${name}'`);
  const view = await load();
  loaded.set(name, view);
  return view;
}
