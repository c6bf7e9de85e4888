// SPDX-License-Identifier: MIT
import { expect, it } from "vitest";
import { afterMoves, afterTurn, pieceAt, pushIn, sideToMove, type Turn } from "./arrangement";
import { positionsBefore, turnsBefore } from "./before";
import { neighbours, readShape } from "./shape";
import { shiftsOf } from "./editing";

const diagram = "  abcdef\n3  .ox.  3\n2 .OOXX. 2\n1  .ox.  1\n  abcdef";
const read = readShape(diagram, { above: true, below: true });
if (!read) throw new Error("no board");
const shape = read;

const positions = [".ox..OOXX..ox.", "o..x.OOYX..ox.", ".ox.OO.X.Yo.x.", "oxO..X.OPX..xo"];

/** Every push that is allowed and keeps all pieces on the board, and where it leads. */
function* pushesOf(position: string): Generator<{ readonly push: Turn["push"]; readonly after: string }> {
  for (let from = 0; from < position.length; from++) {
    const piece = pieceAt(position, from);
    if (piece?.kind !== "pusher" || piece.side !== sideToMove(position)) continue;
    for (const to of neighbours(shape, from)) {
      if (position[to] === ".") continue;
      const cells = [...position];
      const { line, fallen } = pushIn(shape, cells, { from, to });
      if (fallen === null && !line.some((square) => pieceAt(position, square)?.anchored)) yield { push: { from, to }, after: cells.join("") };
    }
  }
}

/** Every position that one move leads to, found square by square. */
function movesOf(position: string): readonly string[] {
  const found = new Set<string>();
  for (let from = 0; from < position.length; from++) {
    if (pieceAt(position, from)?.side !== sideToMove(position)) continue;
    const reached = new Set([from]);
    for (const square of reached) for (const next of neighbours(shape, square)) if (position[next] === ".") reached.add(next);
    for (const to of reached) if (to !== from) found.add(afterMoves(position, [{ from, to }]));
  }
  return [...found];
}

/** Positions that a whole turn leads to: at most two moves and a push. */
function* turnsOf(position: string): Generator<string> {
  const one = movesOf(position);
  for (const moved of new Set([position, ...one, ...one.flatMap(movesOf)])) for (const { after } of pushesOf(moved)) yield after;
}

const unanchored = (position: string) => position.replace("P", "O").replace("Y", "X");

it("every push that keeps all pieces on the board is found again from where it leads", () => {
  let pushes = 0;
  for (const position of positions) {
    for (const { push, after } of pushesOf(position)) {
      pushes += 1;
      expect(afterTurn(shape, position, { moves: [], push })).toBe(after);
      expect(positionsBefore(shape, after), `${position} to ${after}`).toContain(position);
    }
  }
  expect(pushes).toBeGreaterThan(4);
});

it("every turn is found again from where it leads", () => {
  let turns = 0;
  for (const position of positions) {
    const results = [...new Set(turnsOf(position))];
    for (const after of results.filter((_, number) => number % 3 === 0)) {
      turns += 1;
      const found = [...positionsBefore(shape, after), ...turnsBefore(shape, after)].map(unanchored);
      expect(found, `${position} to ${after}`).toContain(unanchored(position));
    }
  }
  expect(turns).toBeGreaterThan(40);
});

it("from each position of the list a turn leads here; one move comes before two, none comes twice", () => {
  const results = [...new Set(turnsOf(".ox..OOXX..ox."))];
  for (const here of [results[0] ?? "", results.at(-1) ?? ""]) {
    const found = [...turnsBefore(shape, here)];
    expect(found.length).toBeGreaterThan(30);
    expect(new Set(found).size).toBe(found.length);
    const needsTwo = found.map((before) => !movesOf(before).some((moved) => [...pushesOf(moved)].some(({ after }) => after === here)));
    expect(needsTwo.lastIndexOf(false)).toBeLessThan(needsTwo.indexOf(true));
    for (const before of found) expect([...turnsOf(before)], before).toContain(here);
  }
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
