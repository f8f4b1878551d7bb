import { bootstrapInterval } from "turnwise/internal/base/interval";
import type { Chart } from "turnwise/internal/plot/chart";
import { estimateChart, type EstimateChartOptions } from "turnwise/internal/plot/estimateChart";
import type { StoredRecord } from "../../shared/storedTable";
import { enumeratedSettings, type EnumeratedSetting, type EnumeratedSystem } from "./design";

const fixed = { subtitle: "dots: 40 seeds, exact; diamonds: means with 95% intervals", ruleColors: false };

function drawn(
  stored: readonly StoredRecord[],
  {
    system,
    column,
    panel,
  }: {
    readonly system: EnumeratedSystem;
    readonly column: "success" | "second";
    readonly panel?: (condition: string) => string;
  },
  options: EstimateChartOptions,
): Chart {
  const estimates = enumeratedSettings
    .filter((setting) => setting.system === system)
    .map(({ condition, arm }: EnumeratedSetting) => {
      const runs = stored
        .filter((row) => row["system"] === system && String(row["condition"]) === condition && row["arm"] === arm)
        .map((row) => Number(row[column]));
      return { ...(panel && { group: panel(condition) }), label: arm, runs, ...bootstrapInterval(runs) };
    });
  return estimateChart(estimates, { ...fixed, ...options });
}

/**
 * Charts of rows of `datasets/measured/systems-enumerated.csv`, one for each of the four systems.
 *
 * @throws {RangeError} if a system has no rows
 */
export const drawOmission = (stored: readonly StoredRecord[]): Chart =>
  drawn(
    stored,
    { system: "omission", column: "second" },
    { title: "TITLE", xTitle: "units read and written, of 12; the optimum needs 6", domain: [0, 12] },
  );

export const drawSkills = (stored: readonly StoredRecord[]): Chart =>
  drawn(
    stored,
    { system: "skills", column: "success", panel: (more) => `presses around the skill: ${more}` },
    { title: "TITLE", xTitle: "share of tasks solved at the end", domain: [0, 1] },
  );

export const drawNextStates = (stored: readonly StoredRecord[]): Chart =>
  drawn(
    stored,
    { system: "next states", column: "second", panel: (judges) => `judges: ${judges}` },
    { title: "TITLE", xTitle: "mean success over the run", domain: [0, 1] },
  );

export const drawMemoryBank = (stored: readonly StoredRecord[]): Chart =>
  drawn(
    stored,
    { system: "memory bank", column: "success" },
    { title: "TITLE", xTitle: "right answers at the end", domain: [0.4, 1] },
  );
