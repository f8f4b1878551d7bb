// Uses internals of turnwise-kernel/browser.
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { exclusively } from "turnwise-kernel/bootstrap/lock.cjs";
import {
  BrowserTypes,
  type OnTypesState,
  type TypeWorker,
} from "turnwise-kernel/dist/browser/types/service.js";
import { root } from "./paths.js";

/* eslint-disable-next-line @typescript-eslint/no-require-imports */
export const { buildTypes, withoutComments } = require(join(root, "kernel/site/declarations.cjs")) as {
  buildTypes(): Promise<{ name: string; bytes: number; gzip: number }[]>;
  withoutComments(text: string): string;
};

/** Where `npm run site` puts the workers of types and the packed declarations. */
export const siteParts = join(root, "build", "site-parts");

/** Builds them, once in a process, and in one process at a time. */
export const builtTypes: () => Promise<unknown> = (() => {
  let built: Promise<unknown> | undefined;
  return () => (built ??= exclusively(root, buildTypes));
})();

/** What a browser gives a worker, in a thread of Node. */
const prelude = `
const { parentPort, workerData } = require("node:worker_threads");
const { readFileSync } = require("node:fs");
const { dirname, join } = require("node:path");
globalThis.postMessage = (message) => parentPort.postMessage(message);
globalThis.fetch = async (url) => ({ ok: true, url, json: async () => JSON.parse(readFileSync(workerData.folder + "/" + url, "utf8")) });
globalThis.importScripts = (name) => (0, eval)(readFileSync(join(dirname(workerData.script), name), "utf8"));
globalThis.XMLHttpRequest = class { status = 404; open() {} send() {} getResponseHeader() { return null; } };
parentPort.on("message", (data) => globalThis.onmessage({ data }));
const code = readFileSync(workerData.script, "utf8");
delete globalThis.process;
(0, eval)(code);
`;

function workerOf(script: string): TypeWorker {
  const thread = new Worker(prelude, { eval: true, workerData: { script, folder: siteParts } });
  const worker: TypeWorker = {
    postMessage: (message) => thread.postMessage(message),
    terminate: () => void thread.terminate(),
    onmessage: null,
    onerror: null,
  };
  thread.on("message", (data: unknown) => worker.onmessage?.({ data }));
  thread.on("error", ({ message }) => worker.onerror?.({ message }));
  return worker;
}

/** The types of a notebook as a page has them, with threads of Node in the place of its workers. */
export function browserTypes(onState?: OnTypesState, { full = "types.js" } = {}): BrowserTypes {
  const scripts = { first: join(siteParts, "prepare.js"), full: join(siteParts, full) };
  return new BrowserTypes(scripts, { base: "", location: "notebooks" }, onState, workerOf);
}
