import { nearest } from "../base/suggest";
import type { Env } from "./env";
import type { World } from "./world";
import { orderEnforcing, timeLimit } from "./wrapper";

/** Makes an environment from its own options. */
export type EnvFactory = (options: Readonly<Record<string, unknown>>) => Env;

/** What may be said about an environment besides how it is made: for menus and help. */
export type EnvFacts = Partial<Pick<World, "about" | "skill" | "levels" | "options" | "cheapToEnumerate">>;

interface Entry {
  readonly factory: EnvFactory;
  readonly facts: EnvFacts;
  /** The module that registered it; undefined outside of modules that a kernel or a sweep has loaded. */
  readonly module: string | undefined;
}

/** While a kernel or a thread evaluates a module, its file. */
const loadingSymbol = Symbol.for("turnwise.loading");

const ID = /^[A-Za-z][A-Za-z0-9]*-v\d+$/;
const entries = new Map<string, Entry>();

/**
 * Makes an environment of your own known to `make`, `train` and the playground by an id.
 *
 * @throws {RangeError} if the id does not look like "Name-v0" or is taken
 * @example
 * import { checkEnv, make, register } from "turnwise";
 *
 * register("LongTMaze-v0", (options) => make("TMaze-v0", { length: 8, ...options }));
 * checkEnv(make("LongTMaze-v0"));
 */
export function register(id: string, factory: EnvFactory, facts: EnvFacts = {}): void {
  if (!ID.test(id)) {
    throw new RangeError(
      `Cannot register "${id}" as an id must look like "Name-v0": current value is "${id}"`,
    );
  }
  const module = (globalThis as unknown as Readonly<Record<symbol, string | undefined>>)[loadingSymbol];
  // A module that is loaded again, since it has changed, replaces what it has registered.
  const again = module !== undefined && entries.get(id)?.module === module;
  if (entries.has(id) && !again) {
    throw new RangeError(`Cannot register "${id}" as ids must be unique: it is already registered`);
  }
  entries.set(id, { factory, facts, module });
}

/** The file of the module that registered a world, so that other threads can load it; undefined for all others. */
export function moduleOf(id: string): string | undefined {
  return entries.get(id)?.module;
}

/**
 * The ids that `make` knows, sorted.
 *
 * @example
 * import { registeredIds } from "turnwise";
 * registeredIds().includes("LookUp-v0"); // => true
 */
export function registeredIds(): string[] {
  return [...entries.keys()].sort();
}

/**
 * What was said about an environment when it was registered; `{}` where only a factory was given.
 *
 * @throws {RangeError} if the id is unknown
 * @example
 * import { envFacts } from "turnwise";
 *
 * envFacts("LookUp-v0").cheapToEnumerate; // => true
 */
export function envFacts(id: string): EnvFacts {
  return entryOf(id).facts;
}

/**
 * Makes a registered environment, in the order-enforcing wrapper and, with `maxTurns` below its own, in a time limit.
 *
 * @throws {RangeError} if the id or an option is unknown, with the nearest known one, or a value is out of range
 * @throws {TypeError} if an option has the wrong type
 * @example
 * import { make } from "turnwise";
 *
 * const env = make("Tiger-v0", { accuracy: 0.7 });
 * const [observation] = env.reset({ seed: 1 });
 * observation.text; // => "two closed doors"
 */
export function make(id: string, options: Readonly<Record<string, unknown>> = {}): Env {
  const { factory } = entryOf(id);
  const { maxTurns, ...own } = options;
  const env = orderEnforcing(factory(own));
  return maxTurns === undefined ? env : timeLimit(env, maxTurns as number);
}

function entryOf(id: string): Entry {
  const entry = entries.get(id);
  if (!entry) throw new RangeError(unknownId(id));
  return entry;
}

function unknownId(id: string): string {
  const ids = registeredIds();
  const [name] = id.split("-v");
  const sameName = ids.filter((known) => known.startsWith(`${name}-v`));
  const close = nearest(id, ids);
  const hint = sameName.length
    ? `its versions are ${sameName.join(", ")}`
    : close === undefined
      ? `known ids are ${ids.join(", ")}`
      : `did you mean "${close}"?`;
  return `Cannot make "${id}" as the id must be registered: it is unknown; ${hint}`;
}
