// SPDX-License-Identifier: MIT
//
// What happens once, when the page opens.
import { effect } from "@preact/signals";
import { gameTitle } from "../games/registry";
import { language } from "../i18n";
import { startReadings } from "../i18n/ruby";
import { startComputer } from "../state/computer";
import { startDropping } from "../state/files";
import { startKeeping } from "../state/kept";
import { startRetrying } from "../state/retry";
import { startSounds } from "../state/sound";
import { kids, record } from "../state/store";
import { applyTheme } from "../state/theme";
import { startRouting } from "./routing";
import { startKeys } from "./keys";
import { appTexts } from "./texts";

export function start(): void {
  startReadings();
  applyTheme();
  effect(() => {
    document.documentElement.lang = language.value;
    document.documentElement.dataset["kids"] = String(kids.value);
    document.title = `${gameTitle(record.value.game, language.value)} – ${appTexts().title}`;
  });
  startKeeping();
  startRetrying();
  startRouting();
  startComputer();
  startDropping();
  startSounds();
  startKeys();
}
