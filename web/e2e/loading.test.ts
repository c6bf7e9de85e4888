// SPDX-License-Identifier: MIT
//
// How much the page takes and how soon it is there.
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect } from "vitest";
import { startStaticHost } from "./static-host";
import { siteFolder } from "./surroundings";
import { addressOf, modes, test } from "./visit";

/** All scripts of the site, the engine's worker and the service worker included. */
async function scripts(): Promise<readonly { readonly name: string; readonly bytes: Buffer }[]> {
  const files = await readdir(siteFolder(), { recursive: true });
  const names = files.filter((name) => name.endsWith(".js") || name.endsWith(".mjs"));
  return Promise.all(names.map(async (name) => ({ name, bytes: await readFile(join(siteFolder(), name)) })));
}

const allowance = 150_000;
const playAllowance = 90_000;

test("all script together: less than 150 KB with gzip", async () => {
  const all = await scripts();
  expect(all.length).toBeGreaterThan(4);
  const plain = all.reduce((sum, { bytes }) => sum + bytes.length, 0);
  const packed = all.reduce((sum, { bytes }) => sum + gzipSync(bytes).length, 0);
  console.log(`all script: ${plain} bytes, ${packed} with gzip`);
  expect(packed).toBeLessThan(allowance);
});

test("the Play page with both games: less than 90 KB of script with gzip", async ({ visit }) => {
  const host = await startStaticHost(siteFolder());
  // Without the service worker, which gets the rest of the page for later.
  const player = await visit({ host: host.url, profile: { serviceWorkers: "block" }, forgive: /Service Worker/ });
  await player.seesWords("Gote wins in 78");
  await player.page.locator("#game").selectOption({ label: "Push Fight" });
  await expect.poll(() => player.label("d3")).toMatch(/^d3, Red pusher/);
  for (const panel of ["Explore", "Share"]) await player.showPanel(panel);
  // The host must not close before all of them are there.
  await expect.poll(() => host.sent.some(({ file }) => file.includes("Sharing"))).toBe(true);
  await player.page.waitForLoadState("networkidle");
  const loaded = new Set(host.sent.filter(({ file }) => file.endsWith(".js")).map(({ file }) => file));
  const sizes = await Promise.all([...loaded].map(async (file) => gzipSync(await readFile(join(siteFolder(), file))).length));
  const sum = sizes.reduce((total, bytes) => total + bytes, 0);
  console.log(`script of the Play page with both games: ${sum} bytes with gzip`);
  expect(sum).toBeGreaterThan(20_000);
  expect(sum).toBeLessThan(playAllowance);
  await host.close();
});

describe.each(modes)("loading, %s", (mode) => {
  // How long it takes is measured and told; what is checked is what a busy machine does not change.
  test("the board needs few files and little of them", async ({ visit }) => {
    const player = await visit({ mode, profile: { serviceWorkers: "block" }, forgive: /Service Worker/ });
    await player.place("2c").waitFor();
    const { board, paint, files } = await player.page.evaluate(() => ({
      board: performance.now(),
      paint: performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? NaN,
      files: performance.getEntriesByType("resource").map((entry) => {
        const { name, decodedBodySize } = entry as PerformanceResourceTiming;
        return { name: new URL(name).pathname, bytes: decodedBodySize };
      }),
    }));
    console.log(`${mode}: first paint after ${paint.toFixed(0)} ms, the board after ${board.toFixed(0)} ms`);
    expect(paint).toBeLessThanOrEqual(board);
    const code = files.filter(({ name }) => /\.(js|css)$/.test(name));
    expect(code.length).toBeGreaterThan(2);
    expect(code.length).toBeLessThan(16);
    expect(code.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThan(250_000);
    expect(files.filter(({ name }) => name.includes("pushfight") || name.includes("Page-"))).toEqual([]);
  });
});

test("kanzen serve sends a policy that lets nothing in from elsewhere but tables", async () => {
  const response = await fetch(addressOf("server"));
  const policy = response.headers.get("content-security-policy") ?? "";
  expect(policy).toContain("default-src 'none'");
  expect(policy).toMatch(/script-src 'self' 'wasm-unsafe-eval'(;|$)/);
  // Tables may be read from other hosts when a person names one; nothing else comes from there.
  const reading = "connect-src 'self' https: http://localhost:* http://127.0.0.1:*";
  expect(policy).toContain(reading);
  expect(policy.replace(reading, "")).not.toMatch(/'unsafe-|data:|https?:|\*/);
});

test("on a file host the page brings its policy along", async () => {
  const page = await (await fetch(addressOf("static"))).text();
  const sent = (await fetch(addressOf("server"))).headers.get("content-security-policy") ?? "";
  const [, own = ""] = /<meta http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(page) ?? [];
  // Who may show it as a part of another page is nothing that a page can say.
  expect(own.replaceAll("&#39;", "'")).toBe(sent.replace("; frame-ancestors 'none'", ""));
  expect(page.indexOf("<meta http-equiv")).toBeLessThan(page.indexOf("<script"));
});

test("with a server, values are asked of it and no table is loaded", async ({ visit }) => {
  const asked: string[] = [];
  const player = await visit({
    before: async (page) => {
      page.on("request", (request) => asked.push(new URL(request.url()).pathname));
    },
  });
  await player.seesWords("Gote wins in 78");
  await player.click("2c", "2b");
  await player.seesWords("Gote wins in 75");
  expect(asked).toContain("/api/v1/dobutsu/position");
  expect(asked.filter((path) => path.endsWith(".kzt"))).toEqual([]);
});
