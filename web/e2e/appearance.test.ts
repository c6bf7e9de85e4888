// SPDX-License-Identifier: MIT
//
// The pages beside the one with the board (looks.ts); colours and languages that are chosen.
import { expect } from "vitest";
import { axe, looksRight, picture, shows } from "./looks";
import { test } from "./visit";

looksRight([
  { name: "puzzles-dobutsu", at: "/puzzles/dobutsu/official/7/1", ready: shows("wins in 7 plies") },
  { name: "puzzles-pushfight", at: "/puzzles/pushfight/standard/2/1", ready: shows("wins in 2 turns") },
  { name: "gallery-dobutsu", at: "/gallery/dobutsu/official", ready: shows("wins in 173") },
  { name: "gallery-pushfight", at: "/gallery/pushfight/mini", ready: shows("wins in 9 turns") },
  { name: "numbers-dobutsu", at: "/numbers/dobutsu/official", ready: shows("231,641,991 positions") },
  { name: "numbers-pushfight", at: "/numbers/pushfight/mini", ready: shows("5,715,360 positions") },
  { name: "about", at: "/about", ready: shows("What this is") },
  { name: "developers", at: "/developers", ready: shows("For developers") },
  { name: "variants", at: "/variants", ready: shows("At most") },
  { name: "lesson", at: "/lesson", ready: (player) => player.page.getByRole("main").getByRole("group").first().waitFor() },
]);

test("the theme follows the system until somebody chooses", async ({ visit }) => {
  const player = await visit({ profile: { colorScheme: "light" } });
  const theme = () => player.page.locator("html").getAttribute("data-theme");
  const paper = () => player.page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  await expect.poll(theme).toBe("light");
  const light = await paper();
  await player.page.emulateMedia({ colorScheme: "dark" });
  await expect.poll(theme).toBe("dark");
  await expect.poll(paper).not.toBe(light);
  await player.button("Light mode").click();
  await expect.poll(theme).toBe("light");
  await player.page.reload();
  await expect.poll(theme).toBe("light");
  await player.button("Dark mode").click();
  await expect.poll(theme).toBe("dark");
});

test("the language is the browser's until somebody chooses", async ({ visit }) => {
  const japanese = await visit({ profile: { locale: "ja-JP" } });
  await japanese.seesWords("後手の勝ち(あと78手)");
  expect(await japanese.page.locator("html").getAttribute("lang")).toBe("ja");
  expect(await japanese.page.getByRole("navigation").innerText()).toContain("次の一手");
  expect(await japanese.label("2三")).toBe("2三、先手 ひよこ");
  await japanese.button("English").click();
  await japanese.seesWords("Gote wins in 78");
  await japanese.page.reload();
  await japanese.seesWords("Gote wins in 78");
  const other = await visit({ profile: { locale: "fr-FR" } });
  await other.seesWords("Gote wins in 78");
});

test("every page in Japanese", async ({ visit }) => {
  const player = await visit({ profile: { locale: "ja-JP", reducedMotion: "reduce" } });
  await player.seesWords("後手の勝ち(あと78手)");
  expect(await axe(player)).toEqual([]);
  await picture(player, "japanese-play");
  for (const [number, name, text] of [
    [1, "次の一手", "勝つ手は一つだけ"],
    [2, "最長手順", "最も長い勝ち"],
    [3, "統計", "231,641,991局面"],
    [4, "サイト案内", "どうぶつしょうぎ"],
  ] as const) {
    await player.openTab(name);
    await shows(text)(player);
    expect(await axe(player)).toEqual([]);
    await picture(player, `japanese-${number}`);
  }
});
