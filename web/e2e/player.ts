// SPDX-License-Identifier: MIT
//
// What a person sees and does on the page, by roles and names as far as possible.
import type { Locator, Page } from "playwright-core";
import { expect } from "vitest";
import type { Outcome, Value } from "./kanzen";

export interface Row extends Value {
  /** The move as the list shows it. */
  readonly text: string;
}

const outcomes: Readonly<Record<string, Outcome>> = { wins: "win", draws: "draw", loses: "loss", "not known": "unknown" };

/** "wins in 75" */
function readValue(words: string): Value {
  const [, word = "", distance] = /^(wins|draws|loses|not known)(?: in (\d+))?$/.exec(words.trim()) ?? [];
  const value = outcomes[word];
  if (!value) throw new Error(`the list of moves says '${words}'`);
  return { value, distance: distance === undefined ? null : Number(distance) };
}

export class Player {
  constructor(
    readonly page: Page,
    readonly host: string,
  ) {}

  // ---- What is on the page

  get board(): Locator {
    return this.page.getByRole("group", { name: /(board|の盤)$/ });
  }

  /** A square by its name ("2c"), or a place of a hand ("Sente, 1 chick in hand"). */
  place(name: string): Locator {
    return this.board.getByRole("button", { name: new RegExp(`^${name}([,、]|$)`) });
  }

  /** What a screen reader says about a square. */
  async label(name: string): Promise<string> {
    return (await this.place(name).getAttribute("aria-label")) ?? "";
  }

  button(name: string | RegExp): Locator {
    return this.page.getByRole("button", { name, exact: typeof name === "string" });
  }

  /** A button below the board. */
  control(name: string): Locator {
    return this.page.locator(".controls").getByRole("button", { name, exact: true });
  }

  section(name: string | RegExp): Locator {
    return this.page.getByRole("region", { name });
  }

  tab(name: string): Locator {
    return this.page.getByRole("navigation").getByRole("link", { name, exact: true });
  }

  get moveRows(): Locator {
    return this.section(/^(Moves, best first|候補手)/).locator("ol button");
  }

  get historyRows(): Locator {
    return this.section(/^(The game so far|棋譜)/).locator(".history-list .history-row");
  }

  /** The value in words: "Gote wins in 78". */
  async words(): Promise<string> {
    const text = await this.page.locator(".banner .words").innerText();
    // The sign before the words says the same for those who don't see colours.
    return text.replace(/^[^\p{Letter}]+/u, "").trim();
  }

  async rows(): Promise<readonly Row[]> {
    const texts = await this.moveRows.evaluateAll((rows) =>
      rows.map((row) => [row.querySelector(".move-text")?.textContent ?? "", row.querySelector(".move-value")?.textContent ?? ""]),
    );
    return texts.map(([text = "", words = ""]) => ({ text, ...readValue(words) }));
  }

  /** The position on the board in a notation of the game, once the engine has answered. */
  async position(notation: string): Promise<string> {
    await this.showPanel("Share");
    const all = this.page.locator(".notations > div").filter({ has: this.page.locator("dt", { hasText: new RegExp(`^${notation}$`) }) });
    const text = (await all.locator("code").textContent()) ?? "";
    await this.showPanel("Analysis");
    return text;
  }

  /** Each place of the board with what is on it: what a screen reader says. */
  async boardLabels(): Promise<readonly string[]> {
    return this.board.getByRole("button").evaluateAll((places) => places.map((place) => place.getAttribute("aria-label") ?? ""));
  }

  /** The address after '#', in which the whole game is. */
  get address(): string {
    return new URL(this.page.url()).hash;
  }

  // ---- Waiting

  async seesWords(words: string | RegExp): Promise<void> {
    const polled = expect.poll(() => this.words());
    await (typeof words === "string" ? polled.toBe(words) : polled.toMatch(words));
  }

  async seesAddress(pattern: RegExp): Promise<void> {
    await expect.poll(() => this.address).toMatch(pattern);
  }

  async seesPly(number: number): Promise<void> {
    await expect
      .poll(() => this.historyRows.evaluateAll((rows) => rows.findIndex((row) => row.hasAttribute("aria-current"))))
      .toBe(number);
  }

  /** Until the legal moves are known. */
  async canPlay(): Promise<void> {
    await expect.poll(() => this.board.getAttribute("class")).toContain("playable");
  }

  // ---- What a person does

  /** Clicks on two places after each other. */
  async click(...names: readonly string[]): Promise<void> {
    for (const name of names) await this.place(name).click();
  }

  async tap(...names: readonly string[]): Promise<void> {
    for (const name of names) await this.place(name).tap();
  }

  /** The middle of a place on the screen. */
  async middle(name: string): Promise<{ x: number; y: number }> {
    const place = this.place(name);
    await place.scrollIntoViewIfNeeded();
    const box = await place.boundingBox();
    if (!box) throw new Error(`'${name}' can't be seen`);
    return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  }

  async drag(from: string, to: string): Promise<void> {
    const begin = await this.middle(from);
    const end = await this.middle(to);
    const { mouse } = this.page;
    await mouse.move(begin.x, begin.y);
    await mouse.down();
    await mouse.move(end.x, end.y, { steps: 6 });
    await mouse.up();
  }

  /** With a finger. */
  async swipe(from: string, to: string): Promise<void> {
    const begin = await this.middle(from);
    const end = await this.middle(to);
    const session = await this.page.context().newCDPSession(this.page);
    const send = (type: "touchStart" | "touchMove" | "touchEnd", touchPoints: { x: number; y: number }[]) =>
      session.send("Input.dispatchTouchEvent", { type, touchPoints });
    await send("touchStart", [begin]);
    for (let step = 1; step <= 6; step++) {
      await send("touchMove", [
        { x: begin.x + ((end.x - begin.x) * step) / 6, y: begin.y + ((end.y - begin.y) * step) / 6 },
      ]);
    }
    await send("touchEnd", []);
    await session.detach();
  }

  async press(...keys: readonly string[]): Promise<void> {
    for (const key of keys) await this.page.keyboard.press(key);
  }

  /** Whether the focus is on the board. */
  isOnBoard(): Promise<boolean> {
    return this.board.evaluate((board) => board.contains(document.activeElement));
  }

  /** Presses Tab until the focus is on the board. */
  async tabToBoard(): Promise<void> {
    for (let count = 0; count < 40; count++) {
      if (await this.isOnBoard()) return;
      await this.press("Tab");
    }
    throw new Error("Tab does not lead to the board");
  }

  /** The label of what has the focus. */
  async focused(): Promise<string> {
    return this.page.evaluate(() => document.activeElement?.getAttribute("aria-label") ?? "");
  }

  /** A part of the panel beside the board. */
  async showPanel(name: string): Promise<void> {
    await this.page.getByRole("tab", { name, exact: true }).click();
  }

  /** Pastes text into the field for it and opens it. The panel may be drawn anew while another game is loaded: then again. */
  async open(text: string): Promise<void> {
    const tries = 5;
    for (let i = 1; i <= tries; i++) {
      await this.showPanel("Share");
      await this.page.getByLabel(/^Paste a position/).fill(text);
      const opened = await this.button("Open")
        .click({ timeout: 3000 })
        .then(() => true, () => false);
      if (opened) return;
    }
    throw new Error(`"Open" can't be clicked for ${text}`);
  }

  async openTab(name: string): Promise<void> {
    await this.tab(name).click();
    await expect.poll(() => this.tab(name).getAttribute("aria-current")).toBe("page");
  }
}
