// SPDX-License-Identifier: MIT
//
// The actions with an engine that plays a toy: from each position there are moves "a" and "b", for four plies.
import { beforeEach, describe, expect, it, vi } from "vitest";
import { EngineError, type LegalAnswer } from "../engine/types";

const start = "gle/1c1/1C1/ELG b - 1";
const most = 4;

/** Positions of the toy differ in the move number; sente moves at odd ones. */
function numbered(number: number, mark: string): string {
  return `gle/1c1/1C1/ELG ${number % 2 === 1 ? "b" : "w"} ${mark} ${number}`;
}

function legalIn(position: string): LegalAnswer {
  if (!position.startsWith("gle/")) throw new EngineError(400, "not a piece", "bad_position", { character: 1 });
  const number = Number(position.split(" ")[3]);
  const moves = number > most ? [] : ["a", "b"].map((move) => ({ move, position: numbered(number + 1, move) }));
  return { game: "dobutsu", rules: "official", position, count: moves.length, moves };
}

const play = vi.fn(() => Promise.resolve({ move: "b", position: "" }));
vi.mock("./engine", () => ({
  engine: () =>
    Promise.resolve({
      games: () => Promise.resolve([{ name: "dobutsu", rules: [{ name: "official", start }] }]),
      legal: async (_game: string, rules: string, position?: string) => {
        if (rules !== "official") throw new EngineError(400, "no such rules", "unknown_rules", { rules });
        return legalIn(position ?? start);
      },
      line: async (_game: string, _rules: string, position: string) => ({ line: legalIn(position).moves.slice(0, 1) }),
      play,
    }),
}));

const { language, setLanguage } = await import("../i18n");
const { errorWords } = await import("./errors");
const { earlier } = await import("./kept");
const { newTree } = await import("./tree");
const actions = await import("./actions");
const store = await import("./store");
const { legalOf } = await import("./analysis");
const { startComputer } = await import("./computer");

const problem = () =>
  store.problem.value ? errorWords(store.problem.value.error, language.value, store.problem.value.typed) : null;
const moves = () => store.record.value.plies.map((ply) => ply.move).join("");

/** Plays a move as the page does: the legal moves have been asked for by then. */
async function playMove(move: string): Promise<void> {
  await vi.waitFor(() => expect(legalOf("dobutsu", "official", store.position.value).value.state).toBe("ready"));
  actions.playMove(move);
}

beforeEach(async () => {
  setLanguage("en");
  actions.setOpponent({ side: null, level: "medium", aggressive: false });
  await actions.startGame("dobutsu");
});

describe("a game", () => {
  it("begins at the start with the first rules", () => {
    expect(store.record.value).toMatchObject({ game: "dobutsu", rules: "official", start });
    expect(store.view.value?.name).toBe("dobutsu");
  });

  it("goes forth and back and branches off", async () => {
    await playMove("a");
    await playMove("b");
    actions.undo();
    expect([store.index.value, moves()]).toEqual([1, "ab"]);
    actions.redo();
    expect(store.index.value).toBe(2);
    actions.jumpTo(0);
    await playMove("b");
    expect([store.index.value, moves()]).toEqual([1, "b"]);
    actions.jumpTo(99);
    expect(store.index.value).toBe(1);
  });

  it("takes no move that is not legal", async () => {
    await playMove("x");
    expect(moves()).toBe("");
  });

  it("tells screen readers what was played", async () => {
    await playMove("a");
    expect(store.announcement.value).toMatch(/^Sente: a/);
  });

  it("can be finished perfectly", async () => {
    await playMove("b");
    await actions.addPerfectPlay();
    expect([store.index.value, moves()]).toEqual([1, "ba"]);
  });
});

