// SPDX-License-Identifier: MIT
//
// A variant from a text: shown at once, solved in the browser, played with values; and what is refused or too large.
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect } from "vitest";
import { kanzenPath } from "./surroundings";
import { modes, test } from "./visit";

const run = promisify(execFile);
const text = "[tiny:breakthrough]\nmaxFile = 3\nmaxRank = 3\nflagRegionWhite = *3\nflagRegionBlack = *1\nstartFen = ppp/3/PPP w - - 0 1\n";

/** What the command says about it: the value of the start and of each first move. */
async function solvedByCommand(): Promise<{ readonly value: string; readonly distance: number; readonly moves: readonly { readonly move: string; readonly value: string; readonly distance: number | null }[] }> {
  const folder = await mkdtemp(join(tmpdir(), "kanzen-variant-"));
  try {
    const file = join(folder, "tiny.ini");
    const env = { ...process.env, KANZEN_TABLES: folder };
    await writeFile(file, text);
    await run(kanzenPath(), ["solve", file, "--quiet"], { env });
    return JSON.parse((await run(kanzenPath(), ["moves", file, "--json"], { env })).stdout);
  } finally {
    await rm(folder, { recursive: true });
  }
}

test.for(modes)("a small variant is solved in the browser, %s", async (mode, { visit }) => {
  const right = await solvedByCommand();
  const player = await visit({ mode, at: "/variants" });
  await player.page.getByLabel("Rules of the variant").fill(text);
  const board = player.page.getByRole("img", { name: "Start position: ppp/3/PPP w - - 0 1" });
  await board.waitFor();
  expect(await player.page.locator(".variant-pieces li").count()).toBe(2);
  await player.button("Solve it here").click();
  await player.button("Play it, with values").click({ timeout: 60_000 });
  await player.seesWords(new RegExp(`^${right.value === "win" ? "white" : "black"} wins in ${right.distance}$`, "i"));
  const rows = await player.rows();
  expect(rows.map(({ value, distance }) => ({ value, distance }))).toEqual(right.moves.map(({ value, distance }) => ({ value, distance })));
  await player.moveRows.first().click();
  await player.seesPly(1);
});

test("what is wrong with a text is said, and a large game comes with its command", async ({ visit }) => {
  const player = await visit({ mode: "static", at: "/variants" });
  const field = player.page.getByLabel("Rules of the variant");
  await field.fill("[a:breakthrough]\ncastling = true\n");
  await expect.poll(() => player.page.getByRole("alert").innerText()).toContain("castling");
  await field.fill("[dobutsu:breakthrough]\n");
  await expect.poll(() => player.page.getByRole("alert").innerText()).toMatch(/called (“dobutsu”|'dobutsu')/);
  await field.fill("[large:breakthrough]\nmaxFile = 4\nmaxRank = 5\nflagRegionWhite = *5\nflagRegionBlack = *1\nstartFen = pppp/pppp/4/PPPP/PPPP w - - 0 1\n");
  await expect.poll(() => player.page.locator(".variants pre").innerText()).toContain("kanzen solve large.ini");
  expect(await player.button("Solve it here").count()).toBe(0);
});
