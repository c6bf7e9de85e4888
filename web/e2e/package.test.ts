// SPDX-License-Identifier: MIT
//
// The npm package as its users have it: packed, installed in an empty folder, asked from Node and from a page. What it answers has
// to be what `kanzen serve` answers, byte for byte.
import { execFile } from "node:child_process";
import { copyFile, mkdtemp, readFile, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { chromium } from "playwright-core";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { type StaticHost, startStaticHost } from "./static-host";
import { siteFolder } from "./surroundings";

const run = promisify(execFile);
const root = join(import.meta.dirname, "../..");
const tables = join(siteFolder(), "tables");
let folder = "";
let host: StaticHost;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "kanzen-package-"));
  await run(join(root, "tools/npm"), [join(folder, "packed")]);
  const { version } = JSON.parse(await readFile(join(root, "web/packages/kanzen/package.json"), "utf8")) as { version: string };
  const install = ["install", "--offline", "--no-audit", "--no-fund", `./packed/kanzen-${version}.tgz`];
  await run("npm", install, { cwd: folder });
  host = await startStaticHost(folder);
}, 300_000);

afterAll(async () => {
  await host.close();
  await rm(folder, { recursive: true });
});

/** Runs a script in the folder that prints JSON. */
async function node<T>(script: string, ...args: string[]): Promise<T> {
  await writeFile(join(folder, "script.mjs"), `import { openKanzen } from "kanzen";\n${script}`);
  const { stdout } = await run(process.execPath, ["script.mjs", ...args], { cwd: folder, maxBuffer: 2 ** 26 });
  return JSON.parse(stdout) as T;
}

interface Question {
  readonly path: string;
  readonly query?: string;
  readonly body?: unknown;
}

const record = "game: dobutsu\nrules: official\n\n2c2b\n1a2b\n";
const questions: readonly Question[] = [
  { path: "/healthz" },
  { path: "/api/v1/games" },
  { path: "/api/v1/dobutsu/position" },
  { path: "/api/v1/dobutsu/position", query: "pos=gle/1c1/LC1/E1G+w+-+2&moves=2&rules=official" },
  { path: "/api/v1/dobutsu/moves", query: "played=2c2b" },
  { path: "/api/v1/dobutsu/legal", query: "rules=simplified" },
  { path: "/api/v1/dobutsu/svg" },
  { path: "/api/v1/dobutsu/table" },
  { path: "/api/v1/dobutsu/play", query: "level=easy&seed=7" },
  { path: "/api/v1/pushfight/position", query: "rules=mini&moves=5" },
  { path: "/api/v1/pushfight/line", query: "rules=mini&limit=3" },
  { path: "/api/v1/pushfight/positions", body: { positions: ["startpos", "nonsense"], rules: "mini" } },
  { path: "/api/v1/dobutsu/annotate", body: { record } },
  { path: "/api/v1/dobutsu/position", query: "pos=gle/1c1/1C1/ELX+b+-+1" },
  { path: "/api/v1/dobutsu/position", query: "nonsense=1" },
  { path: "/api/v1/nothing/position" },
  { path: "/api/v1/dobutsu/annotate", body: [] },
];

/** What the server says. */
async function served({ path, query, body }: Question): Promise<{ status: number; body: string }> {
  const address = new URL(`${path}${query ? `?${query}` : ""}`, inject("server"));
  const options = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) };
  const response = await fetch(address, { ...options, headers: { "Content-Type": "application/json" } });
  return { status: response.status, body: await response.text() };
}

