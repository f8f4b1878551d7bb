import { didYouMean } from "../base/suggest";
import type { Env } from "./env";
import { orderEnforcing, timeLimit } from "./wrapper";

export type EnvFactory = (options: Readonly<Record<string, unknown>>) => Env;

const ID = /^[A-Za-z][A-Za-z0-9]*-v\d+$/;
const factories = new Map<string, EnvFactory>();

/** Makes an environment known to `make`. Throws RangeError for an id that is malformed or taken. */
export function register(id: string, factory: EnvFactory): void {
  if (!ID.test(id)) {
    throw new RangeError(
      `Cannot register "${id}" as an id must look like "Name-v0": current value is "${id}"`,
    );
  }
  if (factories.has(id)) {
    throw new RangeError(`Cannot register "${id}" as ids must be unique: it is already registered`);
  }
  factories.set(id, factory);
}

/** Ids that `make` knows, sorted. */
export function registeredIds(): string[] {
  return [...factories.keys()].sort();
}

/**
 * A registered environment, in the order-enforcing wrapper and, with `maxTurns` below its own, in a time limit.
 *
 * Throws RangeError for an unknown id, with the nearest known one, and for options that the environment does not know.
 */
export function make(id: string, options: Readonly<Record<string, unknown>> = {}): Env {
  const factory = factories.get(id);
  if (!factory) throw new RangeError(unknownId(id));
  const { maxTurns, ...own } = options;
  const env = orderEnforcing(factory(own));
  return maxTurns === undefined ? env : timeLimit(env, maxTurns as number);
}

function unknownId(id: string): string {
  const ids = registeredIds();
  const [name] = id.split("-v");
  const sameName = ids.filter((known) => known.startsWith(`${name}-v`));
  const hint = sameName.length
    ? `; its versions are ${sameName.join(", ")}`
    : didYouMean(id, ids) || `; known ids are ${ids.join(", ")}`;
  return `Cannot make "${id}" as the id must be registered: it is unknown${hint}`;
}
