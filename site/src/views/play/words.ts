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

/** Words of a name in camel case. */
export const plain = (text: string): string =>
  text.replace(/([a-z])([A-Z])/g, (_, a: string, b: string) => `${a} ${b.toLowerCase()}`);

export const nameOf = (name: Name): string => names[name] ?? plain(name);

export const valueText = (value: Value | undefined): string =>
  value === undefined ? "–" : typeof value === "number" ? axisNumber(value) : plain(value);

/** A return as the page writes it: .98. */
export const number = (value: number): string => axisNumber(Number(value.toFixed(2))).replace(/^1$/, "1.00");

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
  curveNames(runs.map((run) => [lookOf(run, catalog)])).map((name, i) =>
    name === runs[i]!.rule ? shortTitle(runs[i]!.rule, catalog) : name,
  );

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

/** The finding of the chart, in a sentence. */
export function finding(
  endings: readonly Ending[],
  rule: string | undefined,
  optimum: number | undefined,
): string {
  const of = rule === undefined ? "" : `${rule} `;
  const scale = Math.abs(optimum ?? 1) || 1;
  const fallen = endings.find(({ peak, end }) => peak - end > fall * scale);
  if (endings.length === 1) {
    const [{ peak, end }] = endings as [Ending];
    if (fallen) return `${rule ?? fallen.name} learns to ${number(peak)} and falls to ${number(end)}`;
    return `${rule ?? endings[0]!.name} reaches ${number(end)}${optimum === undefined ? "" : ` of ${number(optimum)}`}`;
  }
  const sorted = [...endings].sort((a, b) => b.end - a.end);
  const [best, worst] = [sorted[0]!, sorted.at(-1)!];
  const withName = ({ name }: Ending): string => (rule === undefined ? name : `with ${name}`);
  if (best.end - worst.end < 0.02 * scale)
    return `${of}${of === "" ? "All" : ""} ends at ${number(best.end)} in every run`
      .replace("All ends", "All runs end")
      .replace(" in every run", rule === undefined ? "" : " in every run");
  if (fallen && fallen !== best)
    return `${of}${rule === undefined ? fallen.name : withName(fallen)} learns to ${number(fallen.peak)} and falls to ${number(fallen.end)}`;
  return rule === undefined
    ? `${best.name} reaches ${number(best.end)}, ${worst.name} ${number(worst.end)}`
    : `${rule} reaches ${number(best.end)} ${withName(best)}, ${number(worst.end)} ${withName(worst)}`;
}
