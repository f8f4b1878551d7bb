import { metricLabel } from "../base/metricLabel";
import { blocks, curve, type CurveLine } from "../base/curve";
import { card, type Card } from "../base/card";
import { glossary, type MetricName } from "../base/glossary";
import type { Interval } from "../base/interval";
import { mean } from "../base/statistics";
import type { TrainRecord } from "../train";
import { intervalText } from "./progress";

/** Parts of seeds that the card needs. */
interface ShownSeeds {
  readonly label: string;
  readonly setting: {
    readonly asked: readonly number[];
    readonly options: Readonly<Record<string, unknown>>;
  };
  readonly seeds: readonly number[];
  readonly runs: readonly (readonly TrainRecord[])[];
  readonly unfinished: readonly unknown[];
  final(metric: MetricName): Interval & { readonly values: readonly number[] };
}

/** From so many seeds on, a verdict can be decided. */
const FEW = 5;
/** More lines behind the mean are a blur. */
const MOST_LINES = 20;
const told = ["reward/mean", "return/exact", "success/mean"] as const satisfies readonly MetricName[];

/** The metrics by which the end of runs is told: those that every run has. */
export function endNames(runs: readonly (readonly TrainRecord[])[]): MetricName[] {
  const has = (name: MetricName): boolean =>
    runs.length > 0 && runs.every((run) => Number.isFinite(run.at(-1)?.metrics[name]));
  return told.filter(has);
}

/** Seeds of one setting as a notebook shows them: each seed behind the mean, where they end, and how to go on. */
export function seedsCard(given: ShownSeeds): Card {
  const { label, runs, seeds, setting, unfinished } = given;
  const { asked, options } = setting;
  const names = endNames(runs);
  const drawn = names.includes("return/exact") ? "return/exact" : names[0];
  const world = typeof options["env"] === "string" ? options["env"] : "an environment of your own";
  const done = seeds.length < asked.length ? `${seeds.length} of ${asked.length}` : String(seeds.length);
  const updates = runs[0]?.length ?? 0;
  const left = unfinished.length === 0 ? "" : `; ${unfinished.length} more were begun`;
  return card({
    title: `${label}: ${done} seed${done === "1" ? "" : "s"}, ${updates} updates each`,
    about: `${world}${left}`,
    picture: drawn === undefined || updates < 2 ? undefined : pictureOf(runs, drawn),
    head: ["at the end", seeds.length > 1 ? "mean, 95 % interval" : "value", "lowest", "highest", "unit"],
    rows: names.map((name) => {
      const end = given.final(name);
      const [low, high] = [Math.min(...end.values), Math.max(...end.values)];
      return [name, intervalText(end), low.toFixed(3), high.toFixed(3), glossary[name].unit];
    }),
    note:
      seeds.length < FEW
        ? `${seeds.length === 1 ? "One seed decides" : `${seeds.length} seeds decide`} nothing: a verdict needs at least ${FEW}.`
        : undefined,
    next: [
      { does: "To draw them", code: `learningCurve(runs, { metric: "${drawn ?? "reward/mean"}" })` },
      {
        does: "More seeds",
        code: `await trainSeeds(options, ${seeds.length < asked.length ? asked.length : Math.max(FEW, seeds.length * 2)}, { resume: runs })`,
      },
    ],
  });
}

const blue = "#4080E0";

function pictureOf(
  runs: readonly (readonly TrainRecord[])[],
  metric: MetricName,
): { html: string; text: string } | undefined {
  const pointsOf = (run: readonly TrainRecord[]): [number, number][] =>
    run.flatMap(({ update, metrics }): [number, number][] => {
      const y = metrics[metric];
      return y === undefined || !Number.isFinite(y) ? [] : [[update, y]];
    });
  const all = runs.map(pointsOf).filter((points) => points.length > 1);
  if (all.length === 0) return undefined;
  const byUpdate = new Map<number, number[]>();
  for (const [x, y] of all.flat()) byUpdate.set(x, [...(byUpdate.get(x) ?? []), y]);
  const middle = [...byUpdate]
    .filter(([, ys]) => ys.length === all.length)
    .map(([x, ys]): [number, number] => [x, mean(ys)])
    .sort(([a], [b]) => a - b);
  const seeds = all
    .slice(0, all.length > 1 ? MOST_LINES : 0)
    .map((points): CurveLine => ({ points, color: "#808080", faint: true }));
  const lines = [...seeds, ...(middle.length > 0 ? [{ points: middle, color: blue }] : [])];
  return {
    html: `<div>${curve(lines, { x: "update", y: `${metricLabel(metric)}${all.length > 1 ? ", mean and seeds" : ""}` })}</div>`,
    text: `${metric} ${blocks(middle.map(([, y]) => y))}`,
  };
}
