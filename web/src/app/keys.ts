// SPDX-License-Identifier: MIT
//
// Keys that work anywhere on the Play page: Z and Y take moves back and play them again, Home and End jump, F flips.
import { flip, jumpTo, redo, undo } from "../state/actions";
import { index, mode, record, tab } from "../state/store";

const actions: Readonly<Record<string, () => void>> = {
  z: undo,
  y: redo,
  f: flip,
  "[": () => jumpTo(index.value - 1),
  "]": () => jumpTo(index.value + 1),
  Home: () => jumpTo(0),
  End: () => jumpTo(record.value.plies.length),
};

export function startKeys(): void {
  window.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (tab.value !== "play" || mode.value !== "play") return;
    const target = event.target;
    if (target instanceof HTMLElement && target.matches("input, textarea, select")) return;
    // With Caps Lock or Shift, letters come as capitals.
    const action = actions[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!action) return;
    event.preventDefault();
    action();
  });
}
