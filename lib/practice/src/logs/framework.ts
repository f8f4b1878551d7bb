import type { MetricName } from "turnwise/internal/base/glossary";

/** Reads a metric by one of a framework's names; undefined where the line lacks it. */
export type Read = (name: string) => number | undefined;

/** Names by which a framework counts rollouts and optimizer steps apart. */
export interface TwoCounts {
  /** Keys of the two numbers. */
  readonly rollout: string;
  readonly optimizer: string;
  /** For names on the lines of optimizer steps. */
  readonly ofOptimizer: RegExp;
  /** For names on the lines of rollouts. */
  readonly ofRollout: RegExp;
  /** For names on the line of a rollout that is trained on next; other lines may be of one that is sampled ahead. */
  readonly marks: RegExp;
}

/** Names of a training framework for the metrics of the glossary. */
export interface Framework {
  readonly title: string;
  /** Keys of the step, in order of preference. */
  readonly step: readonly string[];
  /** The key under which a line may hold its metrics one level down. */
  readonly nested: string | null;
  /** Prefixes that its loggers may put before every name. */
  readonly prefixes: readonly string[];
  /** The framework's names of each metric, in order of preference. */
  readonly metrics: Readonly<Partial<Record<MetricName, readonly string[]>>>;
  /** For names that contain the name of an environment or an agent. */
  readonly patterns: Readonly<Partial<Record<MetricName, RegExp>>>;
  /** For metrics that follow from others; `uses` has the names that are read. */
  readonly derived: Readonly<Partial<Record<MetricName, Derived>>>;
  /** For the names of parts that a reward is the sum of; the group `part` has the name of one. */
  readonly parts: RegExp | undefined;
  /** Names of the shortest and the longest answer of a step. */
  readonly lengths: readonly [least: string, most: string] | undefined;
  /** Names of times, loads and validation, which are no signals of training. */
  readonly aside: RegExp;
  /** By how many steps a line may come late, where several processes write one file. */
  readonly late: number;
  /** Names of its two numbers, where rollouts and optimizer steps are counted apart. */
  readonly counts: TwoCounts | undefined;
}

/** A metric that follows from others. */
export interface Derived {
  readonly uses: readonly string[];
  readonly from: (read: Read) => number | undefined;
}

/** A framework with what most of them have in common filled in. */
export function framework(
  given: Pick<Framework, "title" | "metrics"> & Partial<Framework>,
): Readonly<Framework> {
  return Object.freeze({
    step: ["step"],
    nested: null,
    prefixes: [],
    patterns: {},
    derived: {},
    aside: /^(time|timing|perf|system|eval|val)[_/-]/,
    late: 0,
    parts: undefined,
    lengths: undefined,
    counts: undefined,
    ...given,
  });
}

/** A name that is a multiple of a metric. */
export function times(factor: number, names: readonly string[]): Derived {
  return {
    uses: names,
    from: (read) => {
      const value = names.map(read).find((one) => one !== undefined);
      return value === undefined ? undefined : factor * value;
    },
  };
}
