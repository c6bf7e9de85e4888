// SPDX-License-Identifier: MIT
//
// Links for others, with a preview; and what goes out to everybody: images, compressed files.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { expect } from "vitest";
import { siteFolder } from "./surroundings";
import { addressOf, test } from "./visit";

/** What a program that makes previews reads. */
function propertiesOf(page: string): ReadonlyMap<string, string> {
  const found = page.matchAll(/<meta (?:property|name)="([^"]+)" content="([^"]*)"/g);
  return new Map([...found].map(([, name = "", content = ""]) => [name, content.replaceAll("&amp;", "&")]));
}

test("a link from the server has an image of the position and leads to the board", async ({ visit }) => {
  const player = await visit({
    at: "/play/dobutsu/official?moves=2c2b.1a2b",
    profile: { permissions: ["clipboard-read", "clipboard-write"] },
  });
  await player.seesPly(2);
  await player.press("z");
  await player.seesWords("Gote wins in 75");
  await player.showPanel("Share");
  await player.button("Share a link to this game").click();
  await player.button("Copied").waitFor();
  const link = await player.page.evaluate(() => navigator.clipboard.readText());
  expect(link).toMatch(/\/share\/dobutsu\?pos=.*&played=2c2b\+1a2b&at=1$/);

  const properties = propertiesOf(await (await fetch(link)).text());
  expect(properties.get("og:title")).toBe("Gote to move: wins in 75 plies");
  const image = properties.get("og:image") ?? "";
  expect(new URL(image).origin).toBe(new URL(addressOf("server")).origin);
  // The browser draws what an independent reader of PNG has to be able to read; gote's lion is at the top.
  const size = await player.page.evaluate(async (address) => {
    const bitmap = await createImageBitmap(await (await fetch(address)).blob());
    const canvas = new OffscreenCanvas(bitmap.width, bitmap.height).getContext("2d");
    canvas?.drawImage(bitmap, 0, 0);
    return { width: bitmap.width, height: bitmap.height, lion: [...(canvas?.getImageData(600, 138, 1, 1).data ?? [])] };
  }, image);
  expect(size).toEqual({ width: 1200, height: 630, lion: [0xf3, 0xb5, 0x4a, 255] });

  await player.page.goto(link);
  await player.seesPly(1);
  await player.seesWords("Gote wins in 75");
  await player.press("y");
  await player.seesPly(2);
  // It can be pasted, too.
  await player.open(link);
  await player.seesPly(1);
});

test("a broken link says so", async ({ visit }) => {
  const player = await visit({ forgive: /400/ });
  await player.page.goto(new URL("share/dobutsu?pos=zzz", addressOf("server")).href);
  expect(await player.page.locator("body").innerText()).toContain("This link is broken: character 1 ('z')");
  await player.page.getByRole("link", { name: "Kanzen" }).click();
  await player.seesWords("Gote wins in 78");
});

test("a site has compressed copies, and the engine with gzip has less than 75,000 bytes", async () => {
  const engine = await readFile(join(siteFolder(), "kanzen.wasm"));
  const packed = await readFile(join(siteFolder(), "kanzen.wasm.gz"));
  console.log(`kanzen.wasm: ${engine.length} bytes, ${packed.length} with gzip`);
  expect(packed.length).toBeLessThan(75_000);
  expect(gunzipSync(packed).equals(engine)).toBe(true);
  const page = await readFile(join(siteFolder(), "index.html"));
  expect(brotliDecompressSync(await readFile(join(siteFolder(), "index.html.br"))).equals(page)).toBe(true);
  for (const file of ["tables/index.json", "openapi.json"]) {
    const text = await readFile(join(siteFolder(), file));
    expect(gunzipSync(await readFile(join(siteFolder(), `${file}.gz`))).equals(text)).toBe(true);
  }
});

test("the page names its icons, its colour and an image", async ({ visit }) => {
  const player = await visit({ mode: "static" });
  const named = await player.page.evaluate(() =>
    [...document.querySelectorAll<HTMLLinkElement>("link[rel*=icon], link[rel=manifest]")].map(({ href }) => href),
  );
  expect(named.length).toBe(3);
  const manifest = (await (await fetch(named.find((name) => name.endsWith("webmanifest")) ?? "")).json()) as {
    readonly icons: readonly { readonly src: string }[];
    readonly theme_color: string;
  };
  expect(manifest.theme_color).toMatch(/^#/);
  const image = propertiesOf(await (await fetch(addressOf("static"))).text()).get("og:image") ?? "";
  const all = [...named, ...manifest.icons.map(({ src }) => src), image].map((name) => new URL(name, addressOf("static")).href);
  for (const address of all) expect((await fetch(address)).status, address).toBe(200);
  const themes = await player.page.locator("meta[name=theme-color]").evaluateAll((tags) => tags.map((tag) => tag.getAttribute("media")));
  expect(themes).toEqual(["(prefers-color-scheme: light)", "(prefers-color-scheme: dark)"]);
});

test("the description of the API is there on a file host, too", async ({ visit }) => {
  const player = await visit({ mode: "static", at: "/developers" });
  const last = player.page.locator(".developers section").last();
  await last.getByRole("button").click();
  await expect.poll(() => last.locator("pre").innerText()).toContain('"openapi": "3.1.0"');
});
