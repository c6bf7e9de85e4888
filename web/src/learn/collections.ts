// SPDX-License-Identifier: MIT
//
// Puzzles, galleries and counts that were made from the tables together with the site: collections/index.json lists
// them (tools/site-tables writes it). They need no table.
import type { Unit } from "../i18n/values";

export interface Collection {
  readonly game: string;
  readonly rules: string;
  /** Files in the same folder. */
  readonly puzzles: string;
  readonly gallery: string;
  readonly numbers: string;
}

export interface Puzzle {
  readonly position: string;
  readonly distance: number;
  /** The only move that wins. */
  readonly move: string;
}

export interface PuzzleList {
  readonly unit: Unit;
  readonly puzzles: readonly Puzzle[];
}

export interface GalleryEntry {
  readonly position: string;
  readonly distance: number;
  readonly best: string;
}

export interface Gallery {
  readonly unit: Unit;
  readonly positions: readonly GalleryEntry[];
}

type Fields = Readonly<Record<string, unknown>>;

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null;
}

function hasTexts(value: Fields, ...names: readonly string[]): boolean {
  return names.every((name) => typeof value[name] === "string");
}

function listIn(value: unknown, name: string): readonly Fields[] {
  const list: unknown = isFields(value) ? value[name] : null;
  return Array.isArray(list) ? list.filter(isFields) : [];
}

function unitOf(value: unknown): Unit {
  return isFields(value) && value["unit"] === "turns" ? "turns" : "plies";
}

export function parseCollections(value: unknown): readonly Collection[] {
  return listIn(value, "collections").filter((entry): entry is Fields & Collection =>
    hasTexts(entry, "game", "rules", "puzzles", "gallery", "numbers"),
  );
}

export function parsePuzzles(value: unknown): PuzzleList {
  const puzzles = listIn(value, "puzzles").filter(
    (entry): entry is Fields & Puzzle => hasTexts(entry, "position", "move") && typeof entry["distance"] === "number",
  );
  return { unit: unitOf(value), puzzles };
}

export function parseGallery(value: unknown): Gallery {
  const positions = listIn(value, "positions").filter(
    (entry): entry is Fields & GalleryEntry => hasTexts(entry, "position", "best") && typeof entry["distance"] === "number",
  );
  return { unit: unitOf(value), positions };
}

const kept = new Map<string, Promise<unknown>>();

/** A file of the folder, asked for once; null when the site does not have it. */
function load(file: string): Promise<unknown> {
  const known = kept.get(file);
  if (known) return known;
  const asked = (async () => {
    const response = await fetch(new URL(`collections/${file}`, document.baseURI));
    if (!response.ok) return null;
    // A host may answer with its own page where there is no file.
    return response.json().catch(() => null) as Promise<unknown>;
  })();
  kept.set(file, asked);
  asked.catch(() => kept.delete(file));
  return asked;
}

export async function loadCollections(): Promise<readonly Collection[]> {
  return parseCollections(await load("index.json"));
}

export async function loadPuzzles(collection: Collection): Promise<PuzzleList> {
  return parsePuzzles(await load(collection.puzzles));
}

export async function loadGallery(collection: Collection): Promise<Gallery> {
  return parseGallery(await load(collection.gallery));
}

/** What `kanzen stats --json` printed about the table; null when it is not there. */
export async function loadNumbers(collection: Collection): Promise<unknown> {
  return load(collection.numbers);
}
