// SPDX-License-Identifier: MIT
import { useEffect, useState } from "preact/hooks";
import { isGame, loadView } from "../games/registry";
import type { GameView } from "../games/view";

/** The view of a game, null until it is loaded. */
export function useView(game: string | null): GameView | null {
  const [view, setView] = useState<GameView | null>(null);
  useEffect(() => {
    let wanted = true;
    if (game !== null && isGame(game)) {
      loadView(game).then(
        (loaded) => {
          if (wanted) setView(loaded);
        },
        () => undefined, // the page says that it waits; another look tries again
      );
    }
    return () => {
      wanted = false;
    };
  }, [game]);
  return view?.name === game ? view : null;
}
