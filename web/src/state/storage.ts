// SPDX-License-Identifier: MIT
//
// Settings that the browser keeps. Some browsers refuse (private windows, file: pages); then they last until the page
// is closed.

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
