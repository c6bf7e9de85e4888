// SPDX-License-Identifier: MIT
//
// The tree by keys, and what the editor and the explorer tell about Push Fight.
import { expect } from "vitest";
import { movesOf } from "./kanzen";
import { test } from "./visit";

test("arrow keys go through the game, and in its list to the other moves", async ({ visit }) => {
  const player = await visit({ at: "/play/dobutsu/official?moves=2c2b.1a2b" });
  await player.seesPly(2);
  await player.press("ArrowLeft");
  await player.seesPly(1);
  await player.press("ArrowLeft", "ArrowRight", "ArrowRight");
  await player.seesPly(2);
  await player.press("z", "z");
  await player.seesPly(0);
  await player.click("2d", "3c");
  await player.seesAddress(/moves=2d3c$/);
  await player.historyRows.nth(1).focus();
  await player.press("ArrowUp");
  await player.seesAddress(/moves=2c2b\.1a2b&at=1$/);
  await player.press("ArrowDown");
  await player.seesAddress(/moves=2d3c$/);
  await player.press("ArrowDown");
  await player.seesAddress(/moves=2d3c$/);
  // On the board they choose squares.
  await player.place("2b").focus();
  await player.press("ArrowLeft");
  await player.seesPly(1);
  await player.board.hover();
  await player.page.mouse.wheel(0, -120);
  await player.seesPly(0);
});

test("Push Fight: the value with a piece on every other square", async ({ visit }) => {
  const player = await visit({ at: "/play/pushfight/mini" });
  await player.seesWords(/wins in/);
  const start = /start=([^&]*)/.exec(player.address)?.[1] ?? "";
  await player.button("Edit the position").click();
  // The first piece of the board goes to the first empty square.
  const labels = await player.boardLabels();
  const from = labels.find((label) => /pusher|mover/.test(label))?.split(",")[0] ?? "";
  const to = labels.find((label) => label.endsWith("empty"))?.split(",")[0] ?? "";
  const { x, y } = await player.middle(from);
  const end = await player.middle(to);
  await player.page.mouse.move(x, y);
  await player.page.mouse.down();
  await player.page.mouse.move(end.x, end.y, { steps: 4 });
  const squares = labels.map((label) => label.split(",")[0] ?? "");
  const cells = [...decodeURIComponent(start)];
  [cells[squares.indexOf(from)], cells[squares.indexOf(to)]] = [".", cells[squares.indexOf(from)] ?? "."];
  const { value, distance } = await movesOf("pushfight", "mini", cells.join(""));
  const sign = { win: "+", draw: "=", loss: "−", unknown: "?" }[value];
  await expect.poll(() => player.board.locator(".worth text").allTextContents()).toContain(`${sign}${distance ?? ""}`);
  expect(await player.board.locator(".worth").count()).toBeGreaterThan(3);
  await player.page.mouse.up();
});

test("Push Fight: which positions a turn leads here from", async ({ visit }) => {
  const { moves } = await movesOf("pushfight", "mini");
  const pushed = moves.find(({ move, position }) => !move.includes(",") && /[PY]/.test(position)) ?? moves[0];
  const player = await visit({ at: `/play/pushfight/mini?moves=${pushed?.move}` });
  await player.seesPly(1);
  await player.showPanel("Explore");
  await player.button("Find the positions before this one").click();
  const back = player.section("The way back");
  await expect.poll(() => back.locator(".gallery-words").allInnerTexts()).toContain(pushed?.move.replace("-", "⇒") ?? "");
  expect(await back.innerText()).toContain("a push alone");
  const pushes = await back.locator(".gallery-entry").count();
  expect((await back.locator(".gallery-words").allInnerTexts()).filter((words) => words.includes("–"))).toEqual([]);
  // Then the moves before a push; each entry is a turn of the command's list that leads here.
  await back.getByRole("button", { name: /^Show 24 more/ }).click();
  await expect.poll(() => back.locator(".gallery-entry").count()).toBe(pushes + 24);
  expect((await back.locator(".gallery-words").allInnerTexts()).slice(pushes).every((words) => words.includes("–"))).toBe(true);
  await back.locator(".gallery-entry").last().click();
  await player.seesAddress(/start=/);
  const start = decodeURIComponent(/start=([^&]*)/.exec(player.address)?.[1] ?? "");
  const move = decodeURIComponent(/moves=([^&]*)/.exec(player.address)?.[1] ?? "");
  expect((await movesOf("pushfight", "mini", start)).moves.find((one) => one.move === move)?.position).toBe(pushed?.position);
});

test("where no value is known, the explorer says so and counts nothing", async ({ visit }) => {
  const player = await visit({ at: "/play/pushfight/standard?moves=d3-e3" });
  await player.seesWords("Not known");
  await player.showPanel("Explore");
  await expect.poll(() => player.section("Moves that keep the value").innerText()).toContain("The value of this position is not known.");
  expect(await player.section("Moves that keep the value").innerText()).not.toContain("keep it");
});
