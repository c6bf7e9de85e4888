// SPDX-License-Identifier: MIT
//
// Light or dark: what the system prefers, until the person chooses.
import { computed, effect, signal } from "@preact/signals";
import { load, save } from "./storage";

export type Theme = "light" | "dark";

const dark = typeof matchMedia === "undefined" ? null : matchMedia("(prefers-color-scheme: dark)");
const system = signal<Theme>(dark?.matches ? "dark" : "light");
dark?.addEventListener("change", (event) => {
  system.value = event.matches ? "dark" : "light";
});

const stored = load("theme");
const chosen = signal<Theme | null>(stored === "light" || stored === "dark" ? stored : null);

export const theme = computed<Theme>(() => chosen.value ?? system.value);

export function toggleTheme(): void {
  chosen.value = theme.value === "dark" ? "light" : "dark";
  save("theme", chosen.value);
}

export function applyTheme(): void {
  effect(() => {
    document.documentElement.dataset["theme"] = theme.value;
  });
}
