import { rulesOf, type Catalog, type Name, type Value } from "./catalog";

/** One run of the chart: a rule, and what was set otherwise. */
export interface Run {
  readonly rule: string;
  readonly changes: Readonly<Partial<Record<Name, Value>>>;
}

/** As many runs have a color of their own. */
export const mostRuns = 5;

/** A run in a link, such as `grpo~gate:unclipped~epochs:8`. */
export const runText = ({ rule, changes }: Run): string =>
  [rule, ...Object.entries(changes).map(([name, value]) => `${name}:${String(value)}`)].join("~");

/** The run that a text stands for; undefined if any part of it is no setting. */
export function readRun(text: string, catalog: Catalog): Run | undefined {
  const [rule = "", ...parts] = text.split("~");
  if (!rulesOf(catalog).has(rule)) return undefined;
  const changes: Partial<Record<Name, Value>> = {};
  for (const part of parts) {
    const [name = "", written = "", ...rest] = part.split(":");
    if (rest.length > 0 || !Object.hasOwn(catalog.knobs, name) || Object.hasOwn(changes, name))
      return undefined;
    const value = valueOf(name as Name, written, catalog);
    if (value === undefined) return undefined;
    changes[name as Name] = value;
  }
  return { rule, changes };
}

function valueOf(name: Name, written: string, { knobs }: Catalog): Value | undefined {
  const knob = knobs[name];
  if ("words" in knob) return knob.words.includes(written) ? written : undefined;
  const value = Number(written);
  const fits =
    String(value) === written &&
    value >= knob.min &&
    value <= knob.max &&
    (!knob.isWhole || Number.isInteger(value));
  return fits ? value : undefined;
}

export const runsText = (runs: readonly Run[]): string => runs.map(runText).join(",");

/** The runs of a link; undefined if one of them is none, or if there are none or too many. */
export function readRuns(text: string, catalog: Catalog): readonly Run[] | undefined {
  const runs = text.split(",").map((one) => readRun(one, catalog));
  return runs.length <= mostRuns && runs.every((run) => run !== undefined) ? runs : undefined;
}

/** The value that a run has at a setting, and the one that it would have unchanged. */
export function valueIn(
  { rule, changes }: Run,
  name: Name,
  catalog: Catalog,
): { readonly now: Value | undefined; readonly own: Value | undefined } {
  const own = rulesOf(catalog).get(rule)?.values[name] ?? catalog.sampling[name];
  return { now: changes[name] ?? own, own };
}

/** The run with another value at a setting; the rule's own value is no change. */
export function withValue(run: Run, name: Name, value: Value, catalog: Catalog): Run {
  const { [name]: _, ...rest } = run.changes;
  const { own } = valueIn(run, name, catalog);
  return { rule: run.rule, changes: value === own ? rest : { ...rest, [name]: value } };
}
