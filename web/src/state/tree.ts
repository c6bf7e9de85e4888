// SPDX-License-Identifier: MIT
//
// A game with all its variations. Nothing is taken out when another move is played: it becomes a branch. The line on the
// page is a path from the root to a leaf.
import type { GameRecord, Ply } from "./record";

export interface TreeNode {
  readonly parent: number;
  readonly move: string;
  /** The position after the move. */
  readonly position: string;
  /** Numbers of nodes, the main line first. */
  readonly children: readonly number[];
  readonly comment: string;
}

export interface GameTree {
  readonly game: string;
  readonly rules: string;
  /** Number 0 is the start; a node comes after its parent. */
  readonly nodes: readonly TreeNode[];
}

export function newTree(game: string, rules: string, start: string): GameTree {
  return { game, rules, nodes: [{ parent: -1, move: "", position: start, children: [], comment: "" }] };
}

/** The numbers of the nodes from the root to this one. */
export function pathTo(tree: GameTree, node: number): readonly number[] {
  const path: number[] = [];
  for (let at = node; at >= 0; at = tree.nodes[at]?.parent ?? -1) path.unshift(at);
  return path;
}

/** The end of the main line from a node on. */
export function leafOf(tree: GameTree, node: number): number {
  let at = node;
  for (let next = tree.nodes[at]?.children[0]; next !== undefined; next = tree.nodes[at]?.children[0]) at = next;
  return at;
}

/** The line that ends at a leaf, as a record. */
export function recordOf(tree: GameTree, leaf: number): GameRecord {
  const [, ...rest] = pathTo(tree, leaf);
  return {
    game: tree.game,
    rules: tree.rules,
    start: tree.nodes[0]?.position ?? "",
    plies: rest.map((number) => {
      const { move, position } = tree.nodes[number] as TreeNode;
      return { move, position };
    }),
  };
}

export function childWith(tree: GameTree, node: number, move: string): number | null {
  return tree.nodes[node]?.children.find((child) => tree.nodes[child]?.move === move) ?? null;
}

/** The tree with these moves below a node, and the number of the last one. Moves that are there already stay. */
export function withLine(tree: GameTree, node: number, plies: readonly Ply[]): { readonly tree: GameTree; readonly last: number } {
  const nodes = [...tree.nodes];
  let at = node;
  for (const { move, position } of plies) {
    const parent = nodes[at] as TreeNode;
    const known = parent.children.find((child) => nodes[child]?.move === move);
    if (known !== undefined) {
      at = known;
      continue;
    }
    nodes[at] = { ...parent, children: [...parent.children, nodes.length] };
    nodes.push({ parent: at, move, position, children: [], comment: "" });
    at = nodes.length - 1;
  }
  return { tree: { ...tree, nodes }, last: at };
}

export function withComment(tree: GameTree, node: number, comment: string): GameTree {
  return { ...tree, nodes: tree.nodes.map((old, number) => (number === node ? { ...old, comment } : old)) };
}

/** The branch that a node belongs to becomes the main line everywhere above it. */
export function promoted(tree: GameTree, node: number): GameTree {
  const nodes = [...tree.nodes];
  for (let at = node; at > 0; at = nodes[at]?.parent ?? -1) {
    const number = nodes[at]?.parent ?? 0;
    const parent = nodes[number] as TreeNode;
    nodes[number] = { ...parent, children: [at, ...parent.children.filter((child) => child !== at)] };
  }
  return { ...tree, nodes };
}

/** The tree without a node and all below it. */
export function without(tree: GameTree, node: number): GameTree {
  if (node <= 0) return tree;
  const gone = new Set([node]);
  tree.nodes.forEach(({ parent }, number) => {
    if (gone.has(parent)) gone.add(number);
  });
  const numbers = new Map<number, number>();
  tree.nodes.forEach((_, number) => {
    if (!gone.has(number)) numbers.set(number, numbers.size);
  });
  const nodes = tree.nodes.flatMap((old, number) =>
    gone.has(number)
      ? []
      : [
          {
            ...old,
            parent: numbers.get(old.parent) ?? -1,
            children: old.children.flatMap((child) => numbers.get(child) ?? []),
          },
        ],
  );
  return { ...tree, nodes };
}

/** For the browser's storage. */
export function encodeTree(tree: GameTree): string {
  const { game, rules, nodes } = tree;
  return JSON.stringify({
    game,
    rules,
    nodes: nodes.map(({ parent, move, position, comment }) =>
      comment === "" ? [parent, move, position] : [parent, move, position, comment],
    ),
    order: nodes.map(({ children }) => children),
  });
}

/** null: it is something else, or damaged. */
export function decodeTree(text: string | null): GameTree | null {
  try {
    const { game, rules, nodes, order } = JSON.parse(text ?? "") as {
      game: unknown;
      rules: unknown;
      nodes: [unknown, unknown, unknown, unknown][];
      order: number[][];
    };
    if (typeof game !== "string" || typeof rules !== "string" || nodes.length === 0) return null;
    const read = nodes.map(([parent, move, position, comment = ""], number): TreeNode => {
      const children = order[number] ?? [];
      const good =
        typeof parent === "number" &&
        (number === 0 ? parent === -1 : parent >= 0 && parent < number && order[parent]?.includes(number)) &&
        typeof move === "string" &&
        typeof position === "string" &&
        typeof comment === "string" &&
        children.every((child) => Number.isInteger(child) && nodes[child]?.[0] === number);
      if (!good) throw new Error("damaged");
      return { parent, move, position, comment, children };
    });
    return { game, rules, nodes: read };
  } catch {
    return null;
  }
}
