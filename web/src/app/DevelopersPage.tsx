// SPDX-License-Identifier: MIT
//
// The API with examples to run: against the server that the page came from, or the same code in the page itself.
import { useState } from "preact/hooks";
import { language, tableIn } from "../i18n";
import { engine } from "../state/engine";

const texts = tableIn(
  {
    title: "For developers",
    intro:
      "Everything that this page knows comes from requests of one API. `kanzen serve` answers them over HTTP with JSON; on a file host the same C code answers in your browser. Try them here.",
    run: "Run",
    running: "Running…",
    request: "Request",
    answer: "Answer",
    edit: "Change the request, then run it.",
    codes: "Errors have a status, a code, parameters and a sentence.",
    document: "All of it as an OpenAPI document",
    games: "Which games, rules and levels there are",
    position: "A position, its value and its moves",
    line: "Perfect play from a position",
    play: "The move of a player of some strength",
    legal: "The moves without values",
    table: "The table and how many positions have which value",
    wrong: "An error",
  },
  {
    title: "開発者向け",
    intro:
      "このページの情報はすべて一つのAPIから得ています。`kanzen serve`がHTTPとJSONで答え、静的サイトでは同じC言語のコードがブラウザー内で答えます。ここで試せます。",
    run: "実行",
    running: "実行中…",
    request: "リクエスト",
    answer: "応答",
    edit: "リクエストを書き換えて実行できます。",
    codes: "エラーには状態コード、コード名、パラメーター、説明文があります。",
    document: "OpenAPI文書",
    games: "ゲーム、ルール、強さの一覧",
    position: "局面の形勢と指し手",
    line: "最善手順",
    play: "指定した強さの指し手",
    legal: "合法手(形勢なし)",
    table: "解析データと局面数",
    wrong: "エラーの例",
  },
);

const examples = [
  ["games", "/api/v1/games"],
  ["position", "/api/v1/dobutsu/position?pos=startpos"],
  ["line", "/api/v1/dobutsu/line?limit=5"],
  ["play", "/api/v1/dobutsu/play?level=easy&seed=7"],
  ["legal", "/api/v1/pushfight/legal?rules=mini"],
  ["table", "/api/v1/dobutsu/table"],
  ["wrong", "/api/v1/dobutsu/position?pos=zzz"],
] as const;

const mostShown = 6000;

async function ask(request: string): Promise<string> {
  const [path = "", query = ""] = request.trim().split("?");
  try {
    return JSON.stringify(await (await engine()).ask<unknown>({ path, query }), null, 2);
  } catch (error) {
    const { status, code, params, message } = error as Record<string, unknown>;
    return JSON.stringify({ error: { status, code, params, message } }, null, 2);
  }
}

export function DevelopersPage() {
  const text = texts(language.value);
  return (
    <article class="card prose developers">
      <h2>{text.title}</h2>
      <p>{text.intro}</p>
      <p>{text.edit}</p>
      {examples.map(([name, request]) => (
        <Example key={name} title={text[name]} request={request} />
      ))}
      <p>{text.codes}</p>
      <Example title={text.document} request="/api/v1/openapi.json" />
    </article>
  );
}

function Example({ title, request }: { title: string; request: string }) {
  const text = texts(language.value);
  const [written, setWritten] = useState(request);
  const [answer, setAnswer] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const run = (event: Event) => {
    event.preventDefault();
    setBusy(true);
    void ask(written).then((found) => {
      setAnswer(found.length > mostShown ? `${found.slice(0, mostShown)}\n…` : found);
      setBusy(false);
    });
  };
  return (
    <section>
      <h3>{title}</h3>
      <form class="row" onSubmit={run}>
        <input type="text" aria-label={`${text.request}: ${title}`} value={written} spellcheck={false} onInput={(event) => setWritten(event.currentTarget.value)} />
        <button type="submit">{busy ? text.running : text.run}</button>
      </form>
      {answer !== null && (
        <pre tabIndex={0} role="group" aria-label={`${text.answer}: ${title}`}>
          {answer}
        </pre>
      )}
    </section>
  );
}
