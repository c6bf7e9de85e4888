// SPDX-License-Identifier: MIT
import { describe, expect, it } from "vitest";
import { childWith, decodeTree, encodeTree, leafOf, newTree, pathTo, promoted, recordOf, withComment, withLine, without } from "./tree";

const plies = (text: string) => [...text].map((move, number) => ({ move, position: text.slice(0, number + 1) }));

/** a b c, and from the start d e. */
function branched() {
  const first = withLine(newTree("toy", "plain", "start"), 0, plies("abc"));
  return withLine(first.tree, 0, plies("de")).tree;
}

describe("a tree of variations", () => {
  it("keeps the line before when another move is played", () => {
    const tree = branched();
    expect(recordOf(tree, leafOf(tree, 0)).plies.map(({ move }) => move)).toEqual(["a", "b", "c"]);
    const other = childWith(tree, 0, "d");
    expect(other).not.toBeNull();
    expect(recordOf(tree, leafOf(tree, other ?? 0)).plies.map(({ move }) => move)).toEqual(["d", "e"]);
    expect(pathTo(tree, 3)).toEqual([0, 1, 2, 3]);
  });

  it("adds nothing twice", () => {
    const tree = branched();
    const again = withLine(tree, 0, plies("abx"));
    expect(again.tree.nodes.length).toBe(tree.nodes.length + 1);
    expect(recordOf(again.tree, again.last).plies.map(({ move }) => move)).toEqual(["a", "b", "x"]);
  });

  it("promotes, removes and comments", () => {
    const tree = withComment(promoted(branched(), 5), 5, "better");
    expect(leafOf(tree, 0)).toBe(5);
    const less = without(tree, 1);
    expect(less.nodes.map(({ move }) => move)).toEqual(["", "d", "e"]);
    expect(less.nodes[0]?.children).toEqual([1]);
    expect(less.nodes[2]).toMatchObject({ parent: 1, comment: "better" });
    expect(without(tree, 0)).toBe(tree);
  });

  it("survives the browser's storage, and takes nothing damaged from it", () => {
    const tree = withComment(promoted(branched(), 5), 2, "why?");
    expect(decodeTree(encodeTree(tree))).toEqual(tree);
    for (const text of [null, "", "{}", "[]", '{"game":"a","rules":"b","nodes":[]}', encodeTree(tree).replace("[0,1]", "[7]").replace('[-1,"', '[3,"')])
      expect(decodeTree(text)).toBeNull();
  });
});
