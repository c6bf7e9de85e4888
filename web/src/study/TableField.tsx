// SPDX-License-Identifier: MIT
//
// A table of this game from another host: its address is typed in, and values come from it from then on.
import { useState } from "preact/hooks";
import { EngineError } from "../engine/types";
import { language } from "../i18n";
import { forgetValues } from "../state/analysis";
import { engine, tableAddresses } from "../state/engine";
import { errorWords } from "../state/errors";
import { record } from "../state/store";
import { studyTexts } from "./texts";

export function TableField() {
  const texts = studyTexts();
  const { game, rules } = record.value;
  const name = `${game}/${rules}`;
  const used = tableAddresses.value[name];
  const [address, setAddress] = useState("");
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState("");
  const use = async () => {
    setBusy(true);
    setProblem("");
    try {
      await (await engine()).addTable(new URL(address.trim()).href);
      // It may be a table of another board; that is used when that board is shown.
      if (!(name in tableAddresses.value)) setProblem(texts.tableOfOther(Object.keys(tableAddresses.value).at(-1) ?? ""));
      setAddress("");
      forgetValues();
    } catch (error) {
      const code = error instanceof EngineError ? error.code : "";
      setProblem(error instanceof TypeError ? texts.noAddress : code === "offline" ? texts.notReached : code === "no_table" ? texts.noTableThere : errorWords(error, language.value));
    } finally {
      setBusy(false);
    }
  };
  const drop = async () => {
    (await engine()).dropTable(name);
    forgetValues();
  };
  return (
    <details class="table-field" open={used !== undefined || problem !== ""}>
      <summary>{texts.tableByAddress}</summary>
      {used !== undefined ? (
        <>
          <p>
            {texts.tableUsed} <code>{used}</code>
          </p>
          <button type="button" onClick={() => void drop()}>
            {texts.tableDrop}
          </button>
        </>
      ) : (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            void use();
          }}
        >
          <label for="table-address">{texts.tableAddress}</label>
          <div class="row">
            <input
              id="table-address"
              type="url"
              required
              value={address}
              placeholder={`https://…/${game}-${rules}.kzt`}
              spellcheck={false}
              onInput={(event) => setAddress(event.currentTarget.value)}
            />
            <button type="submit" disabled={busy}>
              {busy ? texts.waiting : texts.tableUse}
            </button>
          </div>
          <p class="hint">{texts.tableNote}</p>
        </form>
      )}
      {problem !== "" && <p role="alert">{problem}</p>}
    </details>
  );
}
