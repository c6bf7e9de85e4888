// SPDX-License-Identifier: MIT
import { describe, expect, test } from "vitest";
import { decode } from "./address";
import { shareAddress, withoutShare } from "./sharing";

const plies = [
  { move: "2c2b", position: "x" },
  { move: "P*3b", position: "y" },
];
const record = { game: "dobutsu", rules: "official", start: "gle/1c1/1+C1/ELG b - 1", plies };

describe("addresses to share", () => {
  test("hold the whole game", () => {
    const address = shareAddress("https://example.org/k/", record, 1) ?? "";
    expect(address).toBe(
      "https://example.org/k/share/dobutsu?pos=gle%2F1c1%2F1%2BC1%2FELG+b+-+1&rules=official&played=2c2b+P*3b&at=1",
    );
    expect(decode(withoutShare(address)).play).toEqual({
      game: "dobutsu",
      rules: "official",
      start: "gle/1c1/1+C1/ELG b - 1",
      moves: ["2c2b", "P*3b"],
      at: 1,
      flipped: false,
    });
  });

  test("leave out what is not needed", () => {
    expect(shareAddress("/", { ...record, start: "s", plies: [] }, 0)).toBe("/share/dobutsu?pos=s&rules=official");
  });

  test("are not made when the server would not take them", () => {
    expect(shareAddress("/", { ...record, plies: Array(1000).fill({ move: "2c2b", position: "" }) }, 0)).toBeNull();
  });

  test("other texts stay as they are", () => {
    for (const text of ["gle/1c1/1C1/ELG b - 1", "https://example.org/#/play/dobutsu", "/share/"]) {
      expect(withoutShare(text)).toBe(text);
    }
  });
});
