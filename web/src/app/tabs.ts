// SPDX-License-Identifier: MIT
//
// The pages behind the tabs. All but Play are loaded when they are first opened.
import type { ComponentType } from "preact";
import { PlayPage } from "./PlayPage";
import type { Tab } from "../state/store";
import type { appTexts } from "./texts";

export interface TabEntry {
  readonly tab: Tab;
  readonly title: (texts: ReturnType<typeof appTexts>) => string;
  readonly load: () => Promise<ComponentType>;
  /** Not in the row of tabs; another page links to it. */
  readonly hidden?: boolean;
}

export const tabEntries: readonly TabEntry[] = [
  { tab: "play", title: (texts) => texts.play, load: () => Promise.resolve(PlayPage) },
  {
    tab: "puzzles",
    title: (texts) => texts.puzzles,
    load: () => import("../learn/PuzzlesPage").then((module) => module.PuzzlesPage),
  },
  {
    tab: "lesson",
    title: (texts) => texts.lesson,
    load: () => import("../learn/LessonPage").then((module) => module.LessonPage),
  },
  {
    tab: "gallery",
    title: (texts) => texts.gallery,
    load: () => import("../learn/GalleryPage").then((module) => module.GalleryPage),
  },
  {
    tab: "numbers",
    title: (texts) => texts.numbers,
    load: () => import("../learn/NumbersPage").then((module) => module.NumbersPage),
  },
  {
    tab: "developers",
    title: (texts) => texts.developers,
    load: () => import("./DevelopersPage").then((module) => module.DevelopersPage),
    hidden: true,
  },
  {
    tab: "variants",
    title: (texts) => texts.variants,
    load: () => import("../variants/VariantsPage").then((module) => module.VariantsPage),
    hidden: true,
  },
  { tab: "about", title: (texts) => texts.about, load: () => import("./AboutPage").then((module) => module.AboutPage) },
];
