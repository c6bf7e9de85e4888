// SPDX-License-Identifier: MIT
//
// What this page is, in one sentence, and three ways in. It goes away for good when somebody has chosen one.
import { gameTitle } from "../games/registry";
import { language } from "../i18n";
import { setTab } from "../state/actions";
import { gameInfo } from "../state/games";
import { kept, readBoolean } from "../state/storage";
import { hints, newGameOpen, record, view } from "../state/store";
import { partTexts } from "./texts";

const dismissed = kept("intro-seen", false, readBoolean);

export function Intro() {
  const texts = partTexts();
  if (dismissed.value || record.value.plies.length > 0) return null;
  const { game, rules } = record.value;
  // Until the engine has answered, what is true for most.
  const known = gameInfo(game)?.rules.find(({ name }) => name === rules)?.table ?? true;
  const choose = (then: () => void) => () => {
    dismissed.value = true;
    then();
  };
  return (
    <section class="intro" aria-label={texts.introTitle}>
      <p>
        <strong>{(known ? texts.intro : texts.introSearch)(gameTitle(game, language.value))}</strong> <span>{view.value?.fact(rules, language.value) ?? ""}</span>
      </p>
      <div class="ways">
        <button type="button" class="primary" onClick={choose(() => (newGameOpen.value = true))}>
          {texts.wayPlay}
        </button>
        <button type="button" onClick={choose(() => setTab("puzzles"))}>
          {texts.wayPuzzles}
        </button>
        <button type="button" onClick={choose(() => (hints.value = true))}>
          {texts.wayAnalyse}
        </button>
        <button type="button" onClick={choose(() => setTab("lesson"))}>
          {texts.wayLearn}
        </button>
      </div>
    </section>
  );
}
