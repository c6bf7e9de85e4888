// SPDX-License-Identifier: MIT
//
// The rules (for Push Fight: the board) of the game, where there is a choice. Another choice begins a new game.
import { language } from "../i18n";
import { startGame } from "../state/actions";
import { gameInfo } from "../state/games";
import { record, view } from "../state/store";
import { partTexts } from "./texts";

export function RulesPicker() {
  const { game, rules } = record.value;
  const known = gameInfo(game)?.rules ?? [];
  const side = view.value;
  if (known.length < 2 || !side) return null;
  return (
    <label class="rules">
      {partTexts().rules}
      <select value={rules} onChange={(event) => void startGame(game, event.currentTarget.value)}>
        {known.map(({ name }) => (
          <option key={name} value={name}>
            {side.rulesName(name, language.value)}
          </option>
        ))}
      </select>
    </label>
  );
}
