// SPDX-License-Identifier: MIT
//
// Every page in light and dark, wide and narrow: nothing that axe-core has to say, and nothing to scroll sideways for.
// With SCREENSHOTS=folder, pictures of all of them are left there. The pages are in two files, which run at the same time.
import { mkdir, readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { describe, expect } from "vitest";
import type { Player } from "./player";
import { pictureFolder } from "./surroundings";
import { test } from "./visit";

const axePath = createRequire(import.meta.url).resolve("axe-core/axe.min.js");

export interface Sight {
  readonly name: string;
  readonly at: string;
  /** Until the page has all that it shows. */
  readonly ready: (player: Player) => Promise<void>;
}

export const shows = (text: string | RegExp) => (player: Player) =>
  expect.poll(() => player.page.getByRole("main").innerText()).toMatch(text);

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

export async function axe(player: Player): Promise<readonly string[]> {
  await player.page.evaluate(await readFile(axePath, "utf8"));
  const { passed, violations } = await player.page.evaluate(async () => {
    const { axe: checker } = window as unknown as { axe: { run(what: object, how: object): Promise<Findings> } };
    // The entries of a gallery are all alike, and their drawings take long: six of them are enough. Of what is right, a word for
    // each rule will do: a report on every element would have to be written and sent.
    const { passes, violations } = await checker.run({ exclude: [[".gallery li:nth-child(n + 7)"]] }, { resultTypes: ["violations"] });
    return {
      passed: passes.length,
      violations: violations.flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) => `${id}: ${target.join(" ")}: ${failureSummary}`)),
    };
  });
  expect(passed).toBeGreaterThan(10);
  return violations;
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

export async function picture(player: Player, name: string): Promise<void> {
  const folder = pictureFolder();
  if (folder === null) return;
  await mkdir(folder, { recursive: true });
  await player.page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
}

export function looksRight(sights: readonly Sight[]): void {
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
}
