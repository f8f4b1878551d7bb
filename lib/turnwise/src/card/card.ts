import { displaySymbol, type MimeBundle } from "../base/display";
import type { Chart } from "../plot/chart";
import { table, type Table } from "../plot/table";
import { cardChart, type CardChartOptions } from "./cardChart";
import { cardFigures, figureText, type CardRecord } from "./figures";
import { figureNames, type Figure, type FigureName } from "./tally";

/** Parts of a card that are shown. */
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

/** The report card of some rules; a notebook shows its picture and its table. */
export class ReportCard {
  constructor(
    readonly records: readonly CardRecord[],
    /** Whether every setting was reached before the signal. */
    readonly complete = true,
  ) {}

  /** The records with the unit of each figure, as JSON. */
  toJSON(): CardJson {
    return {
      complete: this.complete,
      units: Object.fromEntries(figureNames.map((name) => [name, cardFigures[name].unit])) as Readonly<
        Record<FigureName, string>
      >,
      records: this.records.map((record) => ({
        ...record,
        ...Object.fromEntries(figureNames.map((name) => [name, finite(record[name])])),
      })),
    };
  }

  /** The picture of one figure: a panel for the worlds and for each axis, a row of cells for each rule. */
  chart(options?: CardChartOptions): Chart {
    return cardChart(this.records, options);
  }

  /**
   * A row for each rule and world at one group size, staleness and mismatch, by default the card's first; figures with
   * their standard errors where batches were sampled.
   */
  table(view: CardView = {}): Table {
    const first = this.#expectRecords();
    const {
      groups = first.groups,
      groupSize = first.groupSize,
      staleness = first.staleness,
      mismatch = first.mismatch,
    } = view;
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
      ...Object.fromEntries(
        columns.map(([title, name, digits]) => [title, figureText(record[name], digits)]),
      ),
    }));
    const caption =
      `Batches of ${groups === 1 ? "one group" : `${groups} groups`} of ${groupSize}, ${staleness} ${staleness === 1 ? "step" : "steps"} since the rollout, log-prob mismatch ${mismatch} nats` +
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
    throw new RangeError(
      "Cannot show the report card: it has no records, because it was stopped before its first setting.",
    );
  }

  /** MIME bundle that a notebook displays for this object. */
  [displaySymbol](): MimeBundle {
    if (this.records.length === 0) return { "text/plain": this.toString() };
    return { ...this.chart()[displaySymbol](), "text/plain": this.toString() };
  }
}

function finite({ value, error }: Figure): { value: number | null; error: number | null } {
  const orNull = (x: number | null): number | null => (x !== null && Number.isFinite(x) ? x : null);
  return { value: orNull(value), error: orNull(error) };
}
