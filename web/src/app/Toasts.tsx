// SPDX-License-Identifier: MIT
//
// Messages over the page: what went wrong, what was kept and can be undone, a connection that is missing. They lie over the
// page, so that nothing below them moves.
import { useEffect, useState } from "preact/hooks";
import { formatNumber, language } from "../i18n";
import { dismissNotice, dismissProblem } from "../state/actions";
import { tableProgress } from "../state/engine";
import { errorWords } from "../state/errors";
import { outage, tryNow, type Outage } from "../state/retry";
import { notice, problem } from "../state/store";
import { appTexts } from "./texts";

export function Toasts() {
  return (
    <div class="toasts">
      {problem.value && <ProblemToast />}
      {outage.value && <OutageToast outage={outage.value} />}
      {notice.value && <NoticeToast />}
      <Progress />
    </div>
  );
}

function Close({ onClose }: { onClose: () => void }) {
  return (
    <button type="button" class="plain icon" aria-label={appTexts().dismiss} onClick={onClose}>
      ×
    </button>
  );
}

function ProblemToast() {
  if (!problem.value) return null;
  const { error, typed } = problem.value;
  return (
    <div class="toast problem" role="alert">
      <p>{errorWords(error, language.value, typed)}</p>
      <Close onClose={dismissProblem} />
    </div>
  );
}

function OutageToast({ outage: { error, nextTry } }: { outage: Outage }) {
  const texts = appTexts();
  const [, draw] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => draw((count) => count + 1), 500);
    return () => clearInterval(timer);
  }, []);
  const seconds = Math.max(0, Math.ceil((nextTry - Date.now()) / 1000));
  return (
    <div class="toast problem" role="alert">
      {/* The seconds are not read aloud again and again. */}
      <p>
        {errorWords(error, language.value)} <span aria-hidden="true">{texts.nextTry(seconds)}</span>
      </p>
      <button type="button" onClick={tryNow}>
        {texts.again}
      </button>
    </div>
  );
}

function NoticeToast() {
  if (!notice.value) return null;
  const { words, undo } = notice.value;
  return (
    <div class="toast" role="status">
      <p>{words()}</p>
      {undo && (
        <button type="button" onClick={() => undo()}>
          {appTexts().undo}
        </button>
      )}
      <Close onClose={dismissNotice} />
    </div>
  );
}

const megabyte = 1e6;

/** A table that is being loaded in the background; the page can be used in the meantime. */
function Progress() {
  const progress = tableProgress.value;
  if (!progress) return null;
  const size = (bytes: number) => formatNumber(Math.round(bytes / megabyte));
  return (
    <div class="toast progress">
      <label for="table-progress">{appTexts().loadingTable}</label>
      <progress id="table-progress" max={progress.total} value={progress.loaded} />
      <span class="amount">
        {size(progress.loaded)} / {size(progress.total)} MB
      </span>
    </div>
  );
}
