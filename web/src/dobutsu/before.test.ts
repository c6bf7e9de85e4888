// SPDX-License-Identifier: MIT
import { expect, it } from "vitest";
import { positionsBefore } from "./before";

it("the positions before include those that a game came from", () => {
  // A capture, a drop, a step, and a chick that became a hen: position before, position after.
  for (const [before, after] of [
    ["gle/1c1/1C1/ELG b -", "gle/1C1/3/ELG w C 2"],
    ["gl1/1e1/3/ELG b Cc", "gl1/1eC/3/ELG w c 4"],
    ["gle/1c1/1C1/ELG b -", "gle/1c1/1CG/EL1 w - 2"],
    ["1l1/C2/3/1L1 b GEgec", "+Cl1/3/3/1L1 w GEgec 2"],
  ] as const) {
    expect(positionsBefore(after), after).toContain(before);
  }
});
