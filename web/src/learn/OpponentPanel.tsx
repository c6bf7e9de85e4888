// SPDX-License-Identifier: MIT
//
// Who plays: two people, or a person against the computer, and how strong that is.
import "./learn.css";
import { useId } from "preact/hooks";
import type { Side } from "../games/view";
import { language } from "../i18n";
import { flip, setOpponent } from "../state/actions";
import { gameInfo } from "../state/games";
import { partTexts } from "../parts/texts";
import { flipped, opponent, record, sound, view } from "../state/store";
import { learnTexts } from "./texts";

/** Until the engine has said which levels it has. */
const usualLevels = ["beginner", "easy", "medium", "hard", "expert", "perfect"] as const;

function levelName(level: string): string {
  const known = usualLevels.find((name) => name === level);
  return known ? learnTexts()[known] : level;
}

export function OpponentPanel() {
  const texts = learnTexts();
  const id = useId();
  const game = view.value;
  const { side, level, aggressive } = opponent.value;
  const levels = gameInfo(record.value.game)?.levels ?? usualLevels;
  const choose = (computer: Side | null) => {
    setOpponent({ ...opponent.value, side: computer });
    // A person sits at the near side of the board.
    if (computer !== null && flipped.value !== (computer === 0)) flip();
  };
  const choices: readonly { readonly computer: Side | null; readonly words: string }[] = [
    { computer: null, words: texts.nobody },
    ...([1, 0] as const).map((computer) => ({
      computer,
      words: texts.computerPlays(game?.sideName(computer, language.value) ?? String(computer + 1)),
    })),
  ];
  return (
    <div class="opponent-panel">
      <fieldset>
        <legend class="sr-only">{texts.who}</legend>
        {choices.map(({ computer, words }) => (
          <label key={String(computer)} class="radio">
            <input type="radio" name={id} checked={side === computer} onChange={() => choose(computer)} />
            {words}
          </label>
        ))}
      </fieldset>
      <label class="radio">
        <input type="checkbox" checked={sound.value} onChange={(event) => (sound.value = event.currentTarget.checked)} />
        {partTexts().sound}
      </label>
      {side !== null && (
        <>
          <label class="field">
            <span>{texts.level}</span>
            <select value={level} onChange={(event) => setOpponent({ ...opponent.value, level: event.currentTarget.value })}>
              {levels.map((name) => (
                <option key={name} value={name}>
                  {levelName(name)}
                </option>
              ))}
            </select>
          </label>
          <label class="radio">
            <input
              type="checkbox"
              checked={aggressive}
              onChange={(event) => setOpponent({ ...opponent.value, aggressive: event.currentTarget.checked })}
            />
            <span>{texts.aggressive}</span>
          </label>
        </>
      )}
    </div>
  );
}
