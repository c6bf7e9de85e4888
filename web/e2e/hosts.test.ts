// SPDX-License-Identifier: MIT
//
// The page from file hosts of several kinds, and without any network.
import { stat } from "node:fs/promises";
import { join } from "node:path";
import type { BrowserContext } from "playwright-core";
import { describe, expect } from "vitest";
import { movesOf } from "./kanzen";
import type { Player } from "./player";
import { type HostOptions, startStaticHost, type StaticHost } from "./static-host";
import { siteFolder } from "./surroundings";
import { addressOf, test } from "./visit";

async function withHost(options: HostOptions, use: (host: StaticHost) => Promise<void>): Promise<void> {
  const host = await startStaticHost(siteFolder(), options);
  try {
    await use(host);
  } finally {
    await host.close();
  }
}

const limit = /\b(?:32\*2\*\*20|33554432)\b/;
const tables = (host: StaticHost) => host.sent.filter(({ file }) => file.endsWith(".kzt"));

/** The page loads small tables as a whole. This one takes them for large, as if they were those of the large boards. */
function takesTablesForLarge(script: string): string {
  return script.replace(limit, "65536");
}

async function seesMini(player: Player): Promise<void> {
  const { distance } = await movesOf("pushfight", "mini");
  await player.seesWords(`Red wins in ${distance} turns`);
}