describe("nothing is lost", () => {
  it("another move from an earlier ply leaves the line before as a variation", async () => {
    await playMove("a");
    await playMove("b");
    actions.jumpTo(0);
    await playMove("b");
    expect(moves()).toBe("b");
    const first = store.tree.value.nodes[0]?.children[0] ?? 0;
    actions.goToNode(first);
    expect([store.index.value, moves()]).toEqual([1, "ab"]);
  });

  it("perfect play does not replace what was played", async () => {
    await playMove("a");
    await playMove("b");
    actions.jumpTo(1);
    await actions.addPerfectPlay();
    expect([store.index.value, moves()]).toEqual([1, "aa"]);
    expect(store.tree.value.nodes.map(({ move }) => move)).toEqual(["", "a", "b", "a"]);
  });

  it("a new game keeps the one before, which can be fetched back", async () => {
    await playMove("a");
    await playMove("b");
    await actions.startGame("dobutsu", "official", numbered(3, "c"));
    expect(moves()).toBe("");
    expect(store.notice.value).not.toBeNull();
    const before = earlier.value.length;
    store.notice.value?.undo?.();
    await vi.waitFor(() => expect(moves()).toBe("ab"));
    expect(earlier.value.length).toBe(before - 1);
  });

  it("a line that is removed comes back", async () => {
    await playMove("a");
    await playMove("b");
    actions.jumpTo(1);
    actions.removeNode(2);
    expect([store.index.value, moves()]).toEqual([1, "a"]);
    store.notice.value?.undo?.();
    expect([store.index.value, moves()]).toEqual([1, "ab"]);
  });
});

describe("positions from elsewhere", () => {
  it("replays the moves of an address", async () => {
    await actions.pasteNotation(
      `https://example.org/kanzen/#/play/dobutsu/official?start=${start.replaceAll(" ", "_")}&moves=a.b.a&at=2`,
    );
    expect([store.index.value, moves()]).toEqual([2, "aba"]);
    expect(store.problem.value).toBeNull();
  });

  it("shows the moves up to one that can't be played, and says so", async () => {
    await actions.openAddress({
      game: "dobutsu",
      rules: "",
      start: "",
      moves: ["a", "x", "b"],
      at: null,
      flipped: false,
    });
    expect(moves()).toBe("a");
    expect(problem()).toContain("Move 2, “x”,");
  });

  it("says what is wrong with a text and keeps the game", async () => {
    await playMove("a");
    expect(await actions.pasteNotation("rubbish")).toBe(false);
    expect(problem()).toBe("This is no position of the game: “rubbish” can't be read.");
    expect(moves()).toBe("a");
  });

  it("knows no other games", async () => {
    await actions.openAddress({ game: "chess", rules: "", start: "", moves: [], at: null, flipped: false });
    expect(problem()).toContain("chess");
  });

  it.each([
    ["start", { game: "dobutsu", rules: "official", start: "zzz" }, "“zzz” can't be read"],
    ["rules", { game: "dobutsu", rules: "nosuch", start: "" }, "no rules called “nosuch”"],
    ["game", { game: "chess", rules: "", start: "" }, "no game called “chess”"],
  ])("an address with a bad %s: says what is wrong, and shows the start", async (_what, address, words) => {
    // As the page is when it opens.
    store.tree.value = newTree("dobutsu", "official", "");
    store.leaf.value = 0;
    store.index.value = 0;
    await actions.openAddress({ moves: [], at: null, flipped: false, ...address });
    expect(store.record.value.start).toBe(start);
    expect(problem()).toContain(words);
  });

  it("begins a new game where editing ended", async () => {
    await playMove("a");
    actions.startEditing();
    expect(store.draft.value).toBe(store.position.value);
    actions.changeDraft(numbered(3, "c"));
    await actions.finishEditing();
    expect(store.record.value).toMatchObject({ start: numbered(3, "c"), plies: [] });
    expect(store.mode.value).toBe("play");
  });
});

describe("the computer", () => {
  it("is the only one who plays its moves while it thinks", async () => {
    await playMove("a");
    store.thinking.value = true;
    await playMove("a");
    expect(moves()).toBe("a");
    actions.playMove("b", true);
    expect(moves()).toBe("ab");
    store.thinking.value = false;
  });

  it("answers, and gives way when moves are taken back", async () => {
    startComputer();
    actions.setOpponent({ side: 1, level: "easy", aggressive: true });
    await playMove("a");
    await vi.waitFor(() => expect(moves()).toBe("ab"), { timeout: 2000 });
    expect(play).toHaveBeenLastCalledWith(
      "dobutsu",
      "official",
      start,
      expect.objectContaining({ level: "easy", aggressive: true }),
      ["a"],
    );
    actions.undo();
    expect(store.index.value).toBe(0);
    await new Promise((resolve) => setTimeout(resolve, 600));
    expect(moves()).toBe("ab");
  });

  it("lets the person sit at the bottom", () => {
    actions.setOpponent({ side: 0, level: "easy", aggressive: false });
    expect(store.flipped.value).toBe(true);
    actions.setOpponent({ side: 1, level: "easy", aggressive: false });
    expect(store.flipped.value).toBe(false);
  });
});
