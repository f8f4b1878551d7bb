import { machine } from "#machine";
import { path } from "#path";
import { show } from "../../base/show";
import { isBuiltIn, moduleOf, registeredIds } from "../../env/registry";
import { isCustom } from "../../rule/custom/custom";
import { toLine } from "../json";
import { Exports, isData, isLabel, isReference, mapTree } from "./reference";
import { notebookModules, type Namespace } from "./notebook";

/** Part of a setting that other threads cannot load, and a remedy. */
export interface LivesHere {
  /** Such as `the function "surprise" lives only in a cell`. */
  readonly what: string;
  /** Such as `begin its cell with the line "%%module mine.ts" and export it`. */
  readonly remedy: string;
}

/** Options on their way to other threads. */
export interface HandedOver {
  /** The options, with references in place of functions. */
  readonly data: Readonly<Record<string, unknown>>;
  /** The modules that a thread must load first. */
  readonly files: readonly string[];
  /** The first value that no module has. */
  readonly here: LivesHere | undefined;
  /** Such values by their labels, for jobs in this thread. */
  readonly locals: ReadonlyMap<string, object>;
}

/**
 * Writes options as plain data: what a module exports becomes a reference to it, and the module that registered a world is
 * among the files.
 *
 * @param worlds ids that the options name
 * @throws {RangeError} if two functions that no module exports have one label
 */
export function handOver(
  options: Readonly<Record<string, unknown>>,
  worlds: readonly unknown[] = [options["env"]],
  { modules, base }: ModuleScope = scopeOf(),
): HandedOver {
  const exports = new Exports(modules);
  const files = new Set<string>();
  const locals = new Map<string, object>();
  let here: LivesHere | undefined;
  const data = mapTree(options, (value, name) => {
    const ready = readyObject(value, name);
    if (ready) {
      here ??= ready;
      return value;
    }
    if (!isCustom(value) && typeof value !== "function") return undefined;
    const place = exports.placeOf(value);
    const label = isCustom(value) ? value.label : value.name || name;
    if (place) {
      files.add(place.file);
      here ??= changedSince(place.file, modules);
      const where = { module: nameOf(place.file, base), export: place.way };
      return isCustom(value) ? { custom: label, ...where } : where;
    }
    if (locals.has(label) && locals.get(label) !== value) {
      throw new RangeError(
        `Cannot tell two custom functions apart: each needs its own label, but two are named "${label}".`,
      );
    }
    locals.set(label, value);
    here ??= functionHere(label, isCustom(value), exports);
    return { custom: label };
  }) as Readonly<Record<string, unknown>>;
  for (const id of worlds) {
    // Whoever makes the world refuses an id that nobody knows.
    if (typeof id !== "string" || !registeredIds().includes(id) || isBuiltIn(id)) continue;
    const file = moduleOf(id);
    if (file !== undefined) files.add(file);
    here ??= file === undefined ? worldHere(id) : changedSince(file, modules);
  }
  return { data, files: [...files].sort(), here, locals };
}

/** As `handOver`; a value that is no plain data stays here, too. */
export function handOverAll(options: Readonly<Record<string, unknown>>): HandedOver {
  const handed = handOver(options);
  if (handed.here) return handed;
  try {
    toLine(handed.data, "the options");
    return handed;
  } catch (error) {
    const [, what, kind] = /^Cannot hand on (.*?): .* it is (.*)\.$/.exec((error as Error).message) ?? [];
    return { ...handed, here: { what: `${what} is ${kind}`, remedy: "give plain data" } };
  }
}

/** The modules that may be named, and the folder from which they are. */
export interface ModuleScope {
  readonly modules: ReadonlyMap<string, Namespace>;
  readonly base: string;
}

function scopeOf(): ModuleScope {
  return { modules: notebookModules() ?? new Map<string, Namespace>(), base: machine.cwd() };
}

/**
 * Puts the functions that references name back into options.
 *
 * @throws {RangeError} if a module does not export what a reference names
 */
