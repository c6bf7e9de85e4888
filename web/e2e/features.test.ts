// SPDX-License-Identifier: MIT
//
// Playing, studying, sharing and learning beyond the moves of a game.
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect } from "vitest";
import { movesOf, puzzlesOf } from "./kanzen";
import type { Player } from "./player";
import { kanzenEnvironment, kanzenPath } from "./surroundings";
import { test } from "./visit";

const run = promisify(execFile);
const game = "/play/dobutsu/official?moves=2c2b.1a2b.1d1c.2a3b.C*2c";

async function download(player: Player, button: string): Promise<Buffer> {
  const [file] = await Promise.all([player.page.waitForEvent("download"), player.button(button).click()]);
  const folder = await mkdtemp(join(tmpdir(), "kanzen-page-"));
  try {
    await file.saveAs(join(folder, "file"));
    return await readFile(join(folder, "file"));
  } finally {
    await rm(folder, { recursive: true });
  }
}

test("a new game against an animal: no help unless asked for", async ({ visit }) => {
  const player = await visit();
  await player.seesWords("Gote wins in 78");
  await player.button("Play").click();
  const dialog = player.page.getByRole("dialog", { name: "New game" });
  await dialog.getByText("Beginner").click();
  await dialog.getByLabel("second").check();
  await dialog.getByRole("button", { name: "Start the game" }).click();
  await player.seesPly(1);
  expect(await player.words()).toBe("Values are hidden.");
  expect(await player.moveRows.count()).toBe(0);
  await player.seesAddress(/flip=1$/);
});

test("a repetition is explained, and ends a game against the computer", async ({ visit }) => {
  const round = ["2d1c", "2a3b", "1c2d", "3b2a"];
  const player = await visit({ at: `/play/dobutsu/official?moves=${[...round, ...round].join(".")}` });
  await player.seesPly(8);
  await player.seesWords("Draw: the same position came 3 times");
  await player.press("z");
  await player.seesWords(/wins in/);
  await player.press("Home", "y", "y", "y", "y");
  await expect.poll(() => player.page.locator(".banner .turn").innerText()).toContain("this position came 2 times; at 3 it is a draw");
});

test("where was it lost: a pasted KIF, its mistakes, and accuracy", async ({ visit }) => {
  const player = await visit();
  await player.seesWords("Gote wins in 78");
  await player.open("手合割:どうぶつしょうぎ\n1 2二ひよこ(23)\n2 同 ぞう(11)\n3 1三きりん(14)\n4 3二ライオン(21)\n5 2三ひよこ打\n6 投了");
  await player.seesPly(5);
  const report = player.section("Where was it lost?");
  // Sente loses a win with the fifth move, Gote one with the fourth; the others keep what there is.
  await expect.poll(() => report.innerText()).toMatch(/Sente\s+\d+ %\s+1/);
  const rows = await report.locator("tbody tr").allInnerTexts();
  expect(rows.map((row) => row.split(/\s+/).slice(0, 4))).toEqual([
    ["Sente", "0", "%", "1"],
    ["Gote", "50", "%", "1"],
  ]);
  await report.getByRole("button", { name: "Next mistake" }).click();
  await player.seesPly(3);
  await report.getByRole("button", { name: "Next mistake" }).click();
  await player.seesPly(4);
});

test("the explorer, and the way back", async ({ visit }) => {
  const player = await visit({ at: game });
  await player.seesPly(5);
  await player.showPanel("Explore");
  const right = await movesOf("dobutsu", "official", "g2/le1/1CG/EL1 w c 6");
  const keeping = right.moves.filter(({ value }) => value === right.value).length;
  await expect.poll(() => player.section("Moves that keep the value").innerText()).toContain(`${keeping} of ${right.moves.length} moves keep it.`);
  await player.button("Find the positions before this one").click();
  const back = player.section("The way back");
  await expect.poll(() => back.locator(".gallery-entry").count()).toBeGreaterThan(3);
  // The game itself came by a drop.
  expect(await back.locator(".gallery-words").allInnerTexts()).toContain("Chick drop 2c");
  await back.locator(".gallery-entry").first().click();
  await player.seesAddress(/at=0/);
  const { moves } = await movesOf("dobutsu", "official", decodeURIComponent(/start=([^&]*)/.exec(player.address)?.[1] ?? "").replaceAll("_", " "));
  const move = decodeURIComponent(/moves=([^&]*)/.exec(player.address)?.[1] ?? "");
  expect(moves.find((one) => one.move === move)?.position.split(" ").slice(0, 3)).toEqual(["g2/le1/1CG/EL1", "w", "c"]);
});

