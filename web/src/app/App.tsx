// SPDX-License-Identifier: MIT
//
// The frame: header, tabs, the page in front, messages, and what screen readers are told.
import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { gameNames, gameTitle } from "../games/registry";
import { language, setLanguage } from "../i18n";
import { setTab, startGame } from "../state/actions";
import { announcement, kids, newGameOpen, record, tab, type Tab } from "../state/store";
import { theme, toggleTheme } from "../state/theme";
import { MoonIcon, SunIcon, TabIcon } from "./icons";
import { Logo } from "./Logo";
import { NewGame } from "../parts/NewGame";
import { PlayPage } from "./PlayPage";
import { tabEntries } from "./tabs";
import { Toasts } from "./Toasts";
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
        <Page key={tab.value} tab={tab.value} />
      </main>
      <div class="sr-only" role="status" aria-live="polite">
        {announcement.value}
      </div>
      <Toasts />
      {newGameOpen.value && <NewGame />}
    </>
  );
}

function skipToMain(event: Event): void {
  // The address after '#' belongs to the game, so the link must not change it.
  event.preventDefault();
  document.getElementById("main")?.focus();
}

/** No name of a game: names have letters and digits. */
const ownVariant = "?";

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
        {tabEntries.filter((entry) => !entry.hidden).map((entry) => (
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
            <TabIcon tab={entry.tab} />
            <span>{entry.title(texts)}</span>
          </a>
        ))}
      </nav>
      <div class="switches">
        <label class="sr-only" for="game">
          {texts.game}
        </label>
        <select
          id="game"
          value={record.value.game}
          onChange={(event) => {
            const { value } = event.currentTarget;
            event.currentTarget.value = record.value.game;
            if (value === ownVariant) setTab("variants");
            else void startGame(value);
          }}
        >
          {gameNames().map((name) => (
            <option key={name} value={name}>
              {gameTitle(name, language.value)}
            </option>
          ))}
          <option value={ownVariant}>{texts.ownVariant}</option>
        </select>
        <KidsSwitch text={texts.kids} />
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

/** Every text of the page changes with it, which takes a tenth of a second in a long game: the switch answers first. */
function KidsSwitch({ text }: { text: string }) {
  const [pressed, setPressed] = useState(kids.value);
  const press = () => {
    const wanted = !pressed;
    setPressed(wanted);
    requestAnimationFrame(() => setTimeout(() => (kids.value = wanted)));
  };
  return (
    <button type="button" class="plain" aria-pressed={pressed} onClick={press}>
      {text}
    </button>
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
