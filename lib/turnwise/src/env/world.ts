import type { Fields, Group } from "../schema";
import type { Env } from "./env";

/** Memory of the tabular policy in a world; part of a `PolicyOptions`. */
export type WorldPolicy =
  | { readonly memory?: "history" | "turnObservation"; readonly syntaxPrior?: number }
  | { readonly kind: "logLinear"; readonly beta: number };

/** A name and a version, such as "KeyDoor-v0". */
export type EnvId = `${string}-v${number}`;

/**
 * A world of the library: everything that lists, tables, menus, studies and tests need to know about it.
 *
 * A world's own file exports one, and `worlds.ts` lists it; there is no third place.
 */
export interface World<Id extends EnvId = EnvId, F extends Fields = Fields> {
  /** A change that moves a measured number is a new version. */
  readonly id: Id;
  /** One sentence: what the agent meets there. */
  readonly about: string;
  /** The one skill that it isolates. */
  readonly skill: string;
  /** Number of levels of difficulty that its option `level` counts. */
  readonly levels?: number;
  /** Its options: types, defaults, refusals and help are made from them. */
  readonly options: Group<F>;
  /** Whether the whole tree of the default settings is enumerated within a few tens of milliseconds. */
  readonly cheapToEnumerate: boolean;
  /** Options that leave a tree so small that a test can try every turn after every history. */
  readonly small: Readonly<Record<string, unknown>>;
  /** The policy that learns in it in the table of environments; `{}` is a table of whole histories, uniform at the start. */
  readonly policy: WorldPolicy;
  /** Other settings with a row of their own in the table of policies. */
  readonly variants?: readonly WorldVariant[];
  readonly make: (options: Readonly<Record<string, unknown>>) => Env;
}

export interface WorldVariant {
  readonly name: string;
  readonly options: Readonly<Record<string, unknown>>;
}

/** A world with all its parts: what is left out does not compile. */
export function world<const Id extends EnvId, F extends Fields>(parts: World<Id, F>): World<Id, F> {
  return Object.freeze(parts);
}
