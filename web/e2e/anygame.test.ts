// SPDX-License-Identifier: MIT
//
// A game from a shared object, served by `kanzen serve ./game.so`: the page knows nothing of it but what the engine says.
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect } from "vitest";
import { kanzenPath, siteFolder } from "./surroundings";
import { test } from "./visit";

const run = promisify(execFile);
const source = resolve(__dirname, "../..");
let folder = "";
let url = "";
let stop: () => Promise<void> = async () => undefined;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "kanzen-game-"));
  const game = join(folder, "tictactoe.so");
  const options = ["-std=c17", "-O1", `-I${source}/include`, "-shared", "-fPIC", "-o", game, `${source}/examples/games/tictactoe.c`];
  await run(process.env["CC"] ?? "cc", options);
  const env = { ...process.env, KANZEN_TABLES: folder };
  await run(kanzenPath(), ["solve", game, "--quiet"], { env });
  const child = spawn(kanzenPath(), ["serve", game, "--port", "0", "--site", siteFolder()], {
    env,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(child, "exit");
  stop = async () => {
    child.kill("SIGTERM");
    await ended;
  };
  url = await Promise.race([
    once(createInterface(child.stdout), "line").then(([line]) => String(line)),
    ended.then(() => Promise.reject(new Error("kanzen serve ended before it was ready"))),
  ]);
});

afterAll(async () => {
  await stop();
  await rm(folder, { recursive: true, force: true });
});

test("a game from a shared object: values, moves by click and key, a computer, the way through the game", async ({ visit }) => {
  const player = await visit({ host: url, at: "/play/tictactoe" });
  await player.seesWords("Draw with best play");
  const board = player.page.getByRole("group", { name: "Board" });
  const square = (number: number) => board.getByRole("button").nth(number);
  expect(await board.getByRole("button").count()).toBe(9);
  // All nine first moves draw.
  await expect.poll(async () => (await player.rows()).map(({ value }) => value)).toEqual(Array(9).fill("draw"));

  // A corner, then an edge: the first player wins in 5.
  await square(0).click();
  await player.seesPly(1);
  await player.seesWords("Draw with best play");
  await square(1).focus();
  await player.press("Enter");
  await player.seesPly(2);
  await player.seesWords(/wins in 5$/);
  const rows = await player.rows();
  expect(rows.filter(({ value }) => value === "win").length).toBeGreaterThan(0);
  expect(rows[0]).toMatchObject({ value: "win", distance: 5 });

  // The list plays moves, keys take them back, and the computer plays to the end without losing.
  await player.moveRows.first().click();
  await player.seesPly(3);
  await player.press("z");
  await player.seesPly(2);
  await player.press("y");
  await player.seesPly(3);
  await player.section("Opponent").getByRole("radio").nth(1).check();
  await player.seesPly(4);
  expect(await player.page.title()).toContain("Kanzen");

  // It can be linked to, and its picture is made.
  await player.page.reload();
  await player.seesPly(4);
  const image = await fetch(new URL("api/v1/tictactoe/png", url));
  expect(image.status).toBe(200);
  expect(image.headers.get("content-type")).toBe("image/png");
});

test("a game from a shared object in Japanese, on a phone", async ({ visit }) => {
  const player = await visit({ host: url, at: "/play/tictactoe", profile: { locale: "ja-JP", viewport: { width: 375, height: 740 } } });
  const board = player.page.getByRole("group", { name: "盤面" });
  await board.getByRole("button").nth(4).click();
  await player.seesAddress(/moves=/);
  const wide = await player.page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  expect(wide).toBeLessThanOrEqual(0);
});
