// SPDX-License-Identifier: MIT
//
// The computer's side: when it is its turn at the end of the game on the board, it thinks a moment and moves.
import { computed, effect } from "@preact/signals";
import { playMove, report } from "./actions";
import { currentLegal } from "./analysis";
import { engine } from "./engine";
import { index, mode, opponent, position, record, tab, thinking, view } from "./store";

/** So many plies before the position on the board are told to the computer, which does not like to repeat positions. */
const pastPlies = 40;

/** Long enough to be seen as an answer and not as part of one's own move. */
const pause = 450;

const computersTurn = computed(() => {
  const game = view.value;
  if (!game || opponent.value.side === null || mode.value !== "play" || tab.value !== "play") return false;
  // With moves taken back the person is looking around; the computer waits.
  if (index.value !== record.value.plies.length || position.value === "") return false;
  if (game.sideToMove(position.value) !== opponent.value.side) return false;
  return (currentLegal.value.answer?.length ?? 0) > 0;
});

async function move(isStale: () => boolean): Promise<void> {
  const { game, rules, start, plies } = record.value;
  const { level, aggressive } = opponent.value;
  const first = Math.max(0, plies.length - pastPlies);
  const seed = Math.floor(Math.random() * 2 ** 31);
  const [answer] = await Promise.all([
    (await engine()).play(
      game,
      rules,
      first > 0 ? (plies[first - 1]?.position ?? start) : start,
      { level, aggressive, seed },
      plies.slice(first).map((ply) => ply.move),
    ),
    new Promise((resolve) => setTimeout(resolve, pause)),
  ]);
  if (!isStale() && answer.move) playMove(answer.move, true);
}

export function startComputer(): void {
  let turn = 0;
  effect(() => {
    // Another position or another opponent makes a move that is being thought about stale.
    turn += 1;
    const mine = turn;
    void opponent.value;
    void position.value;
    const wanted = computersTurn.value;
    thinking.value = wanted;
    if (!wanted) return;
    const isStale = () => mine !== turn;
    queueMicrotask(() => {
      move(isStale)
        .catch((error: unknown) => {
          if (!isStale()) report(error);
        })
        .finally(() => {
          if (!isStale()) thinking.value = false;
        });
    });
  });
}
