// SPDX-License-Identifier: MIT
//
// What happens once, when the page opens.
import { effect } from "@preact/signals";
import { gameTitle } from "../games/registry";
import { language } from "../i18n";
import { startComputer } from "../state/computer";
import { startKeeping } from "../state/kept";
import { startRetrying } from "../state/retry";
import { record } from "../state/store";
import { applyTheme } from "../state/theme";
import { startRouting } from "./routing";
import { startKeys } from "./keys";
import { appTexts } from "./texts";

export function start(): void {
  applyTheme();
  effect(() => {
    document.documentElement.lang = language.value;
    document.title = `${gameTitle(record.value.game, language.value)} – ${appTexts().title}`;
  });
  startKeeping();
  startRetrying();
  startRouting();
  startComputer();
  startKeys();
}
