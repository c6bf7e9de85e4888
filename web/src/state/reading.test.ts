// SPDX-License-Identifier: MIT
//
// The same game in every form that is read, with the moves of three positions written down by hand.
import { describe, expect, it } from "vitest";
import { spellings } from "../dobutsu/speech";
import { readMoves, splitGame } from "./reading";

const start = "gle/1c1/1C1/ELG b - 1";
const second = "gle/1C1/3/ELG w C 2";
const third = "gl1/1e1/3/ELG b Cc 3";
const known: Readonly<Record<string, readonly { move: string; position: string }[]>> = {
  [start]: [
    { move: "2c2b", position: second },
    { move: "2d3c", position: "x" },
  ],
  [second]: [
    { move: "1a2b", position: third },
    { move: "2a2b", position: "y" },
  ],
  [third]: [
    { move: "C*1b", position: "end" },
    { move: "2d2c", position: "z" },
  ],
  end: [],
};

async function read(text: string): Promise<string> {
  const { start: begin, tokens } = splitGame(text);
  const moves = await readMoves(tokens, begin === "" ? start : begin, {
    legal: (position) => Promise.resolve(known[position] ?? []),
    spellings,
  });
  return moves.map(({ move }) => move).join(" ");
}

const whole = "2c2b 1a2b C*1b";

describe("a game as text", () => {
  it.each([
    ["moves", "2c2b 1a2b C*1b"],
    ["numbered moves", "1. 2c2b 2. 1a2b 3. C*1b"],
    ["USI", "position startpos moves 2c2b 1a2b C*1b"],
    ["USI with a position", `position sfen ${start} moves 2c2b 1a2b C*1b`],
    ["a list of ours", "# a comment\ngame: dobutsu\nrules: official\nresult: unfinished\n\n1 2c2b\n2 1a2b   # takes\n3 C*1b"],
    ["our English", "1. Chick 2c×2b\n2. Elephant 1a×2b\n3. Chick drop 1b"],
    ["our Japanese", "2二ひよこ(2三)\n2二ぞう(1一)\n1二ひよこ打"],
    [
      "KIF",
      "手合割:どうぶつしょうぎ\n先手:Ayumu\n手数----指手---------消費時間--\n   1 2二ひよこ(23)   ( 0:01/00:00:01)\n   2 同 ぞう(11)   ( 0:02/00:00:02)\n*よい手\n   3 1二ひよこ打\n   4 投了\nまで3手で先手の勝ち",
    ],
    ["CSA", "V2\nN+Ayumu\n+\n+2322HI\nT1\n-1122ZO\n+0012HI\n%TORYO"],
  ])("%s", async (_form, text) => {
    expect(await read(text)).toBe(whole);
  });

  it("says which move can't be played", async () => {
    await expect(read("2c2b 1a2b 9z9z")).rejects.toMatchObject({ code: "illegal_move", params: { move: "9z9z", number: 3 } });
    await expect(read("hello there")).rejects.toMatchObject({ code: "not_read" });
  });
});
