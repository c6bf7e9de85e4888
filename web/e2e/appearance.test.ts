// SPDX-License-Identifier: MIT
//
// Every page in light and dark, wide and narrow: nothing that axe-core has to say, and nothing to scroll sideways for.
// With SCREENSHOTS=folder, pictures of all of them are left there.
import { mkdir, readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { describe, expect } from "vitest";
import type { Player } from "./player";
import { pictureFolder } from "./surroundings";
import { test } from "./visit";

const axePath = createRequire(import.meta.url).resolve("axe-core/axe.min.js");

interface Sight {
  readonly name: string;
  readonly at: string;
  /** Until the page has all that it shows. */
  readonly ready: (player: Player) => Promise<void>;
}

const shows = (text: string | RegExp) => (player: Player) =>
  expect.poll(() => player.page.getByRole("main").innerText()).toMatch(text);

const game = "2c2b.1a2b.1d1c.2a3b.C*2c";

const sights: readonly Sight[] = [
  { name: "play-dobutsu", at: `/play/dobutsu/official?moves=${game}`, ready: (player) => player.seesWords(/wins in/) },
  {
    name: "play-pushfight",
    at: "/play/pushfight/mini?moves=c3-b3,c1-b1,c2-d2",
    ready: (player) => player.seesWords(/wins in|Draw/),
  },
  {
    name: "edit-dobutsu",
    at: "/play/dobutsu",
    ready: async (player) => {
      await player.seesWords(/wins in/);
      await player.control("Edit the position").click();
      await shows("The position is legal.")(player);
      await player.button("Clear the board").click();
      await shows("This can't be played:")(player);
    },
  },
  {
    name: "edit-pushfight",
    at: "/play/pushfight/standard",
    ready: async (player) => {
      await expect.poll(() => player.label("d3")).toMatch(/^d3, Red pusher/);
      await player.control("Edit the position").click();
      await shows("The position is legal.")(player);
    },
  },
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
  {
    name: "explore",
    at: "/play/pushfight/mini?moves=c3-b3,c1-b1,c2-d2",
    ready: async (player) => {
      await player.seesWords(/wins in|Draw/);
      await player.showPanel("Explore");
      await player.section("The way back").waitFor();
    },
  },
  {
    name: "share",
    at: `/play/dobutsu/official?moves=${game}`,
    ready: async (player) => {
      await player.seesWords(/wins in/);
      await player.showPanel("Share");
      await player.button("QR code of the link").click();
      await player.page.getByRole("img", { name: "QR code of the link" }).waitFor();
    },
  },
  {
    name: "new-game",
    at: "/play/dobutsu",
    ready: async (player) => {
      await player.seesWords(/wins in/);
      await player.control("New game").click();
      await player.page.getByRole("dialog").waitFor();
    },
  },
];

const widths = { wide: { width: 1280, height: 900 }, narrow: { width: 390, height: 844 } } as const;

const looks = [
  ["light", "wide"],
  ["light", "narrow"],
  ["dark", "narrow"],
  ["dark", "wide"],
] as const;
const checked = new Set(["light wide", "dark narrow"]);

interface Finding {
  readonly id: string;
  readonly nodes: readonly { readonly target: readonly string[]; readonly failureSummary?: string }[];
}

interface Findings {
  readonly passes: readonly Finding[];
  readonly violations: readonly Finding[];
}

async function axe(player: Player): Promise<readonly string[]> {
  await player.page.evaluate(await readFile(axePath, "utf8"));
  const { passes, violations } = await player.page.evaluate(async () => {
    const { axe: checker } = window as unknown as { axe: { run(what: object): Promise<Findings> } };
    // The entries of a gallery are all alike, and their drawings take long: six of them are enough.
    return checker.run({ exclude: [[".gallery li:nth-child(n + 7)"]] });
  });
  expect(passes.length).toBeGreaterThan(10);
  return violations.flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) => `${id}: ${target.join(" ")}: ${failureSummary}`));
}

/** What sticks out to the right, "" if nothing does. */
async function overflow(player: Player): Promise<string> {
  return player.page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    if (scrollWidth <= clientWidth) return "";
    const wide = [...document.querySelectorAll("body *")].filter((element) => element.getBoundingClientRect().right > clientWidth + 1);
    return `${scrollWidth} of ${clientWidth}: ${wide.map((element) => element.outerHTML.slice(0, 80)).slice(0, 5).join("; ")}`;
  });
}

async function picture(player: Player, name: string): Promise<void> {
  const folder = pictureFolder();
  if (folder === null) return;
  await mkdir(folder, { recursive: true });
  await player.page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
}

describe("every page in light and dark, wide and narrow", () => {
  test.for(sights)("$name", async ({ name, at, ready }, { visit }) => {
    const player = await visit({ at, profile: { colorScheme: "light", reducedMotion: "reduce" } });
    await ready(player);
    for (const [colorScheme, width] of looks) {
      await player.page.emulateMedia({ colorScheme });
      await expect.poll(() => player.page.locator("html").getAttribute("data-theme")).toBe(colorScheme);
      await player.page.setViewportSize(widths[width]);
      await picture(player, `${name}-${colorScheme}-${width}`);
      expect(await overflow(player)).toBe("");
      // Colours differ in nothing but colours, so each width is looked at in one of them.
      if (checked.has(`${colorScheme} ${width}`)) expect(await axe(player)).toEqual([]);
    }
  });
});

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
