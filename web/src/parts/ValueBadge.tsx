// SPDX-License-Identifier: MIT
import type { Outcome } from "../games/view";
import { language } from "../i18n";
import { outcomeWord } from "../i18n/values";

const signs: Readonly<Record<Outcome, string>> = { win: "+", draw: "=", loss: "−", unknown: "?" };

/** A small coloured sign for a value: +, =, − or ?, so that the colour is not all there is. */
export function ValueBadge({ value }: { value: Outcome }) {
  return (
    <span class={`badge-value value-${value}`} title={outcomeWord(value, language.value)} aria-hidden="true">
      {signs[value]}
    </span>
  );
}
