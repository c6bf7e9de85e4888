// SPDX-License-Identifier: MIT
//
// Which game and rules a page is about. The address names them; without it, it is the game on the Play page.
import { useEffect, useRef } from "preact/hooks";
import { gameTitle } from "../games/registry";
import { language } from "../i18n";
import { record, subpath } from "../state/store";
import { learnTexts } from "./texts";
import { useView } from "./useView";

export interface Subject {
  readonly game: string;
  readonly rules: string;
}

/** The subject that the address names, or the nearest one there is: the same game, or else the first. */
export function subjectOf<T extends Subject>(subjects: readonly T[], path: string, game: string): T | null {
  const [wantedGame = "", wantedRules = ""] = path.split("/");
  const wanted = wantedGame === "" ? game : wantedGame;
  return (
    subjects.find((subject) => subject.game === wanted && subject.rules === wantedRules) ??
    subjects.find((subject) => subject.game === wanted) ??
    subjects[0] ??
    null
  );
}

/** The chosen one of the subjects. Another game in the page's header is another choice here, too. */
export function useSubject<T extends Subject>(subjects: readonly T[]): T | null {
  const before = useRef(record.value.game);
  useEffect(() => {
    if (before.current === record.value.game) return;
    before.current = record.value.game;
    subpath.value = record.value.game;
  }, [record.value.game]);
  return subjectOf(subjects, subpath.value, record.value.game);
}

function SubjectOption({ subject }: { subject: Subject }) {
  const view = useView(subject.game);
  const rules = view?.rulesName(subject.rules, language.value) ?? subject.rules;
  return <option value={`${subject.game}/${subject.rules}`}>{learnTexts().gameAndRules(gameTitle(subject.game, language.value), rules)}</option>;
}

export function Chooser({ subjects, chosen }: { subjects: readonly Subject[]; chosen: Subject }) {
  return (
    <label class="field">
      <span>{learnTexts().which}</span>
      <select
        value={`${chosen.game}/${chosen.rules}`}
        onChange={(event) => {
          subpath.value = event.currentTarget.value;
        }}
      >
        {subjects.map((subject) => (
          <SubjectOption key={`${subject.game}/${subject.rules}`} subject={subject} />
        ))}
      </select>
    </label>
  );
}
