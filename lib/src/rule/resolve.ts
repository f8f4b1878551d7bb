import type { Recipe } from "./recipe";
import { schema, type Field, type Fields } from "./schema";
import { show } from "../base/show";

type Cells = Readonly<Record<string, unknown>>;

const isCells = (value: unknown): value is Cells =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/**
 * Lays overrides over a row and checks every cell.
 *
 * Throws `RangeError` for unknown knobs, values out of range and knobs that the row's choices would ignore;
 * `TypeError` where an object is needed.
 */
export function resolve(base: Recipe, overrides: Cells): Recipe {
  const row: Record<string, unknown> = { name: base.name };
  const fields: Fields = schema;
  refuseUnknown(base.name, "", overrides, Object.keys(fields));
  for (const [cell, field] of Object.entries(fields)) {
    row[cell] = merge(base.name, cell, field, base[cell as keyof Recipe], overrides[cell]);
  }
  const resolved = row as unknown as Recipe;
  refuseIgnored(resolved);
  return freeze(resolved);
}

function merge(recipe: string, path: string, field: Field, base: unknown, override: unknown): unknown {
  if (!("type" in field)) {
    const value = override === undefined ? (base === undefined ? field.initial : base) : override;
    if (!field.accepts(value)) refuse(recipe, path, field.wanted, value);
    return value;
  }
  if (field.type === "optional") {
    if (override === undefined && base === undefined) return null;
    if (override === null || (override === undefined && base === null)) return null;
    return mergeFields(recipe, path, field.fields, base ?? {}, override ?? {});
  }
  if (field.type === "group") return mergeFields(recipe, path, field.fields, base ?? {}, override ?? {});
  // A bare string names the choice: { scale: "none" } is { scale: { kind: "none" } }.
  const wanted = typeof override === "string" ? { [field.by]: override } : (override ?? {});
  if (!isCells(wanted)) throw new TypeError(message(recipe, path, "an object", override));
  const before = isCells(base) ? base : {};
  const first = Object.keys(field.choices)[0];
  const choice = wanted[field.by] ?? before[field.by] ?? first;
  const fields = typeof choice === "string" ? field.choices[choice] : undefined;
  if (fields === undefined) {
    const known = Object.keys(field.choices).map((name) => `"${name}"`);
    return refuse(recipe, `${path}.${field.by}`, known.join(" or "), choice);
  }
  const knobs = Object.fromEntries(Object.entries(wanted).filter(([name]) => name !== field.by));
  refuseUnknown(recipe, path, knobs, Object.keys(fields), `${field.by} "${String(choice)}"`);
  const kept = Object.fromEntries(Object.entries(before).filter(([name]) => name in fields));
  return { [field.by]: choice, ...mergeFields(recipe, path, fields, kept, knobs) };
}

function mergeFields(recipe: string, path: string, fields: Fields, base: unknown, override: unknown): Cells {
  if (!isCells(override)) throw new TypeError(message(recipe, path, "an object", override));
  refuseUnknown(recipe, path, override, Object.keys(fields));
  const before = base as Cells;
  return Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [
      name,
      merge(recipe, `${path}.${name}`, field, before[name], override[name]),
    ]),
  );
}

function refuseUnknown(
  recipe: string,
  path: string,
  given: Cells,
  known: readonly string[],
  choice?: string,
): void {
  for (const name of Object.keys(given)) {
    if (known.includes(name) || given[name] === undefined) continue;
    const full = path === "" ? name : `${path}.${name}`;
    const owner = choice === undefined ? (path === "" ? "a recipe" : path) : `${path} with ${choice}`;
    const allowed = known.length === 0 ? "no knobs" : `only ${known.join(", ")}`;
    throw new RangeError(`Cannot make recipe ${recipe} as ${owner} must have ${allowed}: got ${full}`);
  }
}

/** A knob that changes nothing is an error: the reader of the row would believe in an effect that is not there. */
function refuseIgnored(row: Recipe): void {
  const { advantage, scale, ratio, gate, order, regulariser } = row;
  const { clippingTriggered } = regulariser;
  const triggered = clippingTriggered.kind !== "off";
  if (gate.kind === "none" && ratio.level !== "none") {
    refuse(row.name, "ratio.level", '"none" with gate.kind "none", which forms no ratio', ratio.level);
  }
  if (gate.kind !== "none" && ratio.level === "none") {
    const wanted = `"token" or "turn" or "trajectory" with gate.kind "${gate.kind}", which needs a ratio`;
    refuse(row.name, "ratio.level", wanted, ratio.level);
  }
  if (triggered && gate.kind !== "clip" && gate.kind !== "dualClip") {
    const wanted = `"off" with gate.kind "${gate.kind}", which clips nothing`;
    refuse(row.name, "regulariser.clippingTriggered.kind", wanted, clippingTriggered.kind);
  }
  if (order.kind !== "simultaneous" && ratio.level === "trajectory") {
    const wanted = `"token" or "turn" with order.kind "${order.kind}", which updates turns one by one`;
    refuse(row.name, "ratio.level", wanted, ratio.level);
  }
  const carries = order.kind !== "simultaneous" && order.carry.kind !== "off";
  const usesOld = gate.kind !== "none" || carries || regulariser.klOld !== null;
  if (!usesOld && order.oldLogProb === "recomputed") {
    refuse(row.name, "order.oldLogProb", '"rollout" in a row that uses no old log-probs', order.oldLogProb);
  }
  const grouped = ["mean", "leaveOneOut", "perTurn", "gigpo"].includes(advantage.kind);
  if (scale.kind === "group" && !grouped) {
    const wanted = `"none" or "batch" with advantage.kind "${advantage.kind}", which has no groups`;
    refuse(row.name, "scale.kind", wanted, scale.kind);
  }
  if (scale.kind === "batch" && advantage.kind === "gigpo") {
    const wanted = '"none" or "group" with advantage.kind "gigpo", which scales each of its two parts';
    refuse(row.name, "scale.kind", wanted, scale.kind);
  }
  if (
    scale.kind === "group" &&
    advantage.kind === "mean" &&
    advantage.allowSingleton &&
    scale.epsilon === 0
  ) {
    refuse(row.name, "scale.epsilon", "above 0 with allowSingleton, whose groups have no spread", 0);
  }
}

function refuse(recipe: string, path: string, wanted: string, value: unknown): never {
  throw new RangeError(message(recipe, path, wanted, value));
}

function message(recipe: string, path: string, wanted: string, value: unknown): string {
  return `Cannot make recipe ${recipe} as ${path} must be ${wanted}: current value is ${show(value)}`;
}

function freeze<X>(value: X): X {
  if (typeof value === "object" && value !== null) {
    Object.values(value).forEach(freeze);
    Object.freeze(value);
  }
  return value;
}
