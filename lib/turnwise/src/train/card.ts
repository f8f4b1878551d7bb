import { card, type Card, type NextStep } from "../base/card";
import { blocks, curve, short } from "../base/curve";
import { glossary, type MetricName } from "../base/glossary";
import type { RunHistory } from "./history";
import type { TrainRecord } from "./records";

/** The figures that stand on the card of a run or of records; more is in the records. */
const told = [
  "return/exact", "eval/return", "reward/mean", "success/mean", "reward/std", "policy/entropy", "policy/approxKl",
] as const satisfies readonly MetricName[]; // prettier-ignore

/** Parts of a run that a card needs. */
export interface ShownRun {
  readonly rule: string;
  readonly world: string;
  readonly update: number;
  readonly updates: number;
  readonly stopReason: "finished" | "aborted" | "returned" | "failed" | undefined;
  readonly history: RunHistory;
  /** Cause of most of the time, if it can be changed. */
  readonly cost: string | undefined;
}

/** Blue of the course's charts, for a series that is alone. */
const blue = "#4080E0";

/** A run as a notebook shows it: where it stands, its curve and last figures, and how to go on. */
export function runCard({ rule, world, update, updates, stopReason, history, cost }: ShownRun): Card {
  const { last, curve: drawn } = history;
  return card({
    title: `${rule} in ${world}: ${update} of ${updates} updates`,
    about: [stateOf(update, updates, stopReason), cost].filter((line) => line !== undefined).join(" "),
    ...(drawn && pictureOf(drawn.metric, drawn.points)),
    ...(last && figuresOf(last)),
    next: onward(update, updates, stopReason),
  });
}

function stateOf(update: number, updates: number, reason: ShownRun["stopReason"]): string | undefined {
  if (reason === "failed") return "Failed; its policy is that of before the update that failed.";
  if (update >= updates) return "Finished.";
  if (reason !== undefined) return "Stopped before its end; nothing is lost.";
  return update === 0 ? "Not begun: it makes an update when it is asked for a record." : "Under way.";
}

function onward(update: number, updates: number, reason: ShownRun["stopReason"]): NextStep[] {
  const go = `for await (const { update, metrics } of run) console.log(update, metrics["reward/mean"]);`;
  if (reason === undefined && update < updates)
    return [{ does: update === 0 ? "To train" : "To go on", code: go }];
  const more = update >= updates ? updates * 2 || 100 : updates;
  return [
    { does: "To go on", code: `train({ resume: run.checkpoint(), updates: ${more} })` },
    { does: "To keep it", code: `await saveCheckpoint("my-run", run.checkpoint())` },
  ];
}

/** The records of one run as a notebook shows them: the curve, first and last figures, and what to draw them with. */
export function recordsCard(records: readonly TrainRecord[]): Card {
  const [first, last] = [records[0]!, records.at(-1)!];
  const metric = told.find((name) => records.some(({ metrics }) => metrics[name] !== undefined));
  const points = metric === undefined ? [] : pointsOf(records, metric);
  return card({
    title: `${records.length} records of a run`,
    about: `Updates ${first.update} to ${last.update}; ${Object.keys(last.metrics).length} metrics each.`,
    ...(metric !== undefined && points.length > 1 && pictureOf(metric, points)),
    ...figuresOf(last, first),
    next: [
      { does: "To draw one", code: `learningCurve(records, { metric: "${metric ?? "reward/mean"}" })` },
      { does: "All figures of the last", code: "records.at(-1)" },
    ],
  });
}

/** One record: every metric with its unit. */
export function recordCard({ update, samples, optimizerSteps, seconds, metrics }: TrainRecord): Card {
  return card({
    title: `Update ${update}`,
    about: `${samples} trajectories and ${optimizerSteps} optimizer steps so far, ${short(seconds)} s`,
    ...metricsTable(metrics),
  });
}

/** Every metric with its value, its unit, and what it measures. */
export function metricsTable(metrics: TrainRecord["metrics"]): Pick<Card, "head" | "rows"> {
  return {
    head: ["metric", "value", "unit", "what it is"],
    rows: (Object.entries(metrics) as [MetricName, number][]).map(([name, value]) => [
      name,
      short(value),
      glossary[name]?.unit ?? "",
      glossary[name]?.meaning ?? "",
    ]),
  };
}

function pointsOf(records: readonly TrainRecord[], metric: MetricName): [number, number][] {
  return records.flatMap(({ update, metrics }): [number, number][] => {
    const y = metrics[metric];
    return y === undefined ? [] : [[update, y]];
  });
}

function pictureOf(metric: string, points: readonly (readonly [number, number])[]): Pick<Card, "picture"> {
  const finite = points.filter(([, y]) => Number.isFinite(y));
  if (finite.length < 2) return { picture: undefined };
  return {
    picture: {
      html: `<div>${curve([{ points: finite, color: blue }], { x: "update", y: metric })}</div>`,
      text: `${metric} ${blocks(finite.map(([, y]) => y))}`,
    },
  };
}

function figuresOf(last: TrainRecord, first?: TrainRecord): Pick<Card, "head" | "rows"> {
  const names = told.filter((name) => last.metrics[name] !== undefined);
  const figure = (record: TrainRecord, name: MetricName): string => {
    const value = record.metrics[name];
    return value === undefined ? "" : short(value);
  };
  return {
    head: ["metric", ...(first ? ["first"] : []), "last", "unit"],
    rows: names.map((name) => [
      name,
      ...(first ? [figure(first, name)] : []),
      figure(last, name),
      glossary[name].unit,
    ]),
  };
}
