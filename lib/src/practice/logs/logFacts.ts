import type { Alarm } from "../../monitor";
import type { Watched } from "../../monitor/echoTrapMonitor";
import type { ContainerName } from "../../monitor/logs/containers";
import type { NamingName } from "../../monitor/logs/frameworks";
import type { UnknownName } from "../../monitor/logs/logReader";

/** What is known of a log besides its records. */
export interface LogFacts {
  readonly framework: NamingName;
  /** Why its names are thought to be those of that framework. */
  readonly why: string;
  readonly container: ContainerName | "JSON";
  /** Names that stand for no metric. */
  readonly unknown: readonly UnknownName[];
}

/** A mean of success that is below 75 % of its best. */
export interface Dip {
  readonly update: number;
  /** The share of random orders of the same steps in which success falls as deep. */
  readonly chance: number;
}

/** What the monitor makes of a log. */
export interface LogVerdict {
  readonly alarms: readonly Alarm[];
  /** Rules that no record has had a signal for. */
  readonly blind: readonly string[];
  /** The step at which success had fallen; null if it never did, or no deeper than chance takes it. */
  readonly fall: number | null;
  /** The step at which the mean of 10 steps was below 75 % of its best, and how often random order does the same; null if never. */
  readonly dip: Dip | null;
  readonly watched: readonly Watched[];
}
