import { difference } from "turnwise/internal/base/difference";
import { shareInterval } from "turnwise/internal/base/share";
import { pairedInterval, type PairedMean } from "turnwise/internal/monitor/index";
import type { Claim } from "turnwise/internal/plot/ledger";
import { measured } from "../shared/measured";
import { retold } from "../shared/retold";
import { shown } from "turnwise/internal/verdict/words";
import { alarmClaims } from "./alarms/alarmClaims";
import { alarmReport, type AlarmReport } from "../shared/alarms/alarmReport";
import { storedAlarmRuns } from "../shared/alarms/stored";
import { echoTrapClaims } from "./claims";
import { cellOf, leverEffect } from "../shared/echoTrap/leverEffect";
import type { LeverName } from "../shared/echoTrap/levers";
import { storedRagenRuns } from "./ragenStored";
import { storedRuns, type StoredRun } from "../shared/echoTrap/stored";
import type { TrapName } from "../shared/echoTrap/traps";

/** The ledger of the lesson on echo traps. */
export function echoTrapLesson(): Claim[] {
  const runs = storedRuns(measured("echo-trap"));
  const ragen = storedRagenRuns(measured("ragen"));
  const alarmRuns = storedAlarmRuns(measured("echo-trap-alarms"));
  const report = alarmReport(alarmRuns);
  return retold(
    [...echoTrapClaims({ runs, ragen }), ...alarmClaims(alarmRuns, report)],
    [
      {
        of: "Multi-turn GRPO collapses into an echo trap: it rises, and ends below 75 % of its best",
        claim: "Many full-size steps on each batch under Adam: the agent learns the task, and loses it again",
        measured: collapsed(runs),
      },
      {
        of: "Fewer steps on a batch prevent the trap",
        claim: "One optimizer step per batch prevents the collapse",
        measured: gained(runs, "reuse", "1 step per batch"),
      },
      {
        of: "An advantage that is not divided by the group's std prevents it",
        claim: "Not dividing by the group's std prevents it",
        measured: gained(runs, "cost", "no std"),
      },
      {
        of: "Estimated by k3, a penalty ends lower than the KL that it stands for",
        claim: "Estimated by k3 on reused batches, a KL penalty does worse than the KL that it stands for",
        measured: estimated(runs),
      },
      {
        of: "In-group std warns early",
        claim: "A std near 0 announces the fall",
        measured: `area under the ROC curve ${area(lineOf(report, "std cliff").area)}, where chance has .5`,
      },
      {
        of: "An alarm tells more of the coming fall than success itself",
        claim: "Some alarm knows more of the coming fall than success itself",
        measured: bestAlarm(report),
      },
    ],
  );
}

function collapsed(runs: readonly StoredRun[]): string {
  const own = cellOf(runs, "reuse", "vanilla");
  const count = own.filter((run) => run.collapsed).length;
  return `trap A: ${count} of ${own.length} runs end below 75 % of their best, share ${shown(shareInterval(count, own.length), 2)}`;
}

const letters = { reuse: "A", cost: "B" } as const;

function gained(runs: readonly StoredRun[], trap: keyof typeof letters, lever: LeverName): string {
  const [with_, without] = [lever, "vanilla" as const].map((name) => leverEffect(runs, trap, name)!);
  const ends = `${without!.final.mean.toFixed(2)} without it, ${with_!.final.mean.toFixed(2)} with it`;
  return `success in trap ${letters[trap]}: ${ends}, gain ${shown(with_!.gain, 2)}`;
}

function estimated(runs: readonly StoredRun[]): string {
  const ends = (lever: LeverName): number[] =>
    cellOf(runs, "reuse" satisfies TrapName, lever).map(({ final }) => final);
  const gap = difference(ends("KL to reference .1"), ends("KL to reference .1, k3 of TRL"));
  return `success in trap A with the KL itself minus that with k3: ${shown(gap, 2)}`;
}

const lineOf = ({ lines }: AlarmReport, rule: string): AlarmReport["lines"][number] =>
  lines.find((line) => line.rule === rule)!;
const area = (paired: PairedMean): string => shown({ mean: paired.mean, ...pairedInterval(paired) }, 2);

function bestAlarm(report: AlarmReport): string {
  const alarm = lineOf(report, "unearned silence");
  const gap = { mean: alarm.beyondSuccess.mean, ...pairedInterval(alarm.beyondSuccess, { range: [-1, 1] }) };
  const itself = area(lineOf(report, "success itself").area);
  return `area of success itself ${itself}; of the best alarm, unearned silence, less that: ${shown(gap, 2)}`;
}
