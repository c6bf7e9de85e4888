// SPDX-License-Identifier: MIT
//
// The boards that the engine knows. Components that draw a board before the engine has answered are drawn again when it
// has.
import type { GameInfo } from "../engine/types";
import { gameInfo } from "../state/games";
import { railsOf } from "./rails";
import { readShape, type Shape } from "./shape";

export interface BoardInfo {
  readonly shape: Shape;
  /** The position that the game begins with: it has all pieces. */
  readonly start: string;
}

let read: { readonly from: GameInfo; readonly boards: ReadonlyMap<string, BoardInfo> } | null = null;

function allBoards(): ReadonlyMap<string, BoardInfo> {
  const info = gameInfo("pushfight");
  if (!info) return new Map();
  if (read?.from !== info) {
    const boards = new Map<string, BoardInfo>();
    for (const { name, diagram, start } of info.rules) {
      const shape = readShape(diagram, railsOf(name));
      if (shape) boards.set(name, { shape, start });
    }
    read = { from: info, boards };
  }
  return read.boards;
}

/** The board of the rules, or null while it is not known (yet). */
export function boardOf(rules: string): BoardInfo | null {
  return allBoards().get(rules) ?? null;
}

/** The shape for a position whose rules are not told: the first board with as many squares. */
export function shapeFor(position: string): Shape | null {
  for (const { shape } of allBoards().values()) {
    if (shape.squares.length === position.length) return shape;
  }
  return null;
}
