// SPDX-License-Identifier: MIT
//
// What happens once, when the page opens.
import { effect } from "@preact/signals";
import { language } from "../i18n";
import { startComputer } from "../state/computer";
import { applyTheme } from "../state/theme";
import { startRouting } from "./routing";
import { startKeys } from "./keys";
import { appTexts } from "./texts";

export function start(): void {
  applyTheme();
  effect(() => {
    document.documentElement.lang = language.value;
    document.title = `${appTexts().title} – ${appTexts().dobutsu}, ${appTexts().pushfight}`;
  });
  startRouting();
  startComputer();
  startKeys();
}
