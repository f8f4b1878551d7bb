import { displaySymbol, type MimeBundle } from "../../base/display";
import type { Chart } from "../../plot/chart";
import { table, type Table } from "../../plot/table";
import { cardChart } from "./cardChart";
import { figureNames, type Figure, type FigureName } from "./tally";

/** What a row shows at a setting: the mean over the policies. */
export interface CardRecord extends Readonly<Record<FigureName, Figure>> {
  readonly row: string;
  readonly world: string;
  /** Turns. */
  readonly horizon: number;
  /** P, and G: the batch has P x G trajectories. */
  readonly groups: number;
  readonly groupSize: number;
  /** Steps since the rollout. */
  readonly staleness: number;
  /** Nats. */
  readonly mismatch: number;
  /** Number of policies that the figures are means over. */
  readonly policies: number;
  /** `enumerated`: every group, so that figures are exact. `sampled`: with standard errors. */
  readonly method: "enumerated" | "sampled";
  /** Groups that were enumerated or batches that were sampled, of all policies together. */
  readonly batches: number;
}

/** What each figure of the card is, and in what it is measured. */
export const reportCardFigures: Readonly<
  Record<FigureName, { readonly unit: string; readonly about: string; readonly best: string }>
> = Object.freeze({
  scale: {
    unit: "1",
    about: "how long the expected update is along the exact gradient: <E g, grad J> / |grad J|^2",
    best: "any number above 0: the learning rate makes up for it",
  },
  bias: {
    unit: "|grad J|",
    about: "what the expected update, divided by its scale, is off the exact gradient: |E g / scale - grad J|",
    best: "0; infinite where the scale is not above 0",
  },
  expectedCosine: { unit: "1", about: "cosine of the expected update with the exact gradient", best: "1" },
  variance: {
    unit: "(reward / logit)^2",
    about: "variance of an update, the mean over the parameters, at the row's own scale",
    best: "small beside the square of the scale",
  },
  signalToNoise: {
    unit: "1",
    about: "squared length of the expected update by the total variance of one batch's",
    best: "large",
  },
  cosine: {
    unit: "1",
    about: "cosine of one batch's update with the exact gradient, the mean over batches that move anything",
    best: "1",
  },
  wrongSign: {
    unit: "share of logits",
    about: "logits that the expected update moves against the exact gradient; where sampled, by more than two standard errors",
    best: "0",
  },
  wrongSignBatch: {
    unit: "share of logits",
    about: "logits that one batch moves against the exact gradient, the mean over batches",
    best: "0",
  },
  silent: { unit: "share of batches", about: "batches that move nothing", best: "0" },
  gain: {
    unit: "gain of the exact gradient",
    about:
      "rise of J by one update, all its steps, scaled to the length of the equal step, by that of a step of this length along the exact gradient",
    best: "1",
  },
  falls: { unit: "share of batches", about: "updates of the equal length that lower J", best: "0" },
  ownChange: { unit: "reward", about: "change of J by one update with the row's own optimiser, fresh", best: "large" },
  ownFalls: { unit: "share of batches", about: "updates with the row's own optimiser that lower J", best: "0" },
});

/** What of a card is shown. */
export interface CardView {
  /** Default: the first of the card. */
  readonly groups?: number;
  readonly groupSize?: number;
  readonly staleness?: number;
  readonly mismatch?: number;
}

/** The card as plain data; figures that are not finite are null. */
export interface CardJson {
  readonly complete: boolean;
  readonly units: Readonly<Record<FigureName, string>>;
  readonly records: readonly Readonly<Record<string, unknown>>[];
}

const columns: readonly (readonly [string, FigureName, number])[] = [
  ["bias", "bias", 3],
  ["scale", "scale", 3],
  ["signal/noise", "signalToNoise", 3],
  ["cosine of E g", "expectedCosine", 3],
  ["cosine", "cosine", 3],
  ["wrong signs", "wrongSign", 3],
  ["gain", "gain", 3],
  ["J falls", "falls", 3],
  ["own change of J", "ownChange", 4],
  ["J falls, own", "ownFalls", 3],
];

/** The report card of some rows; a notebook shows its picture and its table. */
export class ReportCard {
  constructor(
    readonly records: readonly CardRecord[],
    /** Whether every setting was reached before the signal. */
    readonly complete: boolean = true,
  ) {}

  /** The records with the unit of each figure, as JSON. */
  toJSON(): CardJson {
    return {
      complete: this.complete,
      units: Object.fromEntries(
        figureNames.map((name) => [name, reportCardFigures[name].unit]),
      ) as Readonly<Record<FigureName, string>>,
      records: this.records.map((record) => ({
        ...record,
        ...Object.fromEntries(figureNames.map((name) => [name, finite(record[name])])),
      })),
    };
  }

  /** The picture: a panel for each axis and world, a line or a row of cells for each rule. */
  chart(): Chart {
    return cardChart(this.records);
  }

  /**
   * A row for each rule and world at one group size, staleness and mismatch, by default the card's first; figures with
   * their standard errors where batches were sampled.
   */
  table(view: CardView = {}): Table {
    const first = this.#expectRecords();
    const { groups = first.groups, groupSize = first.groupSize, staleness = first.staleness, mismatch = first.mismatch } = view;
    const horizonOf = new Map<string, number>();
    for (const { world, horizon } of this.records) {
      if (!horizonOf.has(world)) horizonOf.set(world, horizon);
    }
    const chosen = this.records.filter(
      (record) =>
        record.groups === groups &&
        record.groupSize === groupSize &&
        record.staleness === staleness &&
        record.mismatch === mismatch &&
        record.horizon === horizonOf.get(record.world),
    );
    const rows = chosen.map((record) => ({
      rule: record.row,
      world: `${record.world}, ${record.horizon} turns`,
      ...Object.fromEntries(columns.map(([title, name, digits]) => [title, figureText(record[name], digits)])),
    }));
    const caption =
      `Batches of ${groups === 1 ? "one group" : `${groups} groups`} of ${groupSize}, ${staleness} steps since the rollout, log-prob mismatch ${mismatch} nats` +
      (this.complete ? "" : "; stopped before its end");
    return table(rows, { caption });
  }

  /** The table as text. */
  toString(): string {
    if (this.records.length === 0) return "Report card: stopped before its first setting";
    return String(this.table()[displaySymbol]()["text/plain"]);
  }

  #expectRecords(): CardRecord {
    const [first] = this.records;
    if (first) return first;
    throw new RangeError("Cannot show the report card as it must hold a record: it was stopped before its first setting");
  }

  /** What a notebook shows in its place. */
  [displaySymbol](): MimeBundle {
    if (this.records.length === 0) return { "text/plain": this.toString() };
    return { ...this.chart()[displaySymbol](), "text/plain": this.toString() };
  }
}

/** A figure with its standard error, such as "0.312 ± 0.004". */
export function figureText({ value, error }: Figure, digits = 3): string {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? "–" : "∞";
  const text = value.toFixed(digits).replace(/^-(?=0(\.0*)?$)/, "");
  return error === null ? text : `${text} ± ${error.toFixed(digits)}`;
}

function finite({ value, error }: Figure): { value: number | null; error: number | null } {
  const orNull = (x: number | null): number | null => (x !== null && Number.isFinite(x) ? x : null);
  return { value: orNull(value), error: orNull(error) };
}
