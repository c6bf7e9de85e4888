// SPDX-License-Identifier: MIT
import { expect, it } from "vitest";
import { afterTurn, pieceAt, sideToMove } from "./arrangement";
import { positionsBefore } from "./before";
import { neighbours, readShape } from "./shape";
import { shiftsOf } from "./editing";

const diagram = "  abcdef\n3  .ox.  3\n2 .OOXX. 2\n1  .ox.  1\n  abcdef";
const shape = readShape(diagram, { above: true, below: true });
if (!shape) throw new Error("no board");

it("every push that keeps all pieces on the board is found again from where it leads", () => {
  let pushes = 0;
  for (const position of [".ox..OOXX..ox.", "o..x.OOYX..ox.", ".ox.OO.X.Yo.x.", "oxO..X.OPX..xo"]) {
    for (let from = 0; from < position.length; from++) {
      const piece = pieceAt(position, from);
      if (piece?.kind !== "pusher" || piece.side !== sideToMove(position)) continue;
      for (const to of neighbours(shape, from)) {
        if (position[to] === ".") continue;
        const after = afterTurn(shape, position, { moves: [], push: { from, to } });
        const count = (text: string) => [...text].filter((letter) => letter !== ".").length;
        if (count(after) !== count(position)) continue;
        pushes += 1;
        expect(positionsBefore(shape, after), `${position} to ${after}`).toContain(position);
      }
    }
  }
  expect(pushes).toBeGreaterThan(7);
});

it("leads from each of them by a push, if it does at all, to the same pieces", () => {
  const after = afterTurn(shape, ".ox..OOXX..ox.", { moves: [], push: { from: 6, to: 7 } });
  const found = positionsBefore(shape, after);
  expect(found.length).toBeGreaterThan(1);
  for (const before of found) expect([...before].filter((letter) => letter === "o").length).toBe(2);
});

it("without an anchor there is nothing before", () => {
  expect(positionsBefore(shape, ".ox..OOXX..ox.")).toEqual([]);
});

it("shifts a piece to every empty square, and nothing else", () => {
  const shifts = shiftsOf(".ox..OOXX..ox.", 1);
  expect([...shifts.keys()]).toEqual([0, 3, 4, 9, 10, 13]);
  expect(shifts.get(0)).toBe("o.x..OOXX..ox.");
});
