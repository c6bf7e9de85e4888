// SPDX-License-Identifier: MIT
import { describe, expect, it } from "vitest";
import { decode, encodePlay, type PlayAddress } from "./address";

const game: PlayAddress = {
  game: "dobutsu",
  rules: "official",
  start: "gle/1c1/1C1/ELG b - 1",
  moves: ["2c2b", "C*2b", "2b2a+"],
  at: 2,
  flipped: true,
};

describe("the address of a game", () => {
  it("can be read by people", () => {
    expect(encodePlay({ ...game, moves: ["2c2b"], at: 1, flipped: false })).toBe(
      "#/play/dobutsu/official?start=gle/1c1/1C1/ELG_b_-_1&moves=2c2b",
    );
  });

  it("comes back as it was", () => {
    expect(decode(encodePlay(game))).toEqual({ tab: "play", subpath: "", play: game });
  });

  it("keeps turns of Push Fight, which have commas, and positions with dots", () => {
    const turns: PlayAddress = {
      game: "pushfight",
      rules: "mini",
      start: ".OX.....oxY....Oox.....OX.",
      moves: ["b2-a2,c2-d2", "b2-c2"],
      at: null,
      flipped: false,
    };
    expect(decode(encodePlay(turns)).play).toEqual(turns);
  });

  it("keeps a drawn board of several lines", () => {
    const drawn = { ...game, start: " .ox..\n..OOX...\n", moves: [], at: null };
    expect(decode(encodePlay(drawn)).play).toEqual(drawn);
  });

  it("leaves out what goes without saying", () => {
    expect(encodePlay({ game: "dobutsu", rules: "", start: "", moves: [], at: 0, flipped: false })).toBe(
      "#/play/dobutsu",
    );
  });
});

describe("addresses from elsewhere", () => {
  it.each(["", "#", "#/", "#/nothing", "#main"])("%j opens the Play page", (hash) => {
    expect(decode(hash)).toEqual({ tab: "play", subpath: "", play: null });
  });

  it("knows the other tabs and leaves the rest to them", () => {
    expect(decode("#/puzzles/dobutsu/7")).toEqual({ tab: "puzzles", subpath: "dobutsu/7", play: null });
  });

  it("does not stumble over broken escapes, empty moves and odd numbers", () => {
    const { play } = decode("#/play/dobutsu?start=%E0%A4%A&moves=..2c2b.&at=-3&flip=yes&=x&y");
    expect(play).toEqual({ game: "dobutsu", rules: "", start: "%E0%A4%A", moves: ["2c2b"], at: null, flipped: false });
  });
});