export function revive(
  options: Readonly<Record<string, unknown>>,
  { modules, base }: ModuleScope,
  locals: ReadonlyMap<string, object> = new Map(),
): Readonly<Record<string, unknown>> {
  const exports = new Exports(modules);
  return mapTree(options, (value) => {
    if (isLabel(value)) {
      const found = locals.get(value.custom) ?? only(exports.labeled(value.custom), value.custom);
      if (found !== undefined) return found;
      return undefined;
    }
    if (!isReference(value)) return undefined;
    const file = path.resolve(base, value.module);
    const found = exports.at(file, value.export);
    if (typeof found === "function" || isCustom(found)) return found;
    // A rule, or a list of values: plain data, whose functions are references again where other threads get it.
    if (typeof found === "object" && found !== null && isData(found)) return found;
    const names = exports.names(file).join(", ") || "nothing";
    throw new RangeError(
      `Cannot find ${show(value.custom ?? value.export)}: ${value.module} must export it as ${value.export}, but it exports ${names}.`,
    );
  }) as Readonly<Record<string, unknown>>;
}

/** A module as plans name it: from their folder, where that is possible, so that the folder may lie elsewhere on a cluster. */
export function nameOf(file: string, base: string): string {
  const way = path.relative(base, file);
  return way.startsWith("..") || path.isAbsolute(way) ? file : `./${way.replaceAll("\\", "/")}`;
}

function only(found: readonly object[], label: string): object | undefined {
  if (found.length < 2) return found[0];
  throw new RangeError(
    `Cannot find "${label}": exactly one function of the modules must have that label, but ${found.length} have it.`,
  );
}

function functionHere(label: string, isPiece: boolean, exports: Exports): LivesHere {
  const what = `the function "${label}"`;
  const newer = exports.labeled(label)[0];
  if (isPiece && newer) {
    const { file } = exports.placeOf(newer)!;
    return {
      what: `${what} is not the one that ${path.basename(file)} exports now`,
      remedy: "run the cells that use it again",
    };
  }
  const name = identifier(label);
  const line = isPiece ? `export const ${name} = custom("${label}", ...)` : `export const ${name} = ...`;
  return notebookModules()
    ? {
        what: `${what} lives only in a cell`,
        remedy: `begin its cell with the line "%%module mine.ts" and export it ("${line}")`,
      }
    : {
        what: `${what} lives only in this program`,
        remedy: `export it from a file of its own ("${line}") and name that file (modules: ["./mine.ts"])`,
      };
}

/** Threads read the file as it is now; this thread has it as it was. */
function changedSince(file: string, modules: ReadonlyMap<string, Namespace>): LivesHere | undefined {
  const { changed } = modules as { readonly changed?: (file: string) => boolean };
  if (changed?.(file) !== true) return undefined;
  return {
    what: `${path.basename(file)} has changed since it was imported`,
    remedy: "run the cell that imports it again",
  };
}

/** An environment or a policy as an object: it cannot be written down. */
function readyObject(value: unknown, name: string): LivesHere | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  if (/^env(\[|$)/.test(name) && "reset" in value) {
    return {
      what: "env is a ready environment",
      remedy: "register it as a world in a module of its own, and give its id",
    };
  }
  if (/^policy(\[|$)/.test(name) && "sample" in value) {
    return {
      what: "policy is a ready policy",
      remedy: "give its options, or a function that makes one and that a module exports",
    };
  }
  return undefined;
}

function worldHere(id: string): LivesHere {
  return notebookModules()
    ? {
        what: `the world "${id}" is registered only in a cell`,
        remedy: `begin the cell that registers it with the line "%%module mine.ts"`,
      }
    : {
        what: `the world "${id}" is registered only in this program`,
        remedy: `register it in a file of its own and name that file (modules: ["./mine.ts"])`,
      };
}

function identifier(label: string): string {
  const words = label.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== "");
  const joined = words.map((word, i) => (i === 0 ? word : word[0]!.toUpperCase() + word.slice(1))).join("");
  return /^\p{L}/u.test(joined) ? joined : `mine${joined}`;
}