test("files and pictures", async ({ visit }) => {
  const player = await visit({ at: game });
  await player.seesPly(5);
  await player.showPanel("Share");
  const kif = await download(player, "Game as KIF");
  const child = run(kanzenPath(), ["annotate", "-", "--json"], { env: kanzenEnvironment() });
  child.child.stdin?.end(kif);
  const { moves } = JSON.parse((await child).stdout) as { moves: { move: string }[] };
  expect(moves.map(({ move }) => move)).toEqual(["2c2b", "1a2b", "1d1c", "2a3b", "C*2c"]);
  const png = await download(player, "Board as PNG");
  expect(png.subarray(1, 4).toString()).toBe("PNG");
  // A drawing in colours, and not all of it black.
  expect(png.length).toBeGreaterThan(20_000);
  const svg = (await download(player, "Board as SVG")).toString();
  const moving = (await download(player, "This line as a moving picture (SVG)")).toString();
  expect(moving.match(/class="frame /g)?.length).toBe(6);
  // Both are drawings that a browser takes, with nothing left that only the page knows.
  const empty = await player.page.context().newPage();
  for (const text of [svg, moving]) {
    expect(text).not.toMatch(/var\(--/);
    const [problem, drawn] = await empty.evaluate((source) => {
      const parsed = new DOMParser().parseFromString(source, "image/svg+xml");
      return [parsed.querySelectorAll("parsererror").length, parsed.querySelectorAll("circle, path, rect").length];
    }, text);
    expect(problem).toBe(0);
    expect(drawn).toBeGreaterThan(50);
  }
  await player.button("QR code of the link").click();
  await player.page.getByRole("img", { name: "QR code of the link" }).waitFor();
});

test("the editor shows what a position would be worth with a piece elsewhere", async ({ visit }) => {
  const player = await visit({ at: "/play/dobutsu" });
  await player.seesWords("Gote wins in 78");
  await player.control("Edit the position").click();
  const chick = await player.middle("2c");
  await player.page.mouse.move(chick.x, chick.y);
  await player.page.mouse.down();
  await player.page.mouse.move(chick.x + 12, chick.y + 12, { steps: 3 });
  const { value, distance } = await movesOf("dobutsu", "official", "gle/1c1/C2/ELG b - 1");
  const sign = { win: "+", draw: "=", loss: "−", unknown: "?" }[value];
  await expect.poll(() => player.board.locator(".worth text").allTextContents()).toContain(`${sign}${distance ?? ""}`);
  await player.page.mouse.up();
});

test("the lesson: a wrong move is explained, a right one leads on", async ({ visit }) => {
  const player = await visit({ at: "/lesson" });
  await expect.poll(() => player.board.getAttribute("class")).toContain("playable");
  const said = player.page.locator(".feedback");
  await player.click("2c", "3b");
  await expect.poll(() => said.innerText()).toBe("The chick does not move like that.");
  await player.click("2c", "2b");
  await expect.poll(() => said.innerText()).toBe("Well done!");
  await player.button("Next").click();
  await expect.poll(() => player.page.getByRole("main").innerText()).toContain("2 of 9");
});

test("a puzzle is solved to the end, with hints in stages, and there is a sticker", async ({ visit }) => {
  const puzzles = (await puzzlesOf("dobutsu", "official")).filter(({ distance }) => distance === 3);
  const puzzle = puzzles.find(({ move }) => !move.includes("*"));
  if (!puzzle) throw new Error("no such puzzle");
  const player = await visit({ at: `/puzzles/dobutsu/official/3/${puzzles.indexOf(puzzle) + 1}` });
  await player.canPlay();
  await player.button("Hint").click();
  const hint = player.page.locator(".hint-words");
  await expect.poll(() => hint.innerText()).toMatch(new RegExp(`on ${puzzle.move.slice(0, 2)}\\.$`));
  await player.button("Hint").click();
  await expect.poll(() => hint.innerText()).toMatch(new RegExp(`goes to ${puzzle.move.slice(2, 4)}\\.$`));
  await player.click(puzzle.move.slice(0, 2), puzzle.move.slice(2, 4));
  await player.button("Solve to the end").click();
  await expect.poll(() => player.page.locator(".feedback").innerText()).toContain("keep winning");
  // The last move, whatever the computer has answered: the command knows it.
  const after = (await movesOf("dobutsu", "official", puzzle.position)).moves[0];
  const replies = (await movesOf("dobutsu", "official", after?.position ?? "")).moves;
  const boards = await Promise.all(replies.map(({ position }) => movesOf("dobutsu", "official", position)));
  for (const board of boards) {
    const [win] = board.moves;
    if (win?.distance !== 1 || win.move.includes("*")) continue;
    await player.click(win.move.slice(0, 2), win.move.slice(2, 4));
    if ((await player.page.locator(".stickers .got").count()) > 0) break;
    await player.press("Escape");
  }
  await expect.poll(() => player.page.locator(".stickers .got").count()).toBe(1);
});

describe("for children", () => {
  test("readings over the characters", async ({ visit }) => {
    const player = await visit({ profile: { locale: "ja-JP" } });
    await player.button("こども").click();
    await expect.poll(() => player.page.locator(".banner ruby rt").allTextContents()).toContain("ごて");
    expect(await player.page.locator("nav ruby").count()).toBeGreaterThan(2);
    await player.page.reload();
    await expect.poll(() => player.page.locator(".banner ruby").count()).toBeGreaterThan(0);
  });
});

test("Push Fight begins with placing the pieces", async ({ visit }) => {
  const player = await visit({ at: "/play/pushfight/mini" });
  await player.seesWords(/^Red wins in/);
  await player.control("New game").click();
  const dialog = player.page.getByRole("dialog", { name: "New game" });
  await dialog.getByLabel("Place the pieces first").check();
  await dialog.getByRole("button", { name: "Start the game" }).click();
  const status = player.page.getByRole("status").filter({ hasText: /place|Red begins/ });
  await expect.poll(() => status.innerText()).toContain("Red: place your pieces");
  for (const square of ["a2", "b1", "b2", "b3"]) await player.click(square);
  await expect.poll(() => status.innerText()).toContain("Blue: place your pieces");
  for (const square of ["d1", "d2", "d3", "e2"]) await player.click(square);
  await expect.poll(() => status.innerText()).toContain("Red begins.");
  await player.button("Start the game").click();
  await player.seesWords(/wins in|Draw/);
  expect((await player.boardLabels()).filter((label) => /Red|Blue/.test(label)).length).toBe(8);
});

test("the page for developers runs requests", async ({ visit }) => {
  const player = await visit({ at: "/about", forgive: /400/ });
  await player.page.getByRole("link", { name: "examples to run" }).click();
  await player.page.locator("section", { hasText: "A position, its value" }).getByRole("button", { name: "Run" }).click();
  await expect.poll(() => player.page.locator("pre").innerText()).toContain('"distance": 78');
});
