import type { Alarm } from "turnwise/internal/monitor/index";
import type { Drop } from "turnwise/internal/monitor/drop";
import type { Watched } from "turnwise/internal/monitor/echoTrapMonitor";
import type { SuccessVerdict } from "turnwise/internal/monitor/judgeSuccess";
import type { Movement } from "turnwise/internal/monitor/movements";
import type { NotFinite } from "turnwise/internal/monitor/notFinite";
import type { ContainerName } from "../logs/containers";
import type { WholeContainer } from "../logs/containers/json";
import type { NamingName } from "../logs/frameworks";
import type { UnknownName } from "../logs/logReader";
import type { LogRun } from "../logs/runs";

/** Facts about a log besides its records. */
export interface LogFacts {
  readonly framework: NamingName;
  /** Why its names are thought to be those of that framework. */
  readonly why: string;
  readonly container: ContainerName | WholeContainer;
  /** Names that stand for no metric. */
  readonly unknown: readonly UnknownName[];
  /** All runs that the log holds, in the order in which they stand there. */
  readonly runs: readonly LogRun[];
  /** The number of the run that the records are of, from 1. */
  readonly run: number;
  /** Notes on how the log was read: a last line that is cut off, steps that were counted. */
  readonly notes: readonly string[];
}

/** A mean of success that is clearly below its best. */
export interface Dip extends Pick<Drop, "chance" | "lasting" | "best" | "lowest" | "last"> {
  /** The step at which it was low. */
  readonly update: number;
  /** The first of its 10 steps that is low itself. */
  readonly onset: number;
  /** The step at which the mean had made up for three quarters of the drop; null if it never did. */
  readonly recovered: number | null;
}

/** Verdict of the monitor on a log. */
export interface LogVerdict {
  readonly alarms: readonly Alarm[];
  /** Rules that no record has had a signal for. */
  readonly blind: readonly string[];
  /** Whether success has fallen, and on how many records that was checked; `unknown` says why it cannot be told. */
  readonly success: SuccessVerdict;
  /** The step at which success had fallen; null unless it is known to have, and deeper than chance takes it. */
  readonly fall: number | null;
  /** Drop of success clearly below its best, and how often chance does the same; null if there was none. */
  readonly dip: Dip | null;
  /** The metrics that were NaN or infinite. */
  readonly notFinite: readonly NotFinite[];
  /** The metrics that left their level, in the order in which they did; empty unless success has fallen. */
  readonly movements: readonly Movement[];
  /** Whether every success was a share of the optimum: if not, alarms that need one were silent. */
  readonly isShare: boolean;
  readonly watched: readonly Watched[];
}
