// SPDX-License-Identifier: MIT
//
// Files with games: chosen, or dropped on the page.
import { pasteNotation, report, setTab } from "./actions";
import { PageError } from "./errors";

/** More than any record has. */
const mostBytes = 1 << 20;

/** KIF files are often in Shift JIS; what is no UTF-8 is read as that. */
function decode(bytes: ArrayBuffer): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("shift_jis").decode(bytes);
  }
}

export async function openFile(file: File): Promise<void> {
  if (file.size > mostBytes) {
    report(new PageError("too_many_positions"));
    return;
  }
  setTab("play");
  await pasteNotation(decode(await file.arrayBuffer()));
}

export function startDropping(): void {
  window.addEventListener("dragover", (event) => {
    if (event.dataTransfer?.types.includes("Files")) event.preventDefault();
  });
  window.addEventListener("drop", (event) => {
    const file = event.dataTransfer?.files[0];
    if (!file) return;
    event.preventDefault();
    void openFile(file);
  });
}
