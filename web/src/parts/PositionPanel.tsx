// SPDX-License-Identifier: MIT
//
// Getting positions in and out: paste any notation, copy the address of the game, see all notations.
import { useState } from "preact/hooks";
import { LinkIcon } from "../app/icons";
import { announce, pasteNotation } from "../state/actions";
import { current } from "../state/analysis";
import { addressToShare } from "../state/sharing";
import { copyText } from "./copying";
import { partTexts } from "./texts";

export function PositionPanel() {
  const texts = partTexts();
  const [text, setText] = useState("");
  const notations = Object.entries(current.value.answer?.notations ?? {}).flatMap(([name, value]) =>
    value === null ? [] : [[name, value] as const],
  );
  const open = async (event: Event) => {
    event.preventDefault();
    if (text.trim() !== "" && (await pasteNotation(text))) setText("");
  };
  return (
    <section class="card position" aria-labelledby="position-title">
      <h2 id="position-title">{texts.position}</h2>
      <form class="paste" onSubmit={(event) => void open(event)}>
        <label for="paste">{texts.paste}</label>
        <div class="row">
          <textarea
            id="paste"
            rows={1}
            value={text}
            placeholder={texts.pasteHint}
            spellcheck={false}
            autocomplete="off"
            onInput={(event) => setText(event.currentTarget.value)}
            onKeyDown={(event) => {
              // A drawn board has several lines, so Shift and Enter begin a new one.
              if (event.key === "Enter" && !event.shiftKey) void open(event);
            }}
          />
          <button type="submit">{texts.open}</button>
        </div>
      </form>
      <CopyButton text={addressToShare} label={texts.copyLink} withIcon />
      {notations.length > 0 && (
        <details>
          <summary>{texts.notations}</summary>
          <dl class="notations">
            {notations.map(([name, value]) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd>
                  <code>{value}</code>
                  <CopyButton text={() => value} label={texts.copy} name={name} />
                </dd>
              </div>
            ))}
          </dl>
        </details>
      )}
    </section>
  );
}

interface CopyButtonProps {
  readonly text: () => string;
  readonly label: string;
  /** What is copied, when several buttons say the same. */
  readonly name?: string;
  readonly withIcon?: boolean;
}

function CopyButton({ text, label, name, withIcon = false }: CopyButtonProps) {
  const texts = partTexts();
  const [copied, setCopied] = useState(false);
  const [failed, setFailed] = useState("");
  const copy = async () => {
    if (!(await copyText(text()))) {
      setFailed(text());
      announce(texts.copyFailed);
      return;
    }
    setCopied(true);
    announce(texts.copied);
    setTimeout(() => setCopied(false), 1500);
  };
  if (failed !== "") {
    return (
      <label class="copy-by-hand">
        {texts.copyFailed}
        <input type="text" readOnly value={failed} onFocus={(event) => event.currentTarget.select()} />
      </label>
    );
  }
  return (
    <button type="button" class="copy" aria-label={name ? `${label}: ${name}` : undefined} onClick={() => void copy()}>
      {withIcon && <LinkIcon />}
      {copied ? texts.copied : label}
    </button>
  );
}
