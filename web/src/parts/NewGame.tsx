// SPDX-License-Identifier: MIT
//
// The dialog for a new game: which game, which rules, who plays.
import { useEffect, useRef, useState } from "preact/hooks";
import { AnimalPicture, type AnimalKind } from "../art/animals";
import { gameNames, gameTitle } from "../games/registry";
import type { Side } from "../games/view";
import { language } from "../i18n";
import { learnTexts } from "../learn/texts";
import { setOpponent, setTab, startGame } from "../state/actions";
import { gameInfo } from "../state/games";
import { flipped, hints, mode, newGameOpen, opponent, record, view } from "../state/store";
import { partTexts } from "./texts";

/** The opponents as animals, the weakest first: as the engine names its levels. */
export const opponents: Readonly<Record<string, { readonly kind: AnimalKind; readonly crowned?: boolean }>> = {
  beginner: { kind: "chick" },
  easy: { kind: "hen" },
  medium: { kind: "elephant" },
  hard: { kind: "giraffe" },
  expert: { kind: "lion" },
  perfect: { kind: "lion", crowned: true },
};
const levels = Object.keys(opponents);

type Seat = "first" | "second" | "either";

export function NewGame() {
  const texts = partTexts();
  const dialog = useRef<HTMLDialogElement>(null);
  const [game, setGame] = useState(record.value.game);
  const [rules, setRules] = useState(record.value.rules);
  const [level, setLevel] = useState<string | null>(opponent.value.side === null ? null : opponent.value.level);
  const [seat, setSeat] = useState<Seat>(opponent.value.side === 0 ? "second" : "first");
  const [placing, setPlacing] = useState(false);
  const known = gameInfo(game)?.rules ?? [];
  useEffect(() => {
    dialog.current?.showModal();
  }, []);
  const close = () => (newGameOpen.value = false);
  const start = (event: Event) => {
    event.preventDefault();
    const mine: Side = seat === "first" ? 0 : seat === "second" ? 1 : Math.random() < 0.5 ? 0 : 1;
    close();
    // No help unless asked for, when it is a game against somebody.
    if (level !== null) hints.value = false;
    void startGame(game, known.some(({ name }) => name === rules) ? rules : "").then(() => {
      setOpponent({ ...opponent.value, side: level === null ? null : mine === 0 ? 1 : 0, level: level ?? opponent.value.level });
      if (level !== null) flipped.value = mine === 1;
      setTab("play");
      if (placing && view.value?.Placing) mode.value = "place";
    });
  };
  const named = levels as readonly (keyof ReturnType<typeof learnTexts> & string)[];
  return (
    <dialog ref={dialog} class="new-game" aria-labelledby="new-game-title" onClose={close} onCancel={close}>
      <form onSubmit={start}>
        <h2 id="new-game-title">{texts.newGame}</h2>
        <div class="row wrap">
          <label class="field">
            <span>{texts.game}</span>
            <select value={game} onChange={(event) => setGame(event.currentTarget.value)}>
              {gameNames().map((name) => (
                <option key={name} value={name}>
                  {gameTitle(name, language.value)}
                </option>
              ))}
            </select>
          </label>
          {known.length > 1 && (
            <label class="field">
              <span>{texts.rules}</span>
              <select value={rules} onChange={(event) => setRules(event.currentTarget.value)}>
                {known.map(({ name }) => (
                  <option key={name} value={name}>
                    {view.value?.name === game ? view.value.rulesName(name, language.value) : name}
                  </option>
                ))}
              </select>
            </label>
          )}
        </div>
        <fieldset class="opponents">
          <legend>{texts.opponent}</legend>
          <Choice name={texts.twoPeople} note={texts.twoPeopleNote} chosen={level === null} onChoose={() => setLevel(null)}>
            <span class="pair">
              <AnimalPicture kind="chick" />
              <AnimalPicture kind="chick" />
            </span>
          </Choice>
          {named.map((name) => {
            const animal = opponents[name];
            return (
              <Choice
                key={name}
                name={String(learnTexts()[name])}
                note={texts.levelNote(name)}
                chosen={level === name}
                onChoose={() => setLevel(name)}
              >
                {animal && <AnimalPicture kind={animal.kind} crowned={animal.crowned ?? false} />}
              </Choice>
            );
          })}
        </fieldset>
        {level !== null && (
          <fieldset class="seats">
            <legend>{texts.youPlay}</legend>
            {(["first", "second", "either"] as const).map((one) => (
              <label key={one} class="radio">
                <input type="radio" name="seat" checked={seat === one} onChange={() => setSeat(one)} />
                {texts[one]}
              </label>
            ))}
          </fieldset>
        )}
        {view.value?.name === game && view.value.Placing && (
          <label class="radio">
            <input type="checkbox" checked={placing} onChange={(event) => setPlacing(event.currentTarget.checked)} />
            {texts.placing}
          </label>
        )}
        <div class="row">
          <button type="submit" class="primary">
            {texts.begin}
          </button>
          <button type="button" onClick={close}>
            {texts.cancel}
          </button>
        </div>
      </form>
    </dialog>
  );
}

interface ChoiceProps {
  readonly name: string;
  readonly note: string;
  readonly chosen: boolean;
  readonly onChoose: () => void;
  readonly children: preact.ComponentChildren;
}

function Choice({ name, note, chosen, onChoose, children }: ChoiceProps) {
  return (
    <label class={chosen ? "opponent-choice chosen" : "opponent-choice"}>
      <input type="radio" class="sr-only" name="opponent" checked={chosen} onChange={onChoose} />
      {children}
      <strong>{name}</strong>
      <small>{note}</small>
    </label>
  );
}
