"use strict";
// The site's service worker. One address has one: this one does four things of its own, and leaves the rest to JupyterLite's.
//
// 1. It adds the headers that isolate a page, without which cells have no shared memory: static hosts often cannot set them.
// 2. It keeps what was loaded, and shows it when there is no network. With a network, the newest counts: one small file tells
//    whether the site is still the one that this script came with, and only then what is kept is shown without asking.
// 3. On a first visit it loads all that a first result needs in one piece: more than a hundred files, each of which would wait
//    for those that name it.
// 4. It answers a loop of a cell that asks whether it is to stop, in a page that could not be isolated.

/** The build writes both: what the site was made of, and the files that each application needs, in the order in which it asks. */
const stamp = "SITE_STAMP";
const firstFiles = JSON.parse(`FIRST_FILES`);

const kept = `turnwise-site-${stamp}`;
const base = new URL("./", self.location.href);
/** Files whose name or address changes with what they hold. */
const unchanging =
  /\/build\/.*\.[0-9a-f]{7,}\.\w+$|[?&]_=[0-9a-f]+$|\/turnwise-kernel\/static\/[0-9a-f]{16}\//;
/** Time for which an interrupt holds for a cell that has not asked yet. */
const interruptMs = 2000;

/** Interrupts that no cell has heard of yet: when they were sent, and for which cell, by the address that asks for them. */
const interrupts = new Map();

// Images from other sites need no permission of theirs then; Safari knows only the strict form.
const safari = /Safari/.test(self.navigator.userAgent) && !/Chrom/.test(self.navigator.userAgent);
const isolating = {
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Embedder-Policy": safari ? "require-corp" : "credentialless",
  "Cross-Origin-Resource-Policy": "same-origin",
};

/** A response that isolates. What is kept does so already: it is given as it is, with the code that the browser has compiled of it. */
function isolated(response) {
  if (response.status === 0 || response.type === "opaqueredirect") return response;
  if (Object.entries(isolating).every(([name, value]) => response.headers.get(name) === value))
    return response;
  const headers = new Headers(response.headers);
  for (const [name, value] of Object.entries(isolating)) headers.set(name, value);
  const body = [101, 204, 205, 304].includes(response.status) ? null : response.body;
  return new Response(body, { status: response.status, statusText: response.statusText, headers });
}

/** Key under which a file is kept: some of JupyterLite's requests carry the time, and a folder's address is that of its page. */
const keyOf = (url) =>
  unchanging.test(url.href) ? url.href : url.origin + url.pathname.replace(/\/$/, "/index.html");

/** Whether the site is the one that this script came with; asked once for each page that is opened. */
let current;
const isCurrent = () =>
  (current ??= fetch(new URL("build.json", base), { cache: "no-cache" })
    .then((response) => response.json())
    .then((build) => build.stamp === stamp)
    .catch(() => false));

/** Pending responses: by key, a promise of a function that makes the response, or of undefined. */
const coming = new Map();

/** The application that an address opens: a lesson's own page leads to the notebook application. */
function appOf(address) {
  const [folder] = address.slice(base.href.length).split("/");
  const app = folder === "lessons" ? "notebooks" : folder;
  return Object.hasOwn(firstFiles, app) ? app : undefined;
}

/** Bytes of a stream, in the order in which they come. */
class Bytes {
  parts = [];
  length = 0;

  constructor(stream) {
    this.reader = stream.getReader();
  }

  /** The next bytes, so many of them. */
  async take(count) {
    while (this.length < count) {
      const { value, done } = await this.reader.read();
      if (done) throw new Error("the stream ended too soon");
      this.parts.push(value);
      this.length += value.length;
    }
    const taken = new Uint8Array(count);
    for (let at = 0; at < count;) {
      const part = this.parts.shift();
      const used = part.subarray(0, count - at);
      taken.set(used, at);
      at += used.length;
      if (used.length < part.length) this.parts.unshift(part.subarray(used.length));
    }
    this.length -= count;
    return taken;
  }
}

/** Loads the first files of an application in one piece, for a browser that has never been here. */
async function loadFirst(app) {
  const keys = firstFiles[app].map((file) => keyOf(new URL(file, base)));
  if (keys.length === 0 || coming.has(keys.at(-1))) return;
  const give = keys.map((key) => {
    let resolve;
    coming.set(key, new Promise((done) => (resolve = done)));
    return resolve;
  });
  try {
    const cache = await caches.open(kept);
    // Whoever has been here has most of them under their own names.
    if ((await caches.keys()).some(isOlder) || (await cache.match(keys.at(-1)))) return;
    const response = await fetch(new URL(`first/${app}.${stamp}.txt`, base));
    if (response.status !== 200) return;
    const bytes = new Bytes(response.body);
    const [headLength] = new Uint32Array((await bytes.take(4)).buffer);
    const head = JSON.parse(new TextDecoder().decode(await bytes.take(headLength)));
    const puts = [];
    for (const [i, [type, length]] of head.entries()) {
      const body = await bytes.take(length);
      const make = () => new Response(body, { headers: { "Content-Type": type, ...isolating } });
      give[i](make);
      puts.push(cache.put(keys[i], make()));
    }
    await Promise.all(puts);
  } finally {
    // What has not come is loaded as any other file.
    for (const [i, key] of keys.entries()) {
      give[i](undefined);
      coming.delete(key);
    }
  }
}

