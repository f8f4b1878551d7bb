import type { Cause } from "./causes";
import type { FileGuess, ReadConfigFile } from "./read";
import type { TwinReport } from "../twin";
import type { RunView, View } from "./view";

/** Parts of a report. */
export interface ReportParts {
  /** The paths that were given. */
  readonly targets: readonly string[];
  readonly files: readonly FileGuess[];
  readonly foreign: readonly FileGuess[];
  /** Weights, pictures and the like. */
  readonly passedOver: number;
  readonly more: boolean;
  /** The run, configuration and rollouts that causes were looked for in. */
  readonly view: View;
  /** All runs that were found. */
  readonly runs: readonly RunView[];
  readonly configs: readonly ReadConfigFile[];
  readonly causes: readonly Cause[];
  /** Its rule in small worlds, or why it could not be trained there; undefined unless asked for. */
  readonly twin: TwinReport | string | undefined;
}