describe("the package in Node", () => {
  it("answers as the server does, to the byte", async () => {
    const answers = await node<{ status: number; body: string }[]>(
      `import { readdirSync } from "node:fs";
      const [tables, questions] = process.argv.slice(2);
      const kanzen = await openKanzen();
      for (const file of readdirSync(tables)) if (file.endsWith(".kzt")) await kanzen.addTable(tables + "/" + file);
      const answers = [];
      for (const { path, query, body } of JSON.parse(questions)) answers.push(await kanzen.request(path, { query, body }));
      await kanzen.close();
      console.log(JSON.stringify(answers));`,
      tables,
      JSON.stringify(questions),
    );
    for (const [number, question] of questions.entries()) {
      expect({ question, ...answers[number] }).toEqual({ question, ...(await served(question)) });
    }
  });

  it("takes a table as a file, as bytes, as a blob, and from an address by ranges", async () => {
    await copyFile(join(tables, "dobutsu-official.kzt"), join(folder, "table.kzt"));
    const before = host.sent.length;
    const answers = await node<string[]>(
      `import { readFile } from "node:fs/promises";
      import { pathToFileURL } from "node:url";
      const bytes = await readFile("table.kzt");
      const address = process.argv[2] + "table.kzt";
      for (const source of ["table.kzt", pathToFileURL("table.kzt"), new Uint8Array(bytes), new Blob([bytes]), address, new URL(address)]) {
        const kanzen = await openKanzen();
        const { game, rules } = await kanzen.addTable(source);
        const { value, distance, source: from, moves } = await kanzen.position(game, rules, "gle/1c1/LC1/E1G w - 2", 2);
        (globalThis.list ??= []).push(JSON.stringify({ game, rules, value, distance, from, moves }));
        await kanzen.close();
      }
      console.log(JSON.stringify(list));`,
      host.url,
    );
    expect(answers).toHaveLength(6);
    expect(new Set(answers).size).toBe(1);
    const right = JSON.parse((await served({ path: "/api/v1/dobutsu/position", query: "pos=gle/1c1/LC1/E1G+w+-+2&moves=2" })).body) as object;
    const { from, ...own } = JSON.parse(answers[0] as string) as Record<string, unknown>;
    expect(from).toBe("table");
    expect(right).toMatchObject(own);
    // Parts of the file only, and not all of it.
    const sent = host.sent.slice(before);
    expect(new Set(sent.map(({ status }) => status))).toEqual(new Set([206]));
    expect(sent.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThan(24_937_741 / 4);
  });

  it("says what is wrong with a table", async () => {
    const bytes = new Uint8Array(await readFile(join(tables, "pushfight-mini.kzt")));
    await writeFile(join(folder, "short.kzt"), bytes);
    await truncate(join(folder, "short.kzt"), 100_000);
    const flipped = bytes.slice();
    flipped[40] = 1;
    await writeFile(join(folder, "flipped.kzt"), flipped);
    await writeFile(join(folder, "text.kzt"), "no table\n");
    // A damaged block is found when it is read.
    const late = bytes.slice();
    for (let at = late.length >> 1; at < late.length; at++) late[at] = (late[at] as number) ^ 255;
    await writeFile(join(folder, "late.kzt"), late);
    const messages = await node<string[]>(
      `const messages = [];
      for (const source of ["none.kzt", "text.kzt", "short.kzt", "flipped.kzt", process.argv[2] + "none.kzt", process.argv[2] + "text.kzt"]) {
        const kanzen = await openKanzen();
        await kanzen.addTable(source).then(() => messages.push("taken"), (error) => messages.push(error.status + " " + error.message));
        await kanzen.close();
      }
      const kanzen = await openKanzen();
      await kanzen.addTable("late.kzt");
      messages.push((await kanzen.request("/api/v1/pushfight/position", { query: "rules=mini" })).status);
      await kanzen.close();
      await kanzen.games().catch((error) => messages.push(error.message));
      console.log(JSON.stringify(messages));`,
      host.url,
    );
    expect(messages).toEqual([
      expect.stringMatching(/^404 none\.kzt can't be read: .*ENOENT/),
      "400 text.kzt is not a table of Kanzen.",
      expect.stringMatching(/^500 short\.kzt has 100000 bytes, and its header says \d+\.$/),
      expect.stringMatching(/^500 flipped\.kzt: the header is damaged/),
      "404 none.kzt can't be loaded: the host answers with status 404.",
      "400 text.kzt is not a table of Kanzen.",
      500,
      "This engine was closed.",
    ]);
  });

  it("runs the script of its README", async () => {
    const readme = await readFile(join(folder, "node_modules/kanzen/README.md"), "utf8");
    const script = /```js\n([^]*?)```/.exec(readme)?.[1] ?? "";
    await writeFile(join(folder, "readme.mjs"), script.replace("dobutsu-official.kzt", join(tables, "dobutsu-official.kzt")));
    const { stdout } = await run(process.execPath, ["readme.mjs"], { cwd: folder });
    // Tanaka's result, and his values of the first moves.
    expect(stdout.split("\n")[0]).toBe("loss 78");
    expect(stdout).toMatch(/^2c2b loss 76$/m);
    expect(stdout.trim().split("\n").at(-1)).toBe("78");
  });

  it("has types", async () => {
    await writeFile(
      join(folder, "user.mts"),
      `import { EngineError, type Kanzen, type PositionAnswer, openKanzen } from "kanzen";
      import { Analyst } from "kanzen/parts";
      const kanzen: Kanzen = await openKanzen();
      await kanzen.addTable("a.kzt", { name: "a" });
      const answer: PositionAnswer = await kanzen.position("dobutsu", "official");
      export const first: string | undefined = answer.moves[0]?.move;
      // @ts-expect-error: a number is no position
      await kanzen.position("dobutsu", "official", 1);
      // @ts-expect-error: there is no such member
      export const wrong = answer.nothing;
      export const both = [EngineError, Analyst];
      `,
    );
    const options = ["--noEmit", "--strict", "--module", "nodenext", "--target", "es2022", "--lib", "es2022,dom", "user.mts"];
    const compiler = join(root, "web/node_modules/typescript/bin/tsc");
    const complaints = await run(process.execPath, [compiler, ...options], { cwd: folder }).then(
      () => "",
      (error: unknown) => (error as { stdout: string }).stdout,
    );
    expect(complaints).toBe("");
  });
});

it("the package in a browser, without a bundler: a table by ranges, and one that a user chose", async () => {
  await copyFile(join(tables, "pushfight-mini.kzt"), join(folder, "mini.kzt"));
  await writeFile(join(folder, "index.html"), '<!doctype html><title>-</title><input type="file"><script type="module" src="page.js"></script>\n');
  await writeFile(
    join(folder, "page.js"),
    `import { openKanzen } from "./node_modules/kanzen/dist/index.js";
    const ask = async (source) => {
      const kanzen = await openKanzen();
      const { game, rules } = await kanzen.addTable(source);
      const { value, distance, source: from } = await kanzen.position(game, rules);
      document.title += [rules, value, distance, from].join(" ") + ";";
    };
    const input = document.querySelector("input");
    input.addEventListener("change", () => ask(input.files[0]));
    await ask("mini.kzt");`,
  );
  const browser = await chromium.connect(inject("browser"));
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    await page.goto(host.url);
    await expect.poll(() => page.title()).toMatch(/;$/);
    await page.setInputFiles("input", join(tables, "pushfight-mini.kzt"));
    await expect.poll(() => page.title()).toMatch(/;.*;$/);
    const { value, distance } = JSON.parse((await served({ path: "/api/v1/pushfight/position", query: "rules=mini&moves=0" })).body) as {
      value: string;
      distance: number;
    };
    const right = `mini ${value} ${distance} table;`;
    expect(await page.title()).toBe(`-${right}${right}`);
  } finally {
    await context.close();
    await browser.close();
  }
});
