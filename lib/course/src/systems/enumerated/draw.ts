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

/** A text with means: `of(arm)` is that of the column that is drawn. */
type Told<Arm extends string> = (of: (arm: Arm, condition?: string, column?: Column) => string) => string;

/** A chart of one system. */
interface Drawing<Arm extends string> {
  readonly system: EnumeratedSystem;
  readonly column: Column;
  /** In one line of 700 pixels; `more` goes below it. */
  readonly title: Told<Arm>;
  readonly more: Told<Arm>;
  readonly xTitle: string;
  readonly domain: readonly [number, number];
  readonly panel?: (condition: string) => string;
}

function drawn<Arm extends string>(
  stored: readonly StoredRecord[],
  { system, column, title, more, xTitle, domain, panel }: Drawing<Arm>,
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
  const of: Parameters<Told<Arm>>[0] = (arm, condition = "-", from = column) =>
    mean(values(arm, condition, from)).toFixed(2);
  return estimateChart(estimates, {
    title: title(of),
    subtitle: `${more(of)}; dots: 40 seeds, their outcomes exact`,
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
    title: (of) =>
      `Paid for saving too, it reads ${of("paid for saving too")} of 12 units, not ${of("reads everything")}`,
    more: (of) =>
      `right in ${of("paid for saving too", "-", "success")} and ${of("reads everything", "-", "success")} of the episodes`,
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
      `With 3 presses around it, a skill solves ${of("skill, prior 1/4", "3")}, buttons alone ${of("buttons alone", "3")}`,
    more: (of) => `that is at prior 1/4; at .01, ${of("skill, prior .01", "3")}`,
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
      `With good judges, votes reach ${of("votes", "good")}, directives at all words ${of("directives at all words", "good")}`,
    more: (of) => `votes and directives together ${of("votes and directives", "good")}`,
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
      `A managed memory is right in ${of("all four, GRPO")}, one that adds everything in ${of("adds everything")}`,
    more: () => "what to keep is learned from the answers' pay alone",
    xTitle: "right answers at the end",
    domain: [0, 1],
  });
