import type { AnyText } from "../base/anyText";
import { displaySymbol, type MimeBundle } from "../base/display";
import { show } from "../base/show";
import { nearest } from "../base/suggest";
import type { Env } from "./env";
import type { World } from "./world";
import { libraryWorlds, type WorldId, type WorldOptions } from "./whenUsed";
import { orderEnforcing, timeLimit } from "./wrapper";

/** Makes an environment from its own options. */
export type EnvFactory = (options: Readonly<Record<string, unknown>>) => Env;

/** Facts about an environment besides its factory: for menus and help. */
export type EnvFacts = Partial<Pick<World, "about" | "skill" | "levels" | "options" | "cheapToEnumerate">>;

interface Entry {
  readonly factory: EnvFactory;
  readonly facts: EnvFacts;
  /** The module that registered it; undefined outside of modules that a kernel or a sweep has loaded. */
  readonly module: string | undefined;
  /** A world of the library, which nobody may replace: its numbers are printed everywhere under that name. */
  readonly builtIn: boolean;
}

/** While a kernel or a thread evaluates a module, its file. */
const loadingSymbol = Symbol.for("turnwise.loading");

const ID = /^[A-Za-z][A-Za-z0-9]*-v\d+$/;
const entries = new Map<string, Entry>();

/** Entries by id. The library's own worlds are loaded when the first of them is asked for. */
function known(): Map<string, Entry> {
  if (!worldsLoaded) {
    worldsLoaded = true;
    for (const world of libraryWorlds) {
      entries.set(world.id, { factory: world.make, facts: world, module: undefined, builtIn: true });
    }
  }
  return entries;
}

let worldsLoaded = false;

/** By this name the kernel publishes itself to the process that runs the cells. */
const notebookSymbol = Symbol.for("turnwise.session");

/** Result of `register`, as a notebook shows it. */
export class Registration {
  constructor(
    readonly id: string,
    /** Whether there was another world of that id. */
    readonly replaced: boolean,
  ) {}

  toString(): string {
    return this.replaced
      ? `Replaced "${this.id}": make and train now use the new version; runs that have begun keep the old one.`
      : `Registered "${this.id}".`;
  }

  [displaySymbol](): MimeBundle {
    return { "text/plain": this.toString() };
  }
}

/**
 * Makes an environment of your own known to `make`, `train` and the playground by an id.
 *
 * In a notebook an id of your own may be registered again: to run a cell once more replaces the world, and the returned note
 * says so. Elsewhere that needs `replace`. What was made before stays as it is.
 *
 * @throws {RangeError} if the id does not look like "Name-v0", is one of the library's, or is taken
 * @throws {TypeError} if the factory is no function
 * @example
 * import { checkEnv, make, register } from "turnwise";
 *
 * register("LongTMaze-v0", (options) => make("TMaze-v0", { length: 8, ...options }), { replace: true });
 * checkEnv(make("LongTMaze-v0"));
 */
export function register(
  id: string,
  factory: EnvFactory,
  { replace = false, ...facts }: EnvFacts & { readonly replace?: boolean } = {},
): Registration {
  expectOwnId(id);
  if (typeof factory !== "function") {
    throw new TypeError(
      `Cannot register "${id}": the id must be followed by a function that makes the environment, got ${show(factory)}.`,
    );
  }
  const module = (globalThis as unknown as Readonly<Record<symbol, string | undefined>>)[loadingSymbol];
  const before = known().get(id);
  // A module that is loaded again, since it has changed, replaces what it has registered.
  const again = module !== undefined && before?.module === module;
  if (before && !again && !replace && !(notebookSymbol in globalThis)) {
    throw new RangeError(
      `Cannot register "${id}": it is already registered, and ids must be unique. { replace: true } replaces it.`,
    );
  }
  known().set(id, { factory, facts, module, builtIn: false });
  return new Registration(id, before !== undefined);
}

/** @throws {RangeError} if a custom world cannot have this id */
export function expectOwnId(id: string): void {
  if (!ID.test(id)) {
    throw new RangeError(`Cannot register "${id}": an id must look like "Name-v0", got "${id}".`);
  }
  if (!isBuiltIn(id)) return;
  const [name] = id.split("-v");
  throw new RangeError(
    `Cannot register "${id}": the library's own worlds cannot be replaced. Choose another name, such as "My${name}-v0".`,
  );
}

/** Whether it is a world of the library. */
export function isBuiltIn(id: string): boolean {
  return known().get(id)?.builtIn === true;
}

/** The file of the module that registered a world, so that other threads can load it; undefined for all others. */
export function moduleOf(id: string): string | undefined {
  return known().get(id)?.module;
}

/**
 * The ids that `make` knows, sorted.
 *
 * @example
 * import { registeredIds } from "turnwise";
 * registeredIds().includes("LookUp-v0"); // => true
 */
export function registeredIds(): string[] {
  return [...known().keys()].sort();
}

/**
 * Facts given about an environment when it was registered; `{}` if only a factory was given.
 *
 * @throws {RangeError} if the id is unknown
 * @example
 * import { envInfo } from "turnwise";
 *
 * envInfo("LookUp-v0").cheapToEnumerate; // => true
 */
export function envInfo(id: string): EnvFacts {
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
export function make<Id extends WorldId | AnyText>(id: Id, options?: WorldOptions<Id>): Env {
  const { factory } = entryOf(id);
  const { maxTurns, ...own } = (options ?? {}) as Readonly<Record<string, unknown>>;
  const env = orderEnforcing(factory(own));
  return maxTurns === undefined ? env : timeLimit(env, maxTurns as number);
}

function entryOf(id: string): Entry {
  const entry = known().get(id);
  if (!entry) throw new RangeError(unknownId(id));
  return entry;
}

function unknownId(id: string): string {
  const ids = registeredIds();
  const [name] = id.split("-v");
  const sameName = ids.filter((known) => known.startsWith(`${name}-v`));
  const close = nearest(id, ids);
  const hint = sameName.length
    ? `Its versions are ${sameName.join(", ")}.`
    : close === undefined
      ? `Known ids are ${ids.join(", ")}.`
      : `Did you mean "${close}"?`;
  return `Cannot make "${id}": the id is not registered.\n${hint}`;
}
