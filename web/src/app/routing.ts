// SPDX-License-Identifier: MIT
//
// The address and the state follow each other. Moves replace the address, so that Back leaves the game instead of taking
// back moves; another tab is a step of its own.
import { batch, effect } from "@preact/signals";
import { decode, encodePlay, encodeText } from "../state/address";
import { openAddress, startGame } from "../state/actions";
import { flipped, index, record, subpath, tab } from "../state/store";

function addressOfState(): string | null {
  if (tab.value !== "play")
    return subpath.value === "" ? `#/${tab.value}` : `#/${tab.value}/${encodeText(subpath.value)}`;
  const { game, rules, start, plies } = record.value;
  if (start === "") return null;
  return encodePlay({
    game,
    rules,
    start,
    moves: plies.map((ply) => ply.move),
    at: index.value,
    flipped: flipped.value,
  });
}

function tabOfHash(hash: string): string {
  return decode(hash).tab;
}

async function follow(hash: string): Promise<void> {
  const address = decode(hash);
  batch(() => {
    tab.value = address.tab;
    subpath.value = address.subpath;
  });
  if (address.play) await openAddress(address.play);
  else if (record.value.start === "") await startGame(record.value.game, record.value.rules);
}

export function startRouting(): void {
  let lastTab = tab.value;
  let shown = location.hash;
  void follow(shown);
  effect(() => {
    if (tab.value !== lastTab) {
      // The rest of the address was the other tab's, unless it has just been read from the address.
      if (tabOfHash(location.hash) !== tab.value) subpath.value = "";
      lastTab = tab.value;
    }
    const wanted = addressOfState();
    if (wanted === null || wanted === location.hash) return;
    const sameTab = tabOfHash(location.hash) === tab.value;
    shown = wanted;
    history[sameTab ? "replaceState" : "pushState"](null, "", wanted);
  });
  const onChange = () => {
    if (location.hash === shown) return;
    shown = location.hash;
    void follow(shown);
  };
  window.addEventListener("hashchange", onChange);
  window.addEventListener("popstate", onChange);
}