describe("tables in blocks", () => {
  test("from a host that sends parts of files: no more than is needed", async ({ visit }) => {
    let changed = 0;
    const rewrite = (script: string) => {
      const other = takesTablesForLarge(script);
      if (other !== script) changed += 1;
      return other;
    };
    await withHost({ rewrite }, async (host) => {
      const player = await visit({ host: host.url, at: "/play/pushfight/twocolumn" });
      const right = await movesOf("pushfight", "twocolumn");
      await player.seesWords(right.value === "draw" ? "Draw with best play" : /^(Red|Blue) wins in \d+ turns?$/);
      const rows = await player.rows();
      expect(rows.map(({ value, distance }) => ({ value, distance }))).toEqual(
        right.moves.slice(0, rows.length).map(({ value, distance }) => ({ value, distance })),
      );
      expect(changed).toBeGreaterThan(0);
      const sent = tables(host);
      expect(sent.length).toBeGreaterThan(1);
      expect(new Set(sent.map(({ status }) => status))).toEqual(new Set([206]));
      const whole = (await stat(join(siteFolder(), "tables/pushfight-twocolumn.kzt"))).size;
      expect(sent.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThan(whole / 2);
    });
  });

  test("from a host that can't: as a whole", async ({ visit }) => {
    await withHost({ ranges: false, rewrite: takesTablesForLarge }, async (host) => {
      const player = await visit({ host: host.url, at: "/play/pushfight/mini" });
      await seesMini(player);
      expect(new Set(tables(host).map(({ status }) => status))).toEqual(new Set([200]));
    });
  });
});

describe("a table from another host", () => {
  const without = async (_page: unknown, context: BrowserContext) => {
    await context.route("**/tables/index.json", (route) => route.fulfill({ json: { tables: [] } }));
  };

  test("is read by ranges, kept for the next visit, and dropped", async ({ visit }) => {
    await withHost({}, async (host) => {
      const parts: number[] = [];
      const player = await visit({
        host: host.url,
        at: "/play/pushfight/mini",
        profile: { serviceWorkers: "block" },
        forgive: /Service Worker|request to another host: .*\/tables\/pushfight-mini\.kzt$/,
        before: async (page, context) => {
          await without(page, context);
          context.on("response", (response) => {
            if (response.url().endsWith(".kzt")) parts.push(response.status());
          });
        },
      });
      await player.page.getByText("A table from another address").click();
      const field = player.page.getByLabel("Address of a table");
      await field.fill(new URL("tables/pushfight-mini.kzt", addressOf("server")).href);
      await player.button("Use it").click();
      await seesMini(player);
      expect(new Set(parts)).toEqual(new Set([206]));
      await expect.poll(() => player.page.locator(".banner .source").innerText()).toContain("table");
      await player.page.reload();
      await seesMini(player);
      await player.button("Stop using it").click();
      await player.page.getByText("A table from another address").waitFor();
      await player.seesWords(/not known|search|wins in/);
    });
  });

  test("what is wrong with an address is said", async ({ visit }) => {
    await withHost({}, async (host) => {
      const player = await visit({
        host: host.url,
        at: "/play/pushfight/mini",
        profile: { serviceWorkers: "block" },
        forgive: /Service Worker|request to another host|CORS|ERR_FAILED/,
        before: without,
      });
      const problem = player.page.locator(".table-field [role=alert]");
      const use = async (address: string) => {
        await player.page.getByLabel("Address of a table").fill(address);
        await player.button("Use it").click();
      };
      await player.page.getByText("A table from another address").click();
      await use(new URL("api/v1/openapi.json", addressOf("server")).href);
      await expect.poll(() => problem.innerText()).toBe("There is no table of Kanzen at this address.");
      // This host does not allow pages of other sites.
      await withHost({}, async (other) => {
        await use(new URL("tables/pushfight-mini.kzt", other.url).href);
        await expect.poll(() => problem.innerText()).toContain("does not allow pages of other sites (CORS)");
      });
      await use(new URL("tables/dobutsu-official.kzt", addressOf("server")).href);
      await expect.poll(() => problem.innerText()).toBe("This is a table of dobutsu/official; it is used there.");
    });
  });
});

test("a host without ranges", async ({ visit }) => {
  await withHost({ ranges: false }, async (host) => {
    const player = await visit({ host: host.url });
    await player.seesWords("Gote wins in 78");
    expect(tables(host)).toMatchObject([{ file: "tables/dobutsu-official.kzt", status: 200 }]);
    await player.page.locator("#game").selectOption({ label: "Push Fight" });
    await player.page.getByLabel("Rules").selectOption({ label: "Mini board (3 × 6)" });
    await seesMini(player);
  });
});

test("a host that answers with its page for what is missing", async ({ visit }) => {
  await withHost({ missing: "page" }, async (host) => {
    const player = await visit({ host: host.url });
    await player.seesWords("Gote wins in 78");
    await player.openTab("Gallery");
    await expect.poll(() => player.page.getByRole("main").innerText()).toContain("wins in 173");
  });
});

test("the table is loaded once and kept", async ({ visit }) => {
  await withHost({}, async (host) => {
    const player = await visit({ host: host.url });
    await player.seesWords("Gote wins in 78");
    await expect.poll(() => isKept(player)).toBe(true);
    await player.page.reload();
    await player.seesWords("Gote wins in 78");
    // Parts for the first answers, and the whole file once.
    expect(tables(host).filter(({ status }) => status === 200).length).toBe(1);
  });
});

test("a table that does not come: the board can be played on all the same", async ({ visit }) => {
  const host = await startStaticHost(siteFolder(), { hold: /\.kzt$/ });
  const player = await visit({ host: host.url, forgive: /\.kzt|ERR_/ });
  const progress = player.page.getByLabel(/^Loading all positions/);
  await progress.waitFor();
  await player.canPlay();
  await player.click("2c", "2b");
  await player.seesPly(1);
  expect(await progress.isVisible()).toBe(true);
  // The connection breaks; it is tried again and again.
  await host.close();
  await expect.poll(() => player.page.getByRole("alert").innerText()).toContain("There is no connection.");
  await player.canPlay();
});

/** Whether the table and all files of the page are kept, and the worker that gives them out is at work. */
function isKept(player: Player): Promise<boolean> {
  return player.page.evaluate(async () => {
    const worker = await navigator.serviceWorker.getRegistration();
    const names = await Promise.all(["kanzen-tables", "kanzen-page"].map(async (name) => (await caches.open(name)).keys()));
    const [kept = [], page = []] = names.map((keys) => keys.map(({ url }) => url));
    return (
      worker?.active?.state === "activated" &&
      kept.some((url) => url.includes("dobutsu-official.kzt")) &&
      page.some((url) => url.endsWith("kanzen.wasm"))
    );
  });
}

test("offline: after one visit everything works without a network", async ({ visit }) => {
  const host = await startStaticHost(siteFolder());
  const player = await visit({ host: host.url });
  await player.seesWords("Gote wins in 78");
  await expect.poll(() => isKept(player)).toBe(true);
  // Not only the browser's switch: there is nobody any more who could answer.
  await host.close();
  await player.page.context().setOffline(true);
  await player.page.reload();
  await player.seesWords("Gote wins in 78");
  await player.click("2c", "2b");
  await player.seesWords("Gote wins in 75");
  expect(await player.moveRows.count()).toBeGreaterThan(3);
  await player.section("Opponent").getByRole("radio", { name: "The computer plays Gote" }).check();
  await player.seesPly(2);
  await player.openTab("Puzzles");
  await expect.poll(() => player.page.getByRole("main").innerText()).toContain("Just one move wins. Which one?");
  await player.openTab("Gallery");
  await expect.poll(() => player.page.getByRole("main").innerText()).toContain("wins in 173");
  await player.openTab("Numbers");
  await expect.poll(() => player.page.getByRole("main").innerText()).toContain("231,641,991 positions");
  await player.openTab("About");
  await expect.poll(() => player.page.getByRole("main").innerText()).toContain("What this is");
  // The other game's rules are here, too, even if its table was never loaded.
  await player.openTab("Play");
  await player.page.locator("#game").selectOption({ label: "Push Fight" });
  await expect.poll(() => player.label("d3")).toMatch(/^d3, Red pusher/);
  await player.canPlay();
  await player.drag("d3", "e3");
  await player.seesAddress(/^#\/play\/pushfight\/standard.*moves=d3-e3$/);
  await player.button("日本語").click();
  await expect.poll(() => player.page.locator("html").getAttribute("lang")).toBe("ja");
});
