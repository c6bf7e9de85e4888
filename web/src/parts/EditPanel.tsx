// SPDX-License-Identifier: MIT
//
// Beside the editor: whether the position is legal and why not, in the engine's words.
import { language } from "../i18n";
import { cancelEditing, changeDraft, finishEditing } from "../state/actions";
import { legalOf } from "../state/analysis";
import { errorWords } from "../state/errors";
import { draft, record, view } from "../state/store";
import { partTexts } from "./texts";
import { useStartPosition } from "./useStartPosition";

export function EditPanel() {
  const texts = partTexts();
  const { game, rules } = record.value;
  const start = useStartPosition(game, rules);
  const known = legalOf(game, rules, draft.value).value;
  const side = view.value;
  const reasons = known.state === "failed" ? (side?.whyIllegal(rules, draft.value, language.value) ?? []) : [];
  return (
    <section class="card edit-panel" aria-labelledby="edit-title">
      <h2 id="edit-title">{texts.edit}</h2>
      <div role="status" class={`legality ${known.state}`}>
        {known.state === "waiting" && <p class="soft">{texts.waiting}</p>}
        {known.state === "ready" && (
          <p>
            ✓ {texts.legal} {side && texts.toMove(side.sideName(side.sideToMove(draft.value), language.value))}
          </p>
        )}
        {known.state === "failed" && (
          <>
            <p>✗ {texts.illegal}</p>
            {(reasons.length > 0 ? reasons : [errorWords(known.error, language.value)]).map((reason) => (
              <p key={reason}>{reason}</p>
            ))}
          </>
        )}
      </div>
      <p>
        <code>{draft.value}</code>
      </p>
      <div class="row wrap">
        <button type="button" class="primary" disabled={known.state !== "ready"} onClick={() => void finishEditing()}>
          {texts.done}
        </button>
        <button type="button" onClick={cancelEditing}>
          {texts.cancel}
        </button>
        <button type="button" onClick={() => changeDraft(view.value?.emptyPosition(rules) ?? draft.value)}>
          {texts.clear}
        </button>
        <button type="button" disabled={start === null} onClick={() => start !== null && changeDraft(start)}>
          {texts.toStart}
        </button>
      </div>
    </section>
  );
}
