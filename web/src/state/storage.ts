// SPDX-License-Identifier: MIT
//
// Settings that the browser keeps. Some browsers refuse (private windows, file: pages); then they last until the page
// is closed.
import { effect, signal, type Signal } from "@preact/signals";

const prefix = "kanzen.";

export function load(key: string): string | null {
  try {
    return globalThis.localStorage?.getItem(prefix + key) ?? null;
  } catch {
    return null;
  }
}

export function save(key: string, value: string): void {
  try {
    globalThis.localStorage?.setItem(prefix + key, value);
  } catch {
    // Not kept; the page works without.
  }
}

/** A signal whose value the browser keeps. `read` turns what was kept into a value, or null if it makes no sense. */
export function kept<T>(key: string, initial: T, read: (value: unknown) => T | null): Signal<T> {
  let found: T | null = null;
  try {
    found = read(JSON.parse(load(key) ?? "null"));
  } catch {
    // Something else was kept under this name.
  }
  const value = signal(found ?? initial);
  let first = true;
  effect(() => {
    const text = JSON.stringify(value.value);
    if (!first) save(key, text);
    first = false;
  });
  return value;
}

export function readBoolean(value: unknown): boolean | null {
  return typeof value === "boolean" ? value : null;
}
