// SPDX-License-Identifier: MIT
//
// The browser and the two ways to get the page, once for all tests.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { chromium } from "playwright-core";
import type { TestProject } from "vitest/node";
import { startStaticHost } from "./static-host";
import { kanzenEnvironment, kanzenPath, siteFolder } from "./surroundings";

declare module "vitest" {
  interface ProvidedContext {
    browser: string;
    server: string;
    static: string;
  }
}

async function startKanzen(): Promise<{ url: string; stop: () => Promise<void> }> {
  const child = spawn(kanzenPath(), ["serve", "--port", "0", "--site", siteFolder()], {
    env: kanzenEnvironment(),
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(child, "exit");
  const lines = createInterface(child.stdout);
  const url = await Promise.race([
    once(lines, "line").then(([line]) => String(line)),
    ended.then(() => Promise.reject(new Error("kanzen serve ended before it was ready"))),
  ]);
  return {
    url,
    stop: async () => {
      child.kill("SIGTERM");
      await ended;
    },
  };
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const kanzen = await startKanzen();
  const host = await startStaticHost(siteFolder());
  const browser = await chromium.launchServer({
    executablePath: process.env["CHROMIUM"] ?? "/usr/bin/chromium",
    headless: true,
    args: ["--no-sandbox", "--disable-dev-shm-usage", "--force-color-profile=srgb", "--disable-gpu"],
  });
  project.provide("browser", browser.wsEndpoint());
  project.provide("server", kanzen.url);
  project.provide("static", host.url);
  return async () => {
    await browser.close();
    await host.close();
    await kanzen.stop();
  };
}
