import { bootstrapInterval } from "turnwise/internal/base/interval";
import { shareInterval } from "turnwise/internal/base/share";
import { pairedInterval, type PairedMean } from "turnwise/internal/monitor/index";
import type { Claim } from "turnwise/internal/plot/ledger";
import { alarmReport } from "../shared/alarms/alarmReport";
import { storedAlarmRuns, type AlarmRun } from "../shared/alarms/stored";
import { cellOf } from "../shared/echoTrap/leverEffect";
import { storedRuns, type StoredRun } from "../shared/echoTrap/stored";
import { measured } from "../shared/measured";
import { alarmAreas } from "../shared/languageRuns/alarmAreas";
import { runsWith } from "../shared/languageRuns/runsOf";
import { storedLanguageRuns, type StoredLanguageRun } from "../shared/languageRuns/stored";
import { above as beyond, share, type Effect } from "turnwise/internal/verdict/effect";
import { verdict, verdicts, type Condition, type Question } from "turnwise/internal/verdict/verdict";
import { shown } from "turnwise/internal/verdict/words";
import { endOf, trlRuns, type TrlRun } from "./trlRuns";

/** Smallest effects for which a reader would change a training run: rewards, shares of runs, areas under a ROC curve. */
const smallest = Object.freeze({ reward: 0.1, share: 0.1, area: 0.1 });

const source = "this lesson";

/** Data for the claims. */
export interface OwnRunData {
  /** Tables in the echo trap. */
  readonly tables: readonly StoredRun[];
  readonly alarmRuns: readonly AlarmRun[];
  /** Small transformers that learn a tool. */
  readonly networks: readonly StoredLanguageRun[];
  /** Transformers on LookUp-v0, by TRL and by this library. */
  readonly lookUps: readonly TrlRun[];
}

/** The ledger of the lesson on your own run. */
export function ownRunLesson(): Claim[] {
  return ownRunClaims({
    tables: storedRuns(measured("echo-trap")),
    alarmRuns: storedAlarmRuns(measured("echo-trap-alarms")),
    networks: storedLanguageRuns(measured("language-model")),
    lookUps: trlRuns(measured("trl-lookup")),
  });
}

/** Claims that tables decided, tested again with larger models. */
export function ownRunClaims({ tables, alarmRuns, networks, lookUps }: OwnRunData): Claim[] {
  return [paidTheSame(lookUps), learned(lookUps), reuse(tables, networks), ...alarms(alarmRuns, networks)];
}

const byTrl = (lookUps: readonly TrlRun[]): readonly TrlRun[] =>
  lookUps.filter(({ trainer }) => trainer === "TRL");

function paidTheSame(lookUps: readonly TrlRun[]): Claim {
  const [of, equal] = [
    byTrl(lookUps).map(({ episodes }) => episodes),
    byTrl(lookUps).map(({ same }) => same),
  ].map((counts) => counts.reduce((sum, count) => sum + count, 0)) as [number, number];
  return {
    claim: "A world that is served pays TRL what it pays here",
    source,
    measured: `${equal} of ${of} episodes of TRL are paid the same by an environment here, turn by turn`,
    verdict: verdict({ equal, of }),
  };
}

/** Halfway between a blind answer, which is worth 0, and one after a look-up, which is worth 1. */
const halfway = 0.5;

function learned(lookUps: readonly TrlRun[]): Claim {
  const trainers = [
    { trainer: "TRL", ends: byTrl(lookUps).map(endOf) },
    { trainer: "turnwise", ends: lookUps.filter(({ trainer }) => trainer === "turnwise").map(endOf) },
  ];
  return {
    claim: "GRPO teaches a transformer to look up before it answers: half of the reward is earned",
    source,
    measured: trainers
      .map(
        ({ trainer, ends }) =>
          `${trainer}: reward ${shown(bootstrapInterval(ends), 2)}, ${ends.length} seeds`,
      )
      .join("; "),
    verdict: verdict({
      conditions: trainers.map(({ trainer, ends }) => ({
        setting: { trainer },
        effect: beyond(ends, halfway),
      })),
      smallestEffectOfInterest: smallest.reward,
    }),
  };
}

function reuse(tables: readonly StoredRun[], networks: readonly StoredLanguageRun[]): Claim {
  const own = cellOf(tables, "reuse", "vanilla");
  const models = runsWith(networks, { world: "calculator", skill: 0.3, rule: "grpo", reuse: true });
  const policies = [
    { policy: "table", of: own.length, fell: own.filter(({ fall }) => fall !== null).length },
    { policy: "transformer", of: models.length, fell: models.filter(({ fall }) => fall !== null).length },
  ];
  return {
    claim: "24 full-size steps of Adam on each batch: the run learns its task, and loses it again",
    source: "lesson 04",
    measured: policies
      .map(
        ({ policy, fell, of }) =>
          `${policy}: ${fell} of ${of} runs fall, share ${shown(shareInterval(fell, of), 2)}`,
      )
      .join("; "),
    verdict: verdict({
      conditions: policies.map(({ policy, fell, of }) => ({ setting: { policy }, effect: share(fell, of) })),
      smallestEffectOfInterest: smallest.share,
    }),
  };
}

/** Each alarm by its area under the ROC curve, in tables and in transformers: one family. */
function alarms(alarmRuns: readonly AlarmRun[], networks: readonly StoredLanguageRun[]): Claim[] {
  const { lines } = alarmReport(alarmRuns);
  const models = alarmAreas(networks);
  if (models === undefined) return [];
  const areas = (alarm: string): readonly (readonly [policy: string, area: PairedMean])[] => [
    ["table", lines.find(({ rule }) => rule === alarm)!.area],
    ["transformer", models.area[alarm]!],
  ];
  const question = (alarm: string): Question => ({
    conditions: areas(alarm).map(([policy, area]): Condition => ({
      setting: { policy },
      effect: above(area),
    })),
    smallestEffectOfInterest: smallest.area,
  });
  const decided = verdicts({
    "success itself": question("success itself"),
    "unearned silence": question("unearned silence"),
    "std cliff": question("std cliff"),
  });
  const row = (alarm: keyof typeof decided, claim: string): Claim => ({
    claim,
    source: "lesson 04",
    measured: areas(alarm)
      .map(([policy, area]) => `${policy}: area ${shown({ mean: area.mean, ...pairedInterval(area) }, 2)}`)
      .join("; "),
    verdict: decided[alarm],
  });
  return [
    row("success itself", "Success sags before it falls: it knows the run that is about to fall"),
    row("unearned silence", "Unearned silence knows the run that is about to fall"),
    row("std cliff", "A std near 0 knows the run that is about to fall"),
  ];
}

/** Distance of an area under the ROC curve above that of chance. */
function above(area: PairedMean): Effect {
  return {
    mean: area.mean - 0.5,
    n: Math.min(area.falls, area.survivors),
    method: "DeLong's error",
    at: (level) => {
      const { low, high } = pairedInterval(area, { level });
      return { low: low - 0.5, high: high - 0.5 };
    },
  };
}
