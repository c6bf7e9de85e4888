// SPDX-License-Identifier: MIT
import { describe, expect, it } from "vitest";
import { subjectOf } from "./Chooser";

const subjects = [
  { game: "dobutsu", rules: "official" },
  { game: "pushfight", rules: "mini" },
  { game: "pushfight", rules: "twocolumn" },
];

describe("the game that a page is about", () => {
  it("is the one in the address", () => {
    expect(subjectOf(subjects, "pushfight/twocolumn/7/2", "dobutsu")).toBe(subjects[2]);
    expect(subjectOf(subjects, "pushfight", "dobutsu")).toBe(subjects[1]);
    expect(subjectOf(subjects, "pushfight/hook", "dobutsu")).toBe(subjects[1]);
  });

  it("is the one on the board when the address names none", () => {
    expect(subjectOf(subjects, "", "pushfight")).toBe(subjects[1]);
    expect(subjectOf(subjects, "chess", "pushfight")).toBe(subjects[0]);
    expect(subjectOf([], "dobutsu", "dobutsu")).toBeNull();
  });
});
