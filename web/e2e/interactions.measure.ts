// SPDX-License-Identifier: MIT
//
// How long the page takes for a click or a key. Two figures: by the clock, from the event to the picture that follows it, as the
// browser itself counts it (Event Timing, in steps of 8 ms); and processor time of the main thread for all that comes of it, which
// does not depend on what else the machine does. No test: it prints figures for docs/performance.md.
//
// ROUNDS=5 visits each page five times and prints the best and the median of each step's figures.
import type { CDPSession, Page } from "playwright-core";
import type { Player } from "./player";
import { test } from "./visit";

type Step = readonly [name: string, does: (player: Player) => Promise<unknown>];

const square = (name: string): Step => [`square ${name}`, (player) => player.click(name)];
const key = (name: string): Step => [`key ${name}`, (player) => player.press(name)];
const panel = (name: string): Step => [`panel ${name}`, (player) => player.showPanel(name)];
const button = (name: string | RegExp): Step => [`button ${String(name)}`, (player) => player.button(name).first().click()];
const tab = (name: string): Step => [`tab ${name}`, (player) => player.tab(name).click()];

const visits: readonly { readonly name: string; readonly at: string; readonly steps: readonly Step[] }[] = [
  {
    name: "Play",
    at: "/play/dobutsu",
    steps: [...["2c", "2b", "1a", "2b", "1d", "1c"].map(square), button("Turn the board"), ...["z", "z", "y", "y", "Home", "End"].map(key), button("New game")],
  },
  {
    name: "Study",
    at: "/play/dobutsu/official?moves=2c2b.1a2b.1d1c.2a3b.C*2c",
    steps: [panel("Explore"), button("Find the positions before this one"), panel("Share"), panel("Analysis"), key("z"), key("y"), button("Edit the position"), button("Clear the board")],
  },
  {
    name: "Long game",
    at: "/play/dobutsu",
    steps: [button(/^Add perfect play/), ...["ArrowRight", "End", "ArrowLeft"].map(key), button("日本語"), button("こども"), button(/^こども/), button("English"), button("Dark mode")],
  },
  { name: "Pages", at: "/play/dobutsu", steps: ["Puzzles", "Learn", "Gallery", "Numbers", "About", "Play"].map(tab) },
  { name: "Push Fight, mini", at: "/play/pushfight/mini", steps: [...["b2", "a2", "c2", "d2"].map(square), key("z"), key("y"), panel("Explore")] },
  { name: "Push Fight, standard", at: "/play/pushfight/standard", steps: [...["c3", "b3", "d3", "e3"].map(square), key("z"), key("y"), button(/^Show all/), key("z")] },
];

interface Figures {
  /** Event to picture: waiting, handlers, drawing. */
  readonly clock: number;
  readonly parts: string;
  readonly processor: number;
}

async function milliseconds(session: CDPSession): Promise<number> {
  const { metrics } = await session.send("Performance.getMetrics");
  return 1000 * (metrics.find(({ name }) => name === "TaskDuration")?.value ?? 0);
}

/** Has the browser note what it counts for each event. */
async function watchEvents(page: Page): Promise<void> {
  await page.evaluate(() => {
    const noted: PerformanceEventTiming[] = [];
    (window as unknown as { noted: PerformanceEventTiming[] }).noted = noted;
    new PerformanceObserver((list) => noted.push(...(list.getEntries() as PerformanceEventTiming[]))).observe({
      type: "event",
      durationThreshold: 16,
    } as PerformanceObserverInit);
  });
}

/** The slowest event since the last call. */
function slowestEvent(page: Page): Promise<{ clock: number; parts: string }> {
  return page.evaluate(() => {
    const { noted } = window as unknown as { noted: (PerformanceEventTiming & { interactionId: number })[] };
    const slowest = noted.splice(0).filter((event) => event.interactionId > 0).reduce<PerformanceEventTiming | null>((worst, event) => (worst && worst.duration >= event.duration ? worst : event), null);
    if (!slowest) return { clock: 0, parts: "" };
    const { startTime, processingStart, processingEnd, duration, name } = slowest;
    const times = [processingStart - startTime, processingEnd - processingStart, startTime + duration - processingEnd];
    return { clock: duration, parts: `${name}: ${times.map((time) => time.toFixed(0)).join(" + ")}` };
  });
}

async function measure(player: Player, steps: readonly Step[]): Promise<readonly Figures[]> {
  const { page } = player;
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  await player.seesWords(/wins in|Not known/);
  await page.waitForTimeout(2500);
  await watchEvents(page);
  const figures: Figures[] = [];
  for (const [, does] of steps) {
    const before = await milliseconds(session);
    await does(player);
    // All that comes of it, the engine's answers included
    await page.waitForTimeout(1000);
    figures.push({ ...(await slowestEvent(page)), processor: (await milliseconds(session)) - before });
  }
  await session.detach();
  return figures;
}

const median = (values: readonly number[]) => [...values].sort((one, other) => one - other)[values.length >> 1] ?? 0;

test.for(visits)("$name", { timeout: 600_000 }, async ({ name, at, steps }, { visit }) => {
  const rounds: (readonly Figures[])[] = [];
  for (let round = 0; round < Number(process.env["ROUNDS"] ?? 1); round++) {
    const player = await visit({ at });
    rounds.push(await measure(player, steps));
    await player.page.goto("about:blank");
  }
  const rows = steps.map(([what], number) => {
    const mine = rounds.flatMap((figures) => figures[number] ?? []);
    const clocks = mine.map(({ clock }) => clock);
    const worst = mine.reduce((one, other) => (one.clock >= other.clock ? one : other));
    return {
      clock: median(clocks),
      text: `${what}: ${Math.min(...clocks)}, median ${median(clocks)}, slowest ${worst.clock} (${worst.parts}) ms; processor ${Math.min(...mine.map(({ processor }) => processor)).toFixed(0)} ms`,
    };
  });
  rows.sort((one, other) => other.clock - one.clock);
  console.log(`${name}\n  ${rows.map(({ text }) => text).join("\n  ")}`);
});
