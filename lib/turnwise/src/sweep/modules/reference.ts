import { isCustom } from "../../rule/custom/custom";
import type { Json } from "../json";
import type { Namespace } from "./notebook";

/** A function that a module exports, as plans name it; one with a label is a piece of a rule. */
interface Reference {
  readonly custom?: string;
  readonly module: string;
  /** A name, or the way to a value inside of an export, such as `rule.advantage.by`. */
  readonly export: string;
}

/** Index of the modules of functions. */
export class Exports {
  #known: Index | undefined;

  constructor(private readonly modules: ReadonlyMap<string, Namespace>) {}

  placeOf(value: object): Place | undefined {
    return this.#index.places.get(value);
  }

  /** The pieces of rules of that label. */
  labeled(label: string): readonly object[] {
    return [...(this.#index.labels.get(label) ?? [])];
  }

  /** The value at a place; undefined where there is none. */
  at(file: string, way: string): unknown {
    let value: unknown = this.modules.get(file);
    for (const key of way.split(".")) {
      if (typeof value !== "object" || value === null) return undefined;
      value = (value as Readonly<Record<string, unknown>>)[key];
    }
    return value;
  }

  names(file: string): readonly string[] {
    return Object.keys(this.modules.get(file) ?? {});
  }

  /** Jobs, which have the place of each function, do without it. */
  get #index(): Index {
    if (this.#known) return this.#known;
    const index: Index = { places: new Map(), labels: new Map() };
    for (const [file, namespace] of this.modules) addTo(index, { file, way: "" }, namespace, DEPTH);
    return (this.#known = index);
  }
}

interface Place {
  readonly file: string;
  readonly way: string;
}

interface Index {
  readonly places: Map<object, Place>;
  readonly labels: Map<string, Set<object>>;
}

function addTo({ places, labels }: Index, at: Place, value: object, depth: number): void {
  for (const [key, item] of Object.entries(value) as [string, unknown][]) {
    if (key.includes(".") || item === null) continue;
    const place = { file: at.file, way: at.way + key };
    if (typeof item === "function" || isCustom(item)) {
      if (!places.has(item)) places.set(item, place);
      if (isCustom(item)) labels.set(item.label, (labels.get(item.label) ?? new Set()).add(item));
    } else if (typeof item === "object" && isData(item) && !isNumbers(item) && depth > 0) {
      addTo({ places, labels }, { ...place, way: `${place.way}.` }, item, depth - 1);
    }
  }
}

/** A list of data may be long, and holds no functions. */
const isNumbers = (value: object): boolean =>
  Array.isArray(value) && !["object", "function"].includes(typeof value[0]);

/** A rule is two levels below an export that lists rules, and its functions two levels below that. */
const DEPTH = 5;

/** A list or a record. */
export function isData(value: object): boolean {
  if (Array.isArray(value)) return true;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** Whether a value of a plan names a function of a module. */
export function isReference(value: unknown): value is Reference {
  const keys = recordKeys(value);
  if (keys !== "custom,export,module" && keys !== "export,module") return false;
  return Object.values(value as object).every((item) => typeof item === "string");
}

/** Whether a value of a plan names a piece of a rule by its label alone, as a rule is written to JSON. */
export function isLabel(value: unknown): value is { readonly custom: string } {
  return recordKeys(value) === "custom" && typeof (value as { custom: unknown }).custom === "string";
}

/** Name of a function value in tables; undefined for any other value. */
export function labelOf(value: Json): string | undefined {
  if (isReference(value)) return value.custom ?? value.export;
  return isLabel(value) ? value.custom : undefined;
}

function recordKeys(value: unknown): string {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return "";
  return Object.keys(value).sort().join();
}

/** Replaces each value of a tree of lists and records for which `change` gives another one. */
export function mapTree(
  value: unknown,
  change: (value: unknown, name: string) => unknown,
  name = "",
): unknown {
  const changed = change(value, name);
  if (changed !== undefined) return changed;
  if (Array.isArray(value)) return value.map((item, i) => mapTree(item, change, `${name}[${i}]`));
  if (typeof value !== "object" || value === null || !isData(value)) return value;
  const entries = Object.entries(value) as [string, unknown][];
  return Object.fromEntries(
    entries.map(([key, item]) => [key, mapTree(item, change, name === "" ? key : `${name}.${key}`)]),
  );
}
