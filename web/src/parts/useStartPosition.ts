// SPDX-License-Identifier: MIT
import { gameInfo } from "../state/games";

/** The position that the game begins with, or null while it is not known. */
export function useStartPosition(game: string, rules: string): string | null {
  return gameInfo(game)?.rules.find((known) => known.name === rules)?.start ?? null;
}
