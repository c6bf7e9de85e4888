// SPDX-License-Identifier: MIT
//
// `test` with `visit`, which opens the page in a fresh profile and watches it: whatever the browser complains about, and
// every request to another host, makes the test fail.
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { expect, inject, test as plainTest } from "vitest";
import { Player } from "./player";
import { pictureFolder } from "./surroundings";

/** `server`: from `kanzen serve`. `static`: from a file host, with the engine in the page. */
export type Mode = "server" | "static";
export const modes: readonly Mode[] = ["server", "static"];

export interface Wish {
  readonly mode?: Mode;
  /** Another host than those that are there for all. */
  readonly host?: string;
  /** What comes after '#'. */
  readonly at?: string;
  readonly profile?: BrowserContextOptions;
  /** Complaints that the test means to provoke. */
  readonly forgive?: RegExp;
  /** Called before the page is loaded. */
  readonly before?: (page: Page, context: BrowserContext) => Promise<void>;
}

export type Visit = (wish?: Wish) => Promise<Player>;

/** Addresses of the page in either mode. */
export const addressOf = (mode: Mode): string => inject(mode);

let connected: Promise<Browser> | null = null;
const browser = (): Promise<Browser> => (connected ??= chromium.connect(inject("browser")));

/** On a file host nobody answers here; that is how the page finds out. */
function isQuestionForServer(address: string, host: string): boolean {
  return address === new URL("healthz", host).href;
}

export class Watch {
  readonly complaints: string[] = [];

  constructor(context: BrowserContext, host: string) {
    const origin = new URL(host).origin;
    context.on("request", (request) => {
      const address = new URL(request.url());
      if (address.protocol.startsWith("http") && address.origin !== origin) {
        this.complaints.push(`request to another host: ${request.url()}`);
      }
    });
    context.on("console", (message) => {
      if (message.type() !== "error" && message.type() !== "warning") return;
      if (isQuestionForServer(message.location().url, host)) return;
      this.complaints.push(`${message.type()}: ${message.text()} (${message.location().url})`);
    });
    context.on("weberror", (error) => this.complaints.push(`uncaught: ${String(error.error())}`));
    context.on("page", (page) => page.on("crash", () => this.complaints.push("the page crashed")));
  }

  /** Breaches of the policy, which the browser tells the page. */
  async listen(context: BrowserContext): Promise<void> {
    await context.exposeFunction("tellBreach", (what: string) => this.complaints.push(`policy breached: ${what}`));
    await context.addInitScript(() => {
      document.addEventListener("securitypolicyviolation", (event) => {
        (window as unknown as { tellBreach(what: string): void }).tellBreach(
          `${event.violatedDirective} by ${event.blockedURI || event.sourceFile}`,
        );
      });
    });
  }
}

export const test = plainTest.extend<{ visit: Visit }>({
  visit: async ({ task }, use) => {
    const opened: { player: Player; watch: Watch; forgive: RegExp | undefined }[] = [];
    await use(async ({ mode = "server", host = addressOf(mode), at = "", profile = {}, forgive, before } = {}) => {
      const context = await (await browser()).newContext({
        viewport: { width: 1280, height: 900 },
        locale: "en-GB",
        ...profile,
      });
      context.setDefaultTimeout(15_000);
      const watch = new Watch(context, host);
      await watch.listen(context);
      const page = await context.newPage();
      const player = new Player(page, host);
      opened.push({ player, watch, forgive });
      await before?.(page, context);
      await page.goto(at === "" ? host : `${host}#${at}`);
      return player;
    });
    const folder = pictureFolder();
    if (folder !== null && task.result?.state === "fail") {
      await mkdir(folder, { recursive: true });
      const name = task.name.replaceAll(/[^a-z0-9]+/gi, "-");
      for (const [number, { player }] of opened.entries()) {
        await player.page.screenshot({ path: join(folder, `failed-${name}-${number}.png`) }).catch(() => undefined);
      }
    }
    await Promise.all(opened.map(({ player }) => player.page.context().close()));
    const complaints = opened.flatMap(({ watch, forgive }) => watch.complaints.filter((text) => !forgive?.test(text)));
    expect(complaints).toEqual([]);
  },
});
