import { path } from "turnwise/internal/base/host/index";
import { FEWEST } from "turnwise/internal/monitor/fallWatch";
import type { LogRecord } from "../logs/runs";
import type { Census } from "./census";
import type { ReadLogFile, ReadRollouts } from "./read";

const validation = /(^|[^a-z])(val|valid|validation|eval|evaluation|test)([^a-z]|$)/i;

/** Whether a file lies in a folder of validation, which is no training. */
export const isOfValidation = ({ guess }: ReadRollouts): boolean =>
  validation.test(path.basename(path.dirname(guess.path)));

/**
 * Rewards by step, where each step's rollouts were stored in a file of their own and no log was given: the folder of most steps, and one
 * of validation only where there is no other. Undefined where steps are too few to judge.
 */
export function logOfRollouts(rollouts: readonly ReadRollouts[]): ReadLogFile | undefined {
  const folders = new Map<string, ReadRollouts[]>();
  for (const one of rollouts) {
    if (one.census.step === undefined) continue;
    const folder = path.dirname(one.guess.path);
    folders.set(folder, [...(folders.get(folder) ?? []), one]);
  }
  const rank = (files: readonly ReadRollouts[]): number =>
    (isOfValidation(files[0]!) ? 0 : 1e9) + files.length;
  const [best] = [...folders].sort(([, a], [, b]) => rank(b) - rank(a));
  if (best === undefined) return undefined;
  const [folder, files] = best;
  const byStep = new Map(files.map((one) => [one.census.step!, one] as const));
  if (byStep.size < FEWEST) return undefined;
  const steps = [...byStep.keys()].sort((a, b) => a - b);
  return {
    guess: {
      path: folder,
      kind: "log",
      title: "rewards of stored rollouts, step by step",
      why: `no log was given, and ${steps.length} files hold the rollouts of a step each`,
      sureness: "likely",
    },
    framework: files[0]!.census.title === "verl's rollout dumps" ? "verl" : "turnwise",
    records: steps.map((step): LogRecord => ({ update: step, metrics: metricsOf(byStep.get(step)!.census) })),
    unknown: [],
    source: "score",
    notes: [
      `there is no log: success is the mean reward of the rollouts stored in ${path.basename(folder)}, and no other signal of training is known`,
    ],
  };
}

function metricsOf({
  reward,
  turns,
  groups,
  alone,
  allFailed,
  allSolved,
  equal,
}: Census): LogRecord["metrics"] {
  const several = groups - alone;
  return {
    "reward/mean": reward.mean,
    "turns/mean": turns,
    ...(several > 0 && { "reward/fracZeroStd": (allFailed + allSolved + equal) / several }),
  };
}

/** Rollouts in the order in which the page shows them: those nearest to a fall first; else by their steps. */
export function inOrder(rollouts: readonly ReadRollouts[], onset: number | undefined): ReadRollouts[] {
  const place = ({ census: { step } }: ReadRollouts): number =>
    step === undefined ? -1 : onset === undefined ? step : Math.abs(step - onset);
  return [...rollouts].sort((a, b) => place(a) - place(b));
}
