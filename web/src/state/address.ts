// SPDX-License-Identifier: MIT
//
// The address after '#': which tab, and for the Play page the whole game.
//
//   #/play/dobutsu/official?start=gle/1c1/1C1/ELG_b_-_1&moves=2c2b.1a2b&at=1
//   #/puzzles/dobutsu/7
//
// Spaces are written as '_' and moves are separated by '.', which no notation of positions or moves uses for anything
// else in that place.
import type { Tab } from "./store";

export interface PlayAddress {
  readonly game: string;
  /** "" when the address does not say. */
  readonly rules: string;
  readonly start: string;
  readonly moves: readonly string[];
  /** How many moves are on the board; null: all. */
  readonly at: number | null;
  readonly flipped: boolean;
}

export interface Address {
  readonly tab: Tab;
  /** What comes after the tab's name, without the leading '/'. */
  readonly subpath: string;
  /** Of the Play tab only, and null there, too, when no game is named. */
  readonly play: PlayAddress | null;
}

const tabs: readonly Tab[] = ["play", "puzzles", "lesson", "gallery", "numbers", "about", "developers", "variants"];

export function encodeText(text: string): string {
  return encodeURIComponent(text.replaceAll(" ", "_")).replaceAll("%2F", "/").replaceAll("%2C", ",");
}

function decodeText(text: string): string {
  let plain: string;
  try {
    plain = decodeURIComponent(text);
  } catch {
    plain = text; // a stray '%': the engine will say what is wrong with the text
  }
  return plain.replaceAll("_", " ");
}

export function encodePlay(play: PlayAddress): string {
  const query: string[] = [];
  if (play.start) query.push(`start=${encodeText(play.start)}`);
  if (play.moves.length > 0) query.push(`moves=${play.moves.map(encodeText).join(".")}`);
  if (play.at !== null && play.at !== play.moves.length) query.push(`at=${play.at}`);
  if (play.flipped) query.push("flip=1");
  const path = ["#/play", play.game, play.rules].filter((part) => part !== "").join("/");
  return query.length > 0 ? `${path}?${query.join("&")}` : path;
}

export function decode(hash: string): Address {
  const text = hash.replace(/^#?\/?/, "");
  const mark = text.indexOf("?");
  const path = mark < 0 ? text : text.slice(0, mark);
  const fields = new Map<string, string>();
  for (const pair of mark < 0 ? [] : text.slice(mark + 1).split("&")) {
    const equals = pair.indexOf("=");
    if (equals > 0) fields.set(pair.slice(0, equals), pair.slice(equals + 1));
  }
  const [name = "", ...rest] = path.split("/");
  const tab = tabs.find((known) => known === name) ?? "play";
  if (tab !== "play") return { tab, subpath: decodeText(rest.join("/")), play: null };

  const [game = "", rules = ""] = rest;
  if (game === "") return { tab, subpath: "", play: null };
  const at = fields.get("at");
  return {
    tab,
    subpath: "",
    play: {
      game: decodeText(game),
      rules: decodeText(rules),
      start: decodeText(fields.get("start") ?? ""),
      moves: (fields.get("moves") ?? "")
        .split(".")
        .filter((move) => move !== "")
        .map(decodeText),
      at: at !== undefined && /^\d{1,6}$/.test(at) ? Number(at) : null,
      flipped: fields.get("flip") === "1",
    },
  };
}
