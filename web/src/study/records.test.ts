// SPDX-License-Identifier: MIT
//
// What is written here is read by the command line.
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { dobutsuView } from "../dobutsu/view";
import type { GameRecord } from "../state/record";
import { kifOf, listOf, usiOf } from "./records";

const command = process.env["KANZEN"] ?? join(import.meta.dirname, "../../../build/kanzen");
const record: GameRecord = {
  game: "dobutsu",
  rules: "official",
  start: "gle/1c1/1C1/ELG b - 1",
  plies: [
    { move: "2c2b", position: "gle/1C1/3/ELG w C 2" },
    { move: "1a2b", position: "gl1/1e1/3/ELG b Cc 3" },
    { move: "C*1b", position: "gl1/1eC/3/ELG w c 4" },
  ],
};
const comments = ["", "bold", "", "a drop"];

function annotated(text: string): readonly string[] {
  const out = execFileSync(command, ["annotate", "-", "--json"], { input: text, encoding: "utf8" });
  return (JSON.parse(out) as { moves: { move: string }[] }).moves.map(({ move }) => move);
}

describe.skipIf(!existsSync(command))("records for the command line", () => {
  it("lists", () => expect(annotated(listOf(record, comments))).toEqual(["2c2b", "1a2b", "C*1b"]));
  it("KIF", () => expect(annotated(kifOf(record, dobutsuView, comments) ?? "")).toEqual(["2c2b", "1a2b", "C*1b"]));
});

it("USI", () => {
  expect(usiOf(record)).toBe("position sfen gle/1c1/1C1/ELG b - 1 moves 2c2b 1a2b C*1b");
});
