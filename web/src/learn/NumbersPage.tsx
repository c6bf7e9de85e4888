// SPDX-License-Identifier: MIT
//
// How many positions are won, lost and drawn, and how soon.
import "./learn.css";
import type { GameInfo } from "../engine/types";
import { formatNumber } from "../i18n";
import { engine } from "../state/engine";
import { allGames } from "../state/games";
import { Chooser, useSubject, type Subject } from "./Chooser";
import { loadCollections, loadNumbers, type Collection } from "./collections";
import { Histogram, longestWords } from "./Histogram";
import { numbersOfAnswer, numbersOfStats, type Numbers } from "./numbers";
import { learnTexts } from "./texts";
import { useLoaded } from "./useLoaded";
import { Waiting } from "./Waiting";

interface Sources {
  readonly collections: readonly Collection[];
  readonly games: readonly GameInfo[];
}

/** Either may be missing: a site without collections, or no engine. */
async function loadSources(): Promise<Sources> {
  const [collections, games] = await Promise.all([loadCollections().catch(() => []), allGames().catch(() => [])]);
  return { collections, games };
}

/** Rules with counts that came with the site, and rules that the engine has a table for. */
function subjectsOf({ collections, games }: Sources): readonly Subject[] {
  const ofEngine = games.flatMap((game) =>
    game.rules.filter((rules) => rules.table).map((rules) => ({ game: game.name, rules: rules.name })),
  );
  const isNew = ({ game, rules }: Subject) => !collections.some((known) => known.game === game && known.rules === rules);
  const all = [...collections, ...ofEngine.filter(isNew)];
  const names = [...new Set(all.map(({ game }) => game))];
  return all.sort((a, b) => names.indexOf(a.game) - names.indexOf(b.game));
}

async function find({ game, rules }: Subject, { collections, games }: Sources): Promise<Numbers> {
  const collection = collections.find((known) => known.game === game && known.rules === rules);
  const known = collection ? numbersOfStats(await loadNumbers(collection)) : null;
  if (known) return known;
  const unit = games.find((info) => info.name === game)?.unit ?? "plies";
  return numbersOfAnswer(await (await engine()).table(game, rules), unit);
}

export function NumbersPage() {
  const sources = useLoaded("sources", loadSources);
  if (sources.state !== "ready") return <Waiting loaded={sources} />;
  return <NumbersFrom sources={sources.value} />;
}

function NumbersFrom({ sources }: { sources: Sources }) {
  const texts = learnTexts();
  const subjects = subjectsOf(sources);
  const chosen = useSubject(subjects);
  if (!chosen) return <p class="card learn-none">{texts.noTable}</p>;
  return (
    <div class="learn">
      <header class="learn-head">
        <h2>{texts.numbers}</h2>
        <Chooser subjects={subjects} chosen={chosen} />
      </header>
      <NumbersOf key={`${chosen.game}/${chosen.rules}`} subject={chosen} sources={sources} />
    </div>
  );
}

function NumbersOf({ subject, sources }: { subject: Subject; sources: Sources }) {
  const numbers = useLoaded(`${subject.game}/${subject.rules}`, () => find(subject, sources));
  if (numbers.state !== "ready") return <Waiting loaded={numbers} />;
  return (
    <>
      <Totals numbers={numbers.value} />
      <section class="card" aria-labelledby="picture-title">
        <h3 id="picture-title">{learnTexts().picture}</h3>
        <Histogram numbers={numbers.value} />
        <p class="soft">
          {longestWords(numbers.value, "wins")} {longestWords(numbers.value, "losses")}
        </p>
        <details>
          <summary>{learnTexts().asTable}</summary>
          <AllNumbers numbers={numbers.value} />
        </details>
      </section>
    </>
  );
}

function percent(part: number, whole: number): string {
  return `${(whole > 0 ? (100 * part) / whole : 0).toFixed(2)} %`;
}

function Totals({ numbers }: { numbers: Numbers }) {
  const texts = learnTexts();
  const rows = [
    ["win", texts.wins, numbers.wins],
    ["loss", texts.losses, numbers.losses],
    ["draw", texts.draws, numbers.draws],
  ] as const;
  return (
    <section class="card totals">
      <p>
        <strong class="large">{texts.positionsCount(formatNumber(numbers.positions))}</strong> <span class="soft">{texts.forMover}</span>
      </p>
      <div class="share" aria-hidden="true">
        {rows.map(([kind, , count]) => (
          <span key={kind} class={kind} style={{ flexGrow: count / numbers.positions }} />
        ))}
      </div>
      <dl class="facts">
        {rows.map(([kind, name, count]) => (
          <div key={kind}>
            <dt class={`value-${kind}`}>{name}</dt>
            <dd>
              {formatNumber(count)} <span class="soft">{percent(count, numbers.positions)}</span>
            </dd>
          </div>
        ))}
        <div>
          <dt>{texts.size}</dt>
          <dd>{texts.bytes(formatNumber(numbers.bytes))}</dd>
        </div>
        <div class="digest">
          <dt>{texts.digest}</dt>
          <dd>
            <code>{numbers.digest}</code>
          </dd>
        </div>
      </dl>
    </section>
  );
}

function AllNumbers({ numbers }: { numbers: Numbers }) {
  const texts = learnTexts();
  const cell = (count: number) => (count > 0 ? formatNumber(count) : "–");
  return (
    <div class="scroll" tabIndex={0} role="group" aria-label={texts.asTable}>
      <table class="all-numbers">
        <thead>
          <tr>
            <th scope="col">{numbers.unit === "turns" ? texts.distanceTurns : texts.distancePlies}</th>
            <th scope="col">{texts.wins}</th>
            <th scope="col">{texts.losses}</th>
          </tr>
        </thead>
        <tbody>
          {numbers.rows.map((row) => (
            <tr key={row.distance}>
              <th scope="row">{row.distance}</th>
              <td>{cell(row.wins)}</td>
              <td>{cell(row.losses)}</td>
            </tr>
          ))}
          <tr>
            <th scope="row">{texts.draws}</th>
            <td colSpan={2}>{formatNumber(numbers.draws)}</td>
          </tr>
        </tbody>
      </table>
    </div>
  );
}
