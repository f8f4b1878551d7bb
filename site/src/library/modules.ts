import * as buffer from "./node/buffer.js";
import * as crypto from "./node/crypto.js";
import * as events from "./node/events.js";
import * as fs from "./node/fs.js";
import * as fsPromises from "./node/fs-promises.js";
import * as os from "./node/os.js";
import * as path from "./node/path.js";
import * as perfHooks from "./node/perf_hooks.js";
import process from "./node/process.js";
import * as readline from "./node/readline.js";
import * as readlinePromises from "./node/readline-promises.js";
import * as timers from "./node/timers.js";
import * as timersPromises from "./node/timers-promises.js";
import * as url from "./node/url.js";
import * as util from "./node/util.js";
import * as workerThreads from "./node/worker_threads.js";

/** The entry points of the course, such as `echo-trap`: what the build writes into the bundle. */
declare const LESSONS: readonly string[];

type Namespace = Record<string, unknown>;

/** Address of the library's files, and the time when its own files can be read. */
interface Library {
  readonly address: string;
  readonly ready: Promise<void>;
}

let library: Library = { address: "library/", ready: Promise.resolve() };
let isReady = false;

export function useLibrary(found: Library): void {
  library = found;
  isReady = false;
  void found.ready.then(() => {
    isReady = library === found;
  });
}

/** A module that needs the library's files: there at once, for a `require`, as soon as they are. */
const withFiles = (module: Namespace) => (): Namespace | Promise<Namespace> =>
  isReady ? module : library.ready.then(() => module);

/** Address of the library's files, with "/" at the end. */
export const libraryAddress = (): string => library.address;

const loaded = new Map<string, Namespace>();

/** `exact` of `turnwise/exact`, `course-echo-trap` of `turnwise-course/echo-trap`. */
const fileOf = (name: string): string =>
  name.startsWith("turnwise-")
    ? name.slice("turnwise-".length).replace("/", "-")
    : (name.split("/")[1] ?? name);

/** Exports of a tier of the library, such as `turnwise/exact`; undefined as long as no cell has imported it. */
export const loadedTier = (name: string): Namespace | undefined => loaded.get(fileOf(name));

/** A file of the library, as a native module: its name is computed, so that no bundler takes it in. */
const tier = (file: string) => async (): Promise<Namespace> => {
  await library.ready;
  const found = (await import(`${library.address}${file}.js`)) as Namespace;
  loaded.set(file, found);
  return found;
};

/** Tiers that the first cells of lessons import. */
const firstTiers = ["plot", "turnwise"];

/** Reads what a first cell will most likely import; one that cannot be read fails where it is imported. */
export function readLibrary(): void {
  for (const file of firstTiers) import(`${library.address}${file}.js`).catch(() => undefined);
}

/** Node's `assert`, which few cells need: a file of its own. */
const assertFile = tier("assert");

async function assertStrict(): Promise<Namespace> {
  const { strict } = (await assertFile()) as { readonly strict: Namespace };
  return { ...strict, default: strict };
}

/** A module of Node as cells import it, with a default export as Node's own have. */
const withDefault = (module: Namespace): (() => Namespace) => {
  const namespace = { default: module, ...module };
  return () => namespace;
};

/** Modules that a cell can import in a page. */
export const modules: Readonly<Record<string, () => Namespace | Promise<Namespace>>> = {
  turnwise: tier("turnwise"),
  "turnwise/browser": tier("browser"),
  "turnwise/exact": tier("exact"),
  "turnwise/plot": tier("plot"),
  "turnwise/search": tier("search"),
  "turnwise/rule": tier("rule"),
  "turnwise/tensor": tier("tensor"),
  "turnwise/verdict": tier("verdict"),
  "turnwise-practice": tier("practice"),
  "turnwise-course": tier("course"),
  ...Object.fromEntries(LESSONS.map((name) => [`turnwise-course/${name}`, tier(`course-${name}`)])),
  "danfojs-node": tier("danfojs"),
  "@tensorflow/tfjs-backend-webgpu": tier("webgpu"),
  "node:assert": assertFile,
  "node:assert/strict": assertStrict,
  "node:buffer": withDefault(buffer),
  "node:crypto": withDefault(crypto),
  "node:events": withDefault(events),
  "node:fs": withFiles(fs),
  "node:fs/promises": withFiles(fsPromises),
  "node:os": withDefault(os),
  "node:path": withDefault(path),
  "node:perf_hooks": withDefault(perfHooks),
  // Once a cell asks, as what it can do comes from several places.
  "node:process": () => ({ ...process, default: process }),
  "node:readline": withDefault(readline),
  "node:readline/promises": withDefault(readlinePromises),
  "node:timers": withDefault(timers),
  "node:timers/promises": withDefault(timersPromises),
  "node:url": withDefault(url),
  "node:util": withDefault(util),
  "node:worker_threads": withDefault(workerThreads),
};

/** Loader of a module that cells can import, by its name; Node's with or without "node:". */
export function moduleOf(name: string): (() => Namespace | Promise<Namespace>) | undefined {
  const known = [name, `node:${name}`].find((one) => Object.hasOwn(modules, one));
  return known === undefined ? undefined : modules[known];
}
