// SPDX-License-Identifier: MIT
//
// The frame: header, tabs, the page in front, messages, and what screen readers are told.
import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { gameNames } from "../games/registry";
import { language, setLanguage } from "../i18n";
import { dismissProblem, setTab, startGame } from "../state/actions";
import { announcement, problem, record, tab, type Tab } from "../state/store";
import { theme, toggleTheme } from "../state/theme";
import { EngineNotice } from "./EngineNotice";
import { MoonIcon, SunIcon } from "./icons";
import { Logo } from "./Logo";
import { PlayPage } from "./PlayPage";
import { tabEntries } from "./tabs";
import { appTexts } from "./texts";

export function App() {
  const texts = appTexts();
  return (
    <>
      <a class="skip" href="#main" onClick={skipToMain}>
        {texts.skip}
      </a>
      <Header />
      <main id="main" tabIndex={-1}>
        <Problem />
        <Page key={tab.value} tab={tab.value} />
      </main>
      <div class="sr-only" role="status" aria-live="polite">
        {announcement.value}
      </div>
    </>
  );
}

function skipToMain(event: Event): void {
  // The address after '#' belongs to the game, so the link must not change it.
  event.preventDefault();
  document.getElementById("main")?.focus();
}

function Header() {
  const texts = appTexts();
  return (
    <header class="top">
      <h1>
        <Logo />
        <span>
          {texts.title} <small>{texts.subtitle}</small>
        </span>
      </h1>
      <nav aria-label={texts.pages}>
        {tabEntries.map((entry) => (
          <a
            key={entry.tab}
            href={`#/${entry.tab}`}
            aria-current={tab.value === entry.tab ? "page" : undefined}
            onClick={(event) => {
              if (event.metaKey || event.ctrlKey || event.shiftKey) return;
              event.preventDefault();
              setTab(entry.tab);
            }}
          >
            {entry.title(texts)}
          </a>
        ))}
      </nav>
      <div class="switches">
        <label class="sr-only" for="game">
          {texts.game}
        </label>
        <select id="game" value={record.value.game} onChange={(event) => void startGame(event.currentTarget.value)}>
          {gameNames.map((name) => (
            <option key={name} value={name}>
              {name === "dobutsu" ? texts.dobutsu : texts.pushfight}
            </option>
          ))}
        </select>
        <button
          type="button"
          class="plain"
          lang={language.value === "ja" ? "en" : "ja"}
          onClick={() => setLanguage(language.value === "ja" ? "en" : "ja")}
        >
          {texts.toOther}
        </button>
        <button
          type="button"
          class="plain icon"
          aria-label={theme.value === "dark" ? texts.toLight : texts.toDark}
          title={theme.value === "dark" ? texts.toLight : texts.toDark}
          onClick={toggleTheme}
        >
          {theme.value === "dark" ? <SunIcon /> : <MoonIcon />}
        </button>
      </div>
    </header>
  );
}

function Problem() {
  if (problem.value === null) return <EngineNotice />;
  return (
    <div class="problem" role="alert">
      <p>{problem.value}</p>
      <button type="button" class="plain icon" aria-label={appTexts().dismiss} onClick={dismissProblem}>
        ×
      </button>
    </div>
  );
}

/** The page that nearly everybody sees first does not wait for another file. */
const loadedPages = new Map<Tab, ComponentType>([["play", PlayPage]]);

function Page({ tab: name }: { tab: Tab }) {
  const [Loaded, setLoaded] = useState<ComponentType | null>(() => loadedPages.get(name) ?? null);
  const [failed, setFailed] = useState(false);
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    if (Loaded) return;
    let wanted = true;
    const entry = tabEntries.find((known) => known.tab === name);
    entry?.load().then(
      (component) => {
        loadedPages.set(name, component);
        if (wanted) setLoaded(() => component);
      },
      () => {
        if (wanted) setFailed(true);
      },
    );
    return () => {
      wanted = false;
    };
  }, [name, attempt]);
  if (Loaded) return <Loaded />;
  if (!failed) return <p class="loading">{appTexts().loading}</p>;
  return (
    <div class="problem" role="alert">
      <p>{appTexts().failedPart}</p>
      <button
        type="button"
        onClick={() => {
          setFailed(false);
          setAttempt(attempt + 1);
        }}
      >
        {appTexts().again}
      </button>
    </div>
  );
}
