// SPDX-License-Identifier: MIT
//
// Texts in English and Japanese. Each folder of the page has its own table: `const texts = table(english, japanese)`,
// with the same keys in both (the compiler checks it), and `texts().someKey` in components, which are drawn again when
// the language changes.
import { computed, signal } from "@preact/signals";
import { load, save } from "../state/storage";

export type Language = "en" | "ja";

function firstLanguage(): Language {
  const chosen = load("language");
  if (chosen === "en" || chosen === "ja") return chosen;
  const wanted = typeof navigator === "undefined" ? [] : navigator.languages;
  for (const tag of wanted) {
    if (tag.startsWith("ja")) return "ja";
    if (tag.startsWith("en")) return "en";
  }
  return "en";
}

export const language = signal<Language>(firstLanguage());

export function setLanguage(chosen: Language): void {
  language.value = chosen;
  save("language", chosen);
}

/** Both languages of a table have the same keys; an entry is a text, or a function that makes one. */
export type Texts = Readonly<Record<string, string | ((...values: never[]) => string)>>;

type SameKeys<T> = {
  readonly [K in keyof T]: T[K] extends (...values: infer V) => string ? (...values: V) => string : string;
};

export function table<T extends Texts>(english: T, japanese: SameKeys<T>): () => SameKeys<T> {
  const find = tableIn(english, japanese);
  const current = computed(() => find(language.value));
  return () => current.value;
}

/** The same for a given language, for texts that are not drawn (speech, tests). */
export function tableIn<T extends Texts>(english: T, japanese: SameKeys<T>): (language: Language) => SameKeys<T> {
  // A text of T is a text of SameKeys<T>, too; the compiler can't see that for a T that it does not know.
  const first = english as unknown as SameKeys<T>;
  return (wanted) => (wanted === "ja" ? japanese : first);
}

/** Made once: making one takes longer than drawing a list. */
const formats: Readonly<Record<Language, Intl.NumberFormat>> = {
  en: new Intl.NumberFormat("en-GB"),
  ja: new Intl.NumberFormat("ja-JP"),
};

/** 1234567 as people of the language write it. */
export function formatNumber(value: number): string {
  return formats[language.value].format(value);
}
