// SPDX-License-Identifier: MIT
//
// The actions with an engine that plays a toy: from each position there are moves "a" and "b", for four plies.
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { LegalAnswer } from "../engine/types";

const start = "gle/1c1/1C1/ELG b - 1";
const most = 4;

/** Positions of the toy differ in the move number; sente moves at odd ones. */
function numbered(number: number, mark: string): string {
  return `gle/1c1/1C1/ELG ${number % 2 === 1 ? "b" : "w"} ${mark} ${number}`;
}

function legalIn(position: string): LegalAnswer {
  if (!position.startsWith("gle/")) throw new Error(`character 1 ('${position[0]}'): not a piece`);
  const number = Number(position.split(" ")[3]);
  const moves = number > most ? [] : ["a", "b"].map((move) => ({ move, position: numbered(number + 1, move) }));
  return { game: "dobutsu", rules: "official", position, count: moves.length, moves };
}

const play = vi.fn(() => Promise.resolve({ move: "b", position: "" }));
vi.mock("./engine", () => ({
  engine: () =>
    Promise.resolve({
      games: () => Promise.resolve([{ name: "dobutsu", rules: [{ name: "official", start }] }]),
      legal: async (_game: string, _rules: string, position?: string) => legalIn(position ?? start),
      line: async (_game: string, _rules: string, position: string) => ({ line: legalIn(position).moves.slice(0, 1) }),
      play,
    }),
}));

const { setLanguage } = await import("../i18n");
const actions = await import("./actions");
const store = await import("./store");
const { legalOf } = await import("./analysis");
const { startComputer } = await import("./computer");

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
    expect(store.problem.value).toContain("Move 2, x,");
  });

  it("says what is wrong with a text and keeps the game", async () => {
    await playMove("a");
    expect(await actions.pasteNotation("rubbish")).toBe(false);
    expect(store.problem.value).toBe("character 1 ('r'): not a piece");
    expect(moves()).toBe("a");
  });

  it("knows no other games", async () => {
    await actions.openAddress({ game: "chess", rules: "", start: "", moves: [], at: null, flipped: false });
    expect(store.problem.value).toContain("chess");
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
  it("answers, and gives way when moves are taken back", async () => {
    startComputer();
    actions.setOpponent({ side: 1, level: "easy", aggressive: true });
    await playMove("a");
    await vi.waitFor(() => expect(moves()).toBe("ab"), { timeout: 2000 });
    expect(play).toHaveBeenLastCalledWith(
      "dobutsu",
      "official",
      numbered(2, "a"),
      expect.objectContaining({ level: "easy", aggressive: true }),
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
