// SPDX-License-Identifier: MIT
//
// What fails because there is no connection is tried again: after a second, then after pauses that grow, at once when the
// browser says that it is online again, and when the person wants it.
import { signal } from "@preact/signals";
import { EngineError } from "../engine/types";

const firstPauseMs = 1000;
const longestPauseMs = 30_000;

export interface Outage {
  readonly error: EngineError;
  /** When the next try begins, as Date.now() counts. */
  readonly nextTry: number;
}

/** null: all is well as far as anybody knows. */
export const outage = signal<Outage | null>(null);

let pause = firstPauseMs;
let waiting: Promise<void> | null = null;
let wake: (() => void) | null = null;

/** All that wait try again now. */
export function tryNow(): void {
  wake?.();
}

/** All questions wait together, so that one pause is one attempt of each. */
function wait(error: EngineError): Promise<void> {
  if (!waiting) {
    const mine = pause;
    pause = Math.min(pause * 2, longestPauseMs);
    outage.value = { error, nextTry: Date.now() + mine };
    waiting = new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, mine);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    }).then(() => {
      waiting = null;
      wake = null;
    });
  }
  return waiting;
}

/** Asks until there is an answer, or an error that time does not mend. */
export async function persistently<T>(ask: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      const answer = await ask();
      pause = firstPauseMs;
      if (!waiting) outage.value = null;
      return answer;
    } catch (error) {
      if (!(error instanceof EngineError) || !error.passes) throw error;
      await wait(error);
    }
  }
}

export function startRetrying(): void {
  window.addEventListener("online", tryNow);
}
