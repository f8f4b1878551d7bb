import { mean } from "turnwise/internal/base/statistics";
import { gain, type Effect, type SeedValue } from "turnwise/internal/verdict/effect";
import { inBothHalves } from "../../shared/inBothHalves";
import type { StoredRecord } from "../../shared/storedTable";
import { enumeratedSeeds, type EnumeratedSystem } from "./design";
import type { EnumeratedRun } from "./run";

/** Runs, or the rows of `datasets/measured/systems-enumerated.csv`. */
export type Rows = readonly EnumeratedRun[] | readonly StoredRecord[];

/** The values of an arm by seed. */
export type Sample = readonly SeedValue[];

interface Asked {
  readonly arm: string;
  readonly condition?: string;
  readonly column: "success" | "second";
}

/** Reads the values of a system's arms. */
export const reader =
  (runs: Rows, system: EnumeratedSystem) =>
  ({ arm, condition = "-", column }: Asked): Sample =>
    (runs as readonly EnumeratedRun[])
      .filter((run) => run.system === system && String(run.condition) === condition && run.arm === arm)
      .map((run) => ({ seed: run.seed, value: run[column] }));

/** The gain of one sample over another, in both halves of the seeds. */
export const effect = (a: Sample, b: Sample): Effect =>
  inBothHalves(a, b, (x, y) => gain(x, y), { confirmFrom: enumeratedSeeds.confirmFrom });

/** The mean of a sample as text. */
export const text = (sample: Sample): string => mean(sample.map(({ value }) => value)).toFixed(3);
