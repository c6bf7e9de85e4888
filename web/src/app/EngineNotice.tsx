// SPDX-License-Identifier: MIT
//
// While a table is loaded into the page: how far it is. The board can be used in the meantime.
import { formatNumber } from "../i18n";
import { tableProgress } from "../state/engine";
import { appTexts } from "./texts";

const megabyte = 1e6;

export function EngineNotice() {
  const progress = tableProgress.value;
  if (!progress) return null;
  const texts = appTexts();
  const size = (bytes: number) => formatNumber(Math.round((bytes / megabyte) * 10) / 10);
  return (
    <div class="notice">
      <label for="table-progress">{texts.loadingTable}</label>
      <progress id="table-progress" max={progress.total} value={progress.loaded} />
      <span class="amount">
        {size(progress.loaded)} / {size(progress.total)} MB
      </span>
    </div>
  );
}
