"use strict";
// The site's service worker. One address has one: this one does three things of its own, and leaves the rest to JupyterLite's.
//
// 1. It adds the headers that isolate a page, without which cells have no shared memory: static hosts often cannot set them.
// 2. It keeps what was loaded, and shows it when there is no network. With a network, the newest counts.
// 3. It answers a loop of a cell that asks whether it is to stop, in a page that could not be isolated.

const kept = "turnwise-site";
const base = new URL("./", self.location.href);
/** Files whose name or address changes with what they hold. */
const unchanging = /\/build\/.*\.[0-9a-f]{7,}\.\w+$|[?&]_=[0-9a-f]+$/;
/** How long an interrupt holds for a cell that has not asked yet. */
const interruptMs = 2000;

/** Interrupts that no cell has heard of yet: when they were sent, by the address that asks for them. */
const interrupts = new Map();

// Images from other sites need no permission of theirs then; Safari knows only the strict form.
const safari = /Safari/.test(self.navigator.userAgent) && !/Chrom/.test(self.navigator.userAgent);
const isolating = {
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Embedder-Policy": safari ? "require-corp" : "credentialless",
  "Cross-Origin-Resource-Policy": "same-origin",
};

function isolated(response) {
  if (response.status === 0 || response.type === "opaqueredirect") return response;
  const headers = new Headers(response.headers);
  for (const [name, value] of Object.entries(isolating)) headers.set(name, value);
  const body = [101, 204, 205, 304].includes(response.status) ? null : response.body;
  return new Response(body, { status: response.status, statusText: response.statusText, headers });
}

/** What a file is kept under: some of JupyterLite's requests carry the time. */
const keyOf = (url) => (unchanging.test(url.href) ? url.href : url.origin + url.pathname);

/** Asks the host even where a browser may keep a file for longer: files of an old site do not fit those of a new one. */
const newest = (request) =>
  request.mode === "navigate"
    ? fetch(request.url, { cache: "no-cache", redirect: "manual" })
    : fetch(request, { cache: "no-cache" });

async function answer(event, url) {
  const cache = await caches.open(kept);
  const key = keyOf(url);
  if (unchanging.test(url.href)) {
    const known = await cache.match(key);
    if (known) return isolated(known);
  }
  try {
    const response = await newest(event.request);
    if (response.status === 200) event.waitUntil(cache.put(key, response.clone()).catch(() => undefined));
    return isolated(response);
  } catch (error) {
    const known = await cache.match(key);
    if (known) return isolated(known);
    throw error;
  }
}

/** Loads what a reader may open later without a network: the files that the build has listed. */
async function keepAll() {
  const cache = await caches.open(kept);
  const { files } = await (await fetch(new URL("offline.json", base))).json();
  for (const file of files) {
    const url = new URL(file, base);
    if (await cache.match(keyOf(url))) continue;
    const response = await fetch(url);
    if (response.status === 200) await cache.put(keyOf(url), response);
  }
}

self.addEventListener("message", (event) => {
  const { interrupt, settled, keep } = event.data ?? {};
  if (interrupt) interrupts.set(interrupt, Date.now());
  if (settled) interrupts.delete(settled);
  if (keep) event.waitUntil(keepAll().catch(() => undefined));
});

self.addEventListener("fetch", (event) => {
  const url = new URL(event.request.url);
  if (!url.href.startsWith(base.href) || event.request.method !== "GET") return;
  const path = url.href.slice(base.href.length);
  if (path.startsWith("api/turnwise/interrupt/")) {
    const address = url.origin + url.pathname;
    const wanted = Date.now() - (interrupts.get(address) ?? -Infinity) < interruptMs;
    interrupts.delete(address);
    event.stopImmediatePropagation();
    event.respondWith(new Response(wanted ? "1" : "0", { headers: isolating }));
    return;
  }
  // Files of the notebook that changes, and the answers of a person: JupyterLite's own.
  if (path.startsWith("api/drive") || path.startsWith("api/stdin/")) return;
  event.stopImmediatePropagation();
  event.respondWith(answer(event, url));
});

self.importScripts("jupyterlite-service-worker.js");
