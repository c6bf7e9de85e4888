// SPDX-License-Identifier: MIT
//
// Keeps the page's own files, so that the static site works without a network. Answers of a server are never kept, and
// tables are not kept here: the engine keeps those that it has loaded.
"use strict";

const cacheName = "kanzen-page";
/** The list of what the build has made (file-list.ts); the other files are there as they are. */
const buildList = "files.json";
const builtFolder = "assets/";
const fixedFiles = ["./", "kanzen.wasm", "favicon.svg", "icon-192.png", "manifest.webmanifest", "tables/index.json", "openapi.json", buildList];
/** Puzzles, galleries and counts: an index that names files beside it. */
const collections = "collections/";

const scope = self.registration.scope;
const addressOf = (file) => new URL(file, scope).href;

/** The built files, whose names change with their content. */
async function builtFiles() {
  const response = await fetch(addressOf(buildList), { cache: "no-cache" });
  if (!response.ok) return [];
  return (await response.json()).map(addressOf);
}

async function collectionFiles() {
  const index = addressOf(`${collections}index.json`);
  const response = await fetch(index, { cache: "no-cache" });
  if (!response.ok) return [];
  const { collections: list = [] } = await response.json();
  const files = list.flatMap(({ puzzles, gallery, numbers }) => [puzzles, gallery, numbers]);
  return [index, ...files.filter((file) => typeof file === "string").map((file) => addressOf(collections + file))];
}

/** Gets what is new, and lets go of what is no longer part of the page. */
async function refresh() {
  const built = await builtFiles();
  const cache = await caches.open(cacheName);
  const known = new Set((await cache.keys()).map(({ url }) => url));
  const get = async (address) => {
    const response = await fetch(address, { cache: "no-cache" });
    if (response.ok) await cache.put(address, response);
  };
  await Promise.all(built.filter((address) => !known.has(address)).map(get));
  await Promise.all([...fixedFiles.map(addressOf), ...(await collectionFiles().catch(() => []))].map(get));
  if (built.length > 0) {
    const old = [...known].filter((address) => address.startsWith(addressOf(builtFolder)) && !built.includes(address));
    await Promise.all(old.map((address) => cache.delete(address)));
  }
}

self.addEventListener("install", (event) => event.waitUntil(refresh().then(() => self.skipWaiting())));

self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

/** Without what comes after '?', which is never part of a file's name here. */
function keyOf(url) {
  const path = url.origin + url.pathname;
  return path.endsWith("/index.html") ? path.slice(0, -"index.html".length) : path;
}

async function fromNetworkFirst(event, key) {
  const cache = await caches.open(cacheName);
  try {
    const response = await fetch(event.request);
    if (response.status === 200) {
      event.waitUntil(cache.put(key, response.clone()));
      if (event.request.mode === "navigate") event.waitUntil(refresh().catch(() => undefined));
    }
    return response;
  } catch (error) {
    const kept = await cache.match(key);
    if (kept) return kept;
    throw error;
  }
}

/** For files whose names change with their content: one that is here is the right one. */
async function fromCacheFirst(event, key) {
  const cache = await caches.open(cacheName);
  const kept = await cache.match(key);
  if (kept) return kept;
  const response = await fetch(event.request);
  if (response.status === 200) event.waitUntil(cache.put(key, response.clone()));
  return response;
}

self.addEventListener("fetch", (event) => {
  const url = new URL(event.request.url);
  const key = keyOf(url);
  if (event.request.method !== "GET" || !key.startsWith(scope)) return;
  const file = key.slice(scope.length);
  const isTable = file.startsWith("tables/") && file !== "tables/index.json";
  if (isTable || file === "healthz" || file.startsWith("api/") || file.startsWith("share/")) return;
  event.respondWith(file.startsWith(builtFolder) ? fromCacheFirst(event, key) : fromNetworkFirst(event, key));
});
