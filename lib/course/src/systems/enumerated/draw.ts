import { bootstrapInterval } from "turnwise/internal/base/interval";
import { mean } from "turnwise/internal/base/statistics";
import type { Chart } from "turnwise/internal/plot/chart";
import { estimateChart } from "turnwise/internal/plot/estimateChart";
import type { StoredRecord } from "../../shared/storedTable";
import type { BankArmName } from "./bank";
import { enumeratedSettings, type EnumeratedSystem } from "./design";
import type { NextStateArmName } from "./nextState";
import type { OmissionArm } from "./omission";
import type { SkillArmName } from "./skills";

type Column = "success" | "second";

/** A chart of one system, with a title of means: `of(arm)` is the mean of the column that is drawn. */
interface Drawing<Arm extends string> {
  readonly system: EnumeratedSystem;
  readonly column: Column;
  readonly title: (of: (arm: Arm, condition?: string, column?: Column) => string) => string;
  readonly xTitle: string;
  readonly domain: readonly [number, number];
  readonly panel?: (condition: string) => string;
}

function drawn<Arm extends string>(
  stored: readonly StoredRecord[],
  { system, column, title, xTitle, domain, panel }: Drawing<Arm>,
): Chart {
  const values = (arm: string, condition: string, of: Column): number[] =>
    stored
      .filter(
        (row) => row["system"] === system && String(row["condition"]) === condition && row["arm"] === arm,
      )
      .map((row) => Number(row[of]));
  const estimates = enumeratedSettings
    .filter((setting) => setting.system === system)
    .map(({ condition, arm }) => {
      const runs = values(arm, condition, column);
      return { ...(panel && { group: panel(condition) }), label: arm, runs, ...bootstrapInterval(runs) };
    });
  return estimateChart(estimates, {
    title: title((arm, condition = "-", of = column) => mean(values(arm, condition, of)).toFixed(2)),
    subtitle: "dots: 40 seeds, their outcomes exact",
    xTitle,
    domain,
    ruleColors: false,
  });
}

/**
 * Chart of what an agent reads, paid for its answers or for what it leaves out as well: rows of
 * `datasets/measured/systems-enumerated.csv`.
 *
 * @throws {RangeError} if there is no such row
 */
export const drawOmission = (stored: readonly StoredRecord[]): Chart =>
  drawn<OmissionArm>(stored, {
    system: "omission",
    column: "second",
    title: (of) => {
      const [paid, everything] = ["paid for saving too", "reads everything"] as const;
      return (
        `Paid for saving too, it reads ${of(paid)} units and is right in ${of(paid, "-", "success")}; ` +
        `reading everything, ${of(everything)} and ${of(everything, "-", "success")}`
      );
    },
    xTitle: "units read and written, of 12; the optimum needs 6",
    domain: [0, 12],
  });

/**
 * Chart of the tasks that are solved at the end, with an action that was added on the way or without: rows of the same table.
 *
 * @throws {RangeError} if there is no such row
 */
export const drawSkills = (stored: readonly StoredRecord[]): Chart =>
  drawn<SkillArmName>(stored, {
    system: "skills",
    column: "success",
    title: (of) =>
      `With 3 presses around it, a skill solves ${of("skill, prior 1/4", "3")} of the tasks at prior 1/4, ` +
      `${of("skill, prior .01", "3")} at .01; buttons alone ${of("buttons alone", "3")}`,
    xTitle: "share of the tasks solved at the end",
    domain: [0, 1],
    panel: (more) => `presses around the skill: ${more}`,
  });

/**
 * Chart of the success over a run that learns from each next state: rows of the same table.
 *
 * @throws {RangeError} if there is no such row
 */
export const drawNextStates = (stored: readonly StoredRecord[]): Chart =>
  drawn<NextStateArmName>(stored, {
    system: "next states",
    column: "second",
    title: (of) =>
      `With good judges: ${of("votes", "good")} by votes, ${of("votes and directives", "good")} with directives as well, ` +
      `${of("directives at all words", "good")} by directives at all words`,
    xTitle: "mean success over the run",
    domain: [0, 1],
    panel: (judges) => `judges: ${judges}`,
  });

/**
 * Chart of the right answers from a memory that is managed, or to which everything is added: rows of the same table.
 *
 * @throws {RangeError} if there is no such row
 */
export const drawMemoryBank = (stored: readonly StoredRecord[]): Chart =>
  drawn<BankArmName>(stored, {
    system: "memory bank",
    column: "success",
    title: (of) =>
      `Managed by what pays the answer, the memory is right in ${of("all four, GRPO")}; ` +
      `if everything is added, in ${of("adds everything")}`,
    xTitle: "right answers at the end",
    domain: [0, 1],
  });
