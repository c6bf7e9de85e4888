// SPDX-License-Identifier: MIT
//
// The address that is handed on to others. What comes after '#' is never sent to a server, so whoever makes a preview of the
// page's own address sees no position. `kanzen serve` has another address for the same board, with an image of it.
import { encodePlay } from "./address";
import { engineKind } from "./engine";
import type { GameRecord } from "./record";
import { index, record } from "./store";

/** What the server takes. */
const mostQuery = 4096;

export function shareAddress(base: string, { game, rules, start, plies }: GameRecord, at: number): string | null {
  const query = new URLSearchParams({ pos: start, rules });
  if (plies.length > 0) query.set("played", plies.map(({ move }) => move).join(" "));
  if (at !== plies.length) query.set("at", String(at));
  const text = query.toString();
  return text.length > mostQuery ? null : `${base}share/${encodeURIComponent(game)}?${text}`;
}

/** Of the game on the Play page. */
export function addressToShare(): string {
  const base = new URL(".", document.baseURI).href;
  return (engineKind.value === "server" ? shareAddress(base, record.value, index.value) : null) ?? location.href;
}

/** The address of the page that such an address leads to, or the text as it is. */
export function withoutShare(text: string): string {
  const [, game, query] = /\/share\/([^/?#]+)\??([^#]*)$/.exec(text) ?? [];
  if (game === undefined) return text;
  const fields = new URLSearchParams(query);
  const moves = (fields.get("played") ?? "").split(" ").filter((move) => move !== "");
  const at = fields.get("at");
  return encodePlay({
    game: decodeURIComponent(game),
    rules: fields.get("rules") ?? "",
    start: fields.get("pos") ?? "",
    moves,
    at: at !== null && /^\d{1,6}$/.test(at) ? Number(at) : null,
    flipped: false,
  });
}
