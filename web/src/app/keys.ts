// SPDX-License-Identifier: MIT
//
// Keys that work anywhere on the Play page: Z and Y, or the arrow keys to the left and right, take moves back and play them again,
// Home and End jump, F flips. In the list of moves, up and down go to the other moves that were played instead of this one. The
// board has the arrow keys for itself while it has the focus.
import { flip, jumpTo, redo, stepVariation, undo } from "../state/actions";
import { index, mode, record, tab } from "../state/store";

const actions: Readonly<Record<string, () => void>> = {
  z: undo,
  y: redo,
  ArrowLeft: undo,
  ArrowRight: redo,
  f: flip,
  "[": () => jumpTo(index.value - 1),
  "]": () => jumpTo(index.value + 1),
  Home: () => jumpTo(0),
  End: () => jumpTo(record.value.plies.length),
};

const inList: Readonly<Record<string, () => void>> = {
  ArrowUp: () => stepVariation(-1),
  ArrowDown: () => stepVariation(1),
};

export function startKeys(): void {
  window.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (tab.value !== "play" || mode.value !== "play") return;
    const target = event.target;
    if (target instanceof HTMLElement && target.matches("input, textarea, select")) return;
    // With Caps Lock or Shift, letters come as capitals.
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const listed = target instanceof HTMLElement && target.closest(".history") !== null;
    const action = (listed ? inList[key] : undefined) ?? actions[key];
    if (!action) return;
    event.preventDefault();
    action();
  });
}
