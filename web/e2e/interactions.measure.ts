// SPDX-License-Identifier: MIT
//
// How long the page works for a click or a key: processor time of its main thread, which does not depend on what else
// the machine does. No test: it prints figures for docs/performance.md.
import type { CDPSession } from "playwright-core";
import type { Player } from "./player";
import { test } from "./visit";

type Step = readonly [name: string, does: (player: Player) => Promise<unknown>];

const square = (name: string): Step => [`square ${name}`, (player) => player.click(name)];
const key = (name: string): Step => [`key ${name}`, (player) => player.press(name)];
const panel = (name: string): Step => [`panel ${name}`, (player) => player.showPanel(name)];
const button = (name: string): Step => [`button ${name}`, (player) => player.button(name).first().click()];

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
  { name: "Push Fight, mini", at: "/play/pushfight/mini", steps: [...["b2", "a2", "c2", "d2"].map(square), key("z"), key("y"), panel("Explore")] },
  { name: "Push Fight, standard", at: "/play/pushfight/standard", steps: [...["c3", "b3", "d3", "e3"].map(square), key("z"), key("y")] },
];

async function milliseconds(session: CDPSession): Promise<number> {
  const { metrics } = await session.send("Performance.getMetrics");
  return 1000 * (metrics.find(({ name }) => name === "TaskDuration")?.value ?? 0);
}

test.for(visits)("$name", async ({ name, at, steps }, { visit }) => {
  const player = await visit({ at });
  const session = await player.page.context().newCDPSession(player.page);
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  await player.seesWords(/wins in|Not known/);
  await player.page.waitForTimeout(2500);
  const spent: (readonly [string, number])[] = [];
  for (const [what, does] of steps) {
    const before = await milliseconds(session);
    await does(player);
    // All that comes of it, the engine's answers included
    await player.page.waitForTimeout(1000);
    spent.push([what, (await milliseconds(session)) - before]);
  }
  spent.sort(([, one], [, other]) => other - one);
  console.log(`${name}: ${spent.slice(0, 4).map(([what, time]) => `${what} ${time.toFixed(0)} ms`).join(", ")}`);
});