/** Caches of what the site was before. */
const isOlder = (name) => name.startsWith("turnwise-site") && name !== kept;

/** Kept response for a file, if it is as good as the newest. */
async function knownOf(event, key, isUnchanging) {
  if (!isUnchanging && !(await isCurrent())) return undefined;
  const cache = await caches.open(kept);
  const known = await cache.match(key);
  if (known || !isUnchanging) return known;
  const older = await caches.match(key);
  if (older) event.waitUntil(cache.put(key, older.clone()).catch(() => undefined));
  return older;
}

/** Asks the host even where a browser may keep a file for longer: files of an old site do not fit those of a new one. */
function newest(request, url) {
  if (unchanging.test(url.href)) return fetch(request);
  return request.mode === "navigate"
    ? fetch(request.url, { cache: "no-cache", redirect: "manual" })
    : fetch(request, { cache: "no-cache" });
}

async function answer(event, url) {
  const { request } = event;
  const key = keyOf(url);
  if (request.mode !== "navigate") {
    const make = await coming.get(key);
    const known = make ? make() : await knownOf(event, key, unchanging.test(url.href));
    if (known) return isolated(known);
  }
  try {
    const response = isolated(await newest(request, url));
    if (response.status === 200) event.waitUntil(keep(key, response.clone()).catch(() => undefined));
    return response;
  } catch (error) {
    const known = await caches.match(key);
    if (known) return isolated(known);
    throw error;
  }
}

async function keep(key, response) {
  await (await caches.open(kept)).put(key, response);
}

/** Loads what a reader may open later without a network: the files that the build has listed as `list`, "pages" or "files". */
async function keepAll(list) {
  if (!(await isCurrent())) return;
  const cache = await caches.open(kept);
  const listed = await (await fetch(new URL("offline.json", base), { cache: "no-cache" })).json();
  for (const file of listed[list]) {
    const url = new URL(file, base);
    if (await cache.match(keyOf(url))) continue;
    const response = await fetch(url, { cache: "no-cache" });
    if (response.status === 200) await cache.put(keyOf(url), isolated(response));
  }
  if (list !== "files") return;
  // A page that was opened before the site was updated still needs the scripts that it came with.
  const pages = await self.clients.matchAll({ includeUncontrolled: true, type: "window" });
  if (pages.length > 1) return;
  for (const name of await caches.keys()) if (isOlder(name)) await caches.delete(name);
}

// On a first visit nothing is asked of this script before the page has been loaded once more.
self.addEventListener("install", () => {
  void self.clients
    .matchAll({ includeUncontrolled: true, type: "window" })
    .then((pages) => Promise.all(pages.map(({ url }) => appOf(url)).map((app) => app && loadFirst(app))))
    .catch(() => undefined);
});

self.addEventListener("message", (event) => {
  const { interrupt, cell, settled, keep: all } = event.data ?? {};
  if (interrupt) interrupts.set(interrupt, { at: Date.now(), cell });
  if (settled) interrupts.delete(settled);
  if (all) event.waitUntil(keepAll(all === "pages" ? "pages" : "files").catch(() => undefined));
});

self.addEventListener("fetch", (event) => {
  const url = new URL(event.request.url);
  if (!url.href.startsWith(base.href) || event.request.method !== "GET") return;
  const path = url.href.slice(base.href.length);
  if (path.startsWith("api/turnwise/interrupt/")) {
    const address = url.origin + url.pathname;
    const wanted = interrupts.get(address);
    const cell = wanted && Date.now() - wanted.at < interruptMs ? String(wanted.cell) : "";
    interrupts.delete(address);
    event.stopImmediatePropagation();
    event.respondWith(new Response(cell, { headers: isolating }));
    return;
  }
  // Files of the notebook that changes, and the answers of a person: JupyterLite's own.
  if (path.startsWith("api/drive") || path.startsWith("api/stdin/")) return;
  event.stopImmediatePropagation();
  if (event.request.mode === "navigate") {
    current = undefined;
    void isCurrent();
    const app = appOf(url.href);
    if (app) event.waitUntil(loadFirst(app).catch(() => undefined));
  }
  event.respondWith(answer(event, url));
});

// JupyterLite's own follows here.
