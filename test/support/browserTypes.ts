// Uses internals of turnwise-site/types.
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { BrowserTypes, type OnTypesState, type TypeWorker } from "turnwise-site/internal/types/service";
import { partsFolder } from "./kernelSite.js";
import { root } from "./paths.js";

/* eslint-disable-next-line @typescript-eslint/no-require-imports */
export const { withoutComments } = require(join(root, "site/builder/declarations.cjs")) as {
  withoutComments(text: string): string;
};

let folder: string | undefined;

/** Builds the workers of types and the packed declarations, unless another test has, and gives their folder. */
export const builtTypes = async (): Promise<string> => (folder ??= await partsFolder());

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
  const thread = new Worker(prelude, { eval: true, workerData: { script, folder } });
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

/** The types of a notebook as a page has them, with threads of Node instead of its workers; they must be built. */
export function browserTypes(onState?: OnTypesState, { full = "types.js" } = {}): BrowserTypes {
  const scripts = { first: join(folder!, "prepare.js"), full: join(folder!, full) };
  return new BrowserTypes(scripts, { base: "", location: "notebooks" }, onState, workerOf);
}
