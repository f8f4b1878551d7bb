import { curveNames, type Look } from "turnwise/internal/play/curveNames";
import { axisNumber } from "../shared/lineChart";
import { rulesOf, type Catalog, type Name, type Value } from "./catalog";
import { valueIn, type Run } from "./runs";

/** Names of settings as people say them. */
const names: Readonly<Partial<Record<Name, string>>> = {
  advantage: "credit",
  pooling: "pooled by",
  carry: "carry",
  clippingTriggered: "clip penalty",
  epochs: "passes",
  learningRate: "learning rate",
  groupSize: "group size",
  entropyCoef: "entropy bonus",
  clipHigh: "clip above",
};

/** Units of numbers, below their names. */
const units: Readonly<Partial<Record<Name, string>>> = {
  epochs: "uses of a batch",
  groupSize: "tries at each task",
  groups: "tasks in a batch",
};

export const unitOf = (name: Name): string | undefined => units[name];

/** Words of a name in camel case. */
export const plain = (text: string): string =>
  text.replace(/([a-z])([A-Z])/g, (_, a: string, b: string) => `${a} ${b.toLowerCase()}`);

export const nameOf = (name: Name): string => names[name] ?? plain(name);

export const valueText = (value: Value | undefined): string =>
  value === undefined ? "–" : typeof value === "number" ? axisNumber(value) : plain(value);

/** A return as the page writes it: .98. */
export const number = (value: number): string =>
  Math.abs(value) < 0.005
    ? "0"
    : value
        .toFixed(2)
        .replace("-", "−")
        .replace(/^(−?)0\./, "$1.");

function lookOf(run: Run, catalog: Catalog): Look {
  const entries = (Object.keys(run.changes) as Name[]).map((name) => ({
    name,
    ...valueIn(run, name, catalog),
  }));
  const isSampling = (name: Name): boolean => Object.hasOwn(catalog.sampling, name);
  return {
    recipe: run.rule,
    changed: Object.fromEntries(
      entries
        .filter(({ name }) => !isSampling(name))
        .map(({ name, now, own }) => [nameOf(name), { now: valueText(now), inRow: valueText(own) }]),
    ),
    others: Object.fromEntries(
      (Object.keys(catalog.sampling) as Name[]).map((name) => [
        nameOf(name),
        valueText(valueIn(run, name, catalog).now),
      ]),
    ),
  };
}

/** The runs named by what they differ in. */
export const namesOf = (runs: readonly Run[], catalog: Catalog): readonly string[] =>
  curveNames(runs.map((run) => [lookOf(run, catalog)])).map((name, i) => {
    const { rule } = runs[i]!;
    const isNamed = name === rule || name.startsWith(`${rule}, `);
    return isNamed ? shortTitle(rule, catalog) + name.slice(rule.length) : name;
  });

/** The name of a rule without its subtitle. */
export const shortTitle = (rule: string, catalog: Catalog): string =>
  (rulesOf(catalog).get(rule)?.title ?? rule).replace(/[:,(].*$/, "").trim();

/** A run that has come to its end. */
export interface Ending {
  readonly name: string;
  readonly peak: number;
  readonly end: number;
}

/** A fall by this share of the optimum is worth a title. */
const fall = 0.15;
/** A smaller difference is none. */
const alike = 0.02;

/** The finding of the chart, in a sentence; `rule` is the name of the rule that all runs have in common, if there is one. */
export function finding(
  endings: readonly Ending[],
  rule: string | undefined,
  optimum: number | undefined,
): string {
  const scale = Math.abs(optimum ?? 1) || 1;
  const subject = (name: string): string => (rule === undefined ? name : `${rule} with ${name}`);
  const [first] = endings as [Ending];
  const fallen = endings.find(({ peak, end }) => peak - end > fall * scale);
  if (endings.length === 1) {
    const who = rule ?? first.name;
    if (fallen) return `${who} learns to ${number(first.peak)} and falls to ${number(first.end)}`;
    return `${who} reaches ${number(first.end)}${optimum === undefined ? "" : ` of ${number(optimum)}`}`;
  }
  if (fallen)
    return `${subject(fallen.name)} learns to ${number(fallen.peak)} and falls to ${number(fallen.end)}`;
  const [best, ...others] = [...endings].sort((a, b) => b.end - a.end) as [Ending, ...Ending[]];
  const worst = others.at(-1)!;
  if (best.end - worst.end < alike * scale)
    return `${rule === undefined ? "All runs end" : `${rule} ends`} at ${number(best.end)}${rule === undefined ? "" : " in every run"}`;
  return rule === undefined
    ? `${best.name} reaches ${number(best.end)}; ${worst.name} ${number(worst.end)}`
    : `${rule} reaches ${number(best.end)} with ${best.name}, ${number(worst.end)} with ${worst.name}`;
}

/** The words of a chart that a newcomer cannot know, each in a short phrase. */
export function terms(names: readonly string[], rule: string | undefined): string {
  const has = (word: RegExp): boolean => [rule ?? "", ...names].some((name) => word.test(name));
  const gates = [
    has(/\bclip\b/) ? "clip, once its probability has moved far enough" : "",
    has(/\bunclipped\b/) ? "unclipped, never" : "",
  ].filter((words) => words !== "");
  return [
    has(/\bGRPO\b/) ? "GRPO judges each try by the mean of its group, all tries at the same task." : "",
    has(/\bgate\b/)
      ? `The gate says when a batch stops pushing a word${gates.length === 0 ? "" : `: ${gates.join("; ")}`}.`
      : "",
  ]
    .filter((words) => words !== "")
    .join(" ");
}
