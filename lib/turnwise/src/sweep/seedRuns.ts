import { bootstrapInterval, type BootstrapOptions, type Interval } from "../base/interval";
import { displaySymbol, type MimeBundle } from "../base/display";
import type { MetricName } from "../base/glossary";
import type { TrainRecord } from "../train";
import { finalValues } from "./finalValues";
import { saveRecords } from "./recordFile";
import { interquartileMean } from "./interquartileMean";
import { intervalText } from "./progress";
import { endNames, seedsCard } from "./seedsCard";

/** A metric at the end of several runs. */
export interface SeedSummary extends Interval {
  /** Mean of the middle half of the runs, which neither one failed seed nor one lucky seed can move much. */
  readonly interquartileMean: number;
  /** The metric of each run, in the order of the seeds. */
  readonly values: readonly number[];
}

/** A run that was stopped before its last update. */
export interface UnfinishedRun {
  readonly seed: number;
  readonly records: readonly TrainRecord[];
}

/** Setting of the runs, and the requested seeds. */
export interface SeedSetting {
  /** The name of the rule. */
  readonly label: string;
  /** The options of `train`, without the seed. */
  readonly options: Readonly<Record<string, unknown>>;
  readonly asked: readonly number[];
}

/** Runs of one setting that differ only in their seed. */
export class SeedRuns {
  /** The name of the rule, which names the series in charts. */
  readonly label: string;

  constructor(
    readonly setting: SeedSetting,
    /** The seeds that are finished. */
    readonly seeds: readonly number[],
    /** The records of each finished run, in the order of the seeds. */
    readonly runs: readonly (readonly TrainRecord[])[],
    /** Partial runs after an interrupt; charts and summaries omit them. */
    readonly unfinished: readonly UnfinishedRun[] = [],
  ) {
    this.label = setting.label;
  }

  /**
   * A metric averaged over the last `last` records of each run, with its bootstrap interval over seeds.
   *
   * @throws {RangeError} if a record lacks the metric
   */
  final(metric: MetricName, o: BootstrapOptions & { readonly last?: number } = {}): SeedSummary {
    const { last = 1, ...bootstrap } = o;
    const values = finalValues(this.runs, metric, last);
    return { ...bootstrapInterval(values, bootstrap), interquartileMean: interquartileMean(values), values };
  }

  /**
   * Writes the records of the finished seeds to a file, and gives its path: `.csv`, `.parquet` or `.jsonl`; see `saveRecords`.
   *
   * @throws {RangeError} if the path has another ending, or its folder does not exist
   */
  save(path: string): Promise<string> {
    return saveRecords(path, this);
  }

  /** Summary in one line, such as "grpo: 3 of 20 seeds, 100 updates each; reward/mean .95 [.93, .97]". */
  toString(): string {
    const { asked } = this.setting;
    const { length } = this.seeds;
    const updates = this.runs[0]?.length;
    const done =
      length < asked.length
        ? `${length} of ${asked.length} seeds`
        : `${length} seed${length === 1 ? "" : "s"}`;
    const each = updates === undefined ? "" : `, ${updates} updates each`;
    return `${this.label}: ${done}${each}${this.#ends()
      .map((end) => `; ${end}`)
      .join("")}`;
  }

  #ends(): string[] {
    return endNames(this.runs).map((name) => `${name} ${intervalText(this.final(name))}`);
  }

  /** MIME bundle that a notebook displays for this object. */
  [displaySymbol](): MimeBundle {
    return { ...seedsCard(this)[displaySymbol](), "text/plain": this.toString() };
  }
}
