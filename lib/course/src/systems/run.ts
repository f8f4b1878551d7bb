import { enumerateReturn } from "turnwise/internal/exact/index";
import type { GameEnv } from "turnwise/internal/env/game";
import type { PolicyOptions } from "turnwise/internal/policy/index";
import { recipe } from "turnwise/internal/rule/index";
import type { JobContext } from "turnwise/internal/sweep/job";
import { train } from "turnwise/internal/train/index";
import { studySeeds } from "../shared/studySeeds";
import { toolCallsEnv, toolPayEnv, type ToolPay } from "./toolPay";
import { trustEnv } from "./trust";

interface SystemArm {
  readonly world: "toolPay" | "trust";
  readonly pay?: ToolPay;
  /** Share of training episodes in which the scout is compromised. */
  readonly compromised?: number;
}

/** The arms: what a world pays, or how often one agent is compromised, while GRPO trains in it. */
export const systemArms = Object.freeze({
  "no pay for tools": { world: "toolPay", pay: { pay: 0, when: "never" } },
  "pay for each call": { world: "toolPay", pay: { pay: 0.1, when: "eachCall" } },
  "pay for each call of a right answer": { world: "toolPay", pay: { pay: 0.1, when: "ifRight" } },
  "trained with honest scouts": { world: "trust", compromised: 0 },
  "trained with three compromised of ten": { world: "trust", compromised: 0.3 },
} satisfies Readonly<Record<string, SystemArm>>);

/** An arm of `systemArms`. */
export type SystemArmName = keyof typeof systemArms;

/** Learning rates of Adam among which each arm's is chosen, and the seeds of tuning and study. */
export const systemRates = Object.freeze([0.025, 0.05, 0.1, 0.2] as const);
export const systemSeeds = studySeeds;

/** A run of the study. */
export interface SystemJob {
  readonly cell: { readonly arm: SystemArmName; readonly rate: number };
  readonly seed: number;
}

/** Exact result of a run, and its cost. */
export interface SystemRun {
  readonly arm: SystemArmName;
  readonly rate: number;
  readonly seed: number;
  /** Return without pay for tools; of a team, where all scouts are honest. */
  readonly honest: number;
  /** Return of a team whose scout is compromised in every episode; 0 in the other world. */
  readonly attacked: number;
  /** Tool calls an episode; 0 in the world of the team. */
  readonly calls: number;
  /** Return in the world that it was trained in, pay included: by this, rates are chosen. */
  readonly trained: number;
  readonly samples: number;
  /** Environment steps. */
  readonly steps: number;
  readonly optimizerSteps: number;
}

const UPDATES = 80;

/** Trains GRPO for 80 updates of 8 x 8 from a uniform table, then enumerates what its policy earns. */
export async function systemRun(
  { cell: { arm, rate }, seed }: SystemJob,
  report: (fraction: number) => void = () => undefined,
): Promise<SystemRun> {
  const settings = systemArms[arm] as SystemArm;
  const isTeam = settings.world === "trust";
  const env: GameEnv<unknown> = isTeam
    ? (trustEnv(settings.compromised!) as GameEnv<unknown>)
    : (toolPayEnv(settings.pay) as GameEnv<unknown>);
  const policy: PolicyOptions | undefined = isTeam ? { memory: "turnObservation" } : undefined;
  const rule = recipe("grpo", { update: { optimizer: { kind: "adam", learningRate: rate } } });
  const run = train({ env, recipe: rule, updates: UPDATES, seed, ...(policy && { policy }) });
  let [samples, optimizerSteps, steps] = [0, 0, 0];
  for await (const record of run) {
    ({ samples, optimizerSteps } = record);
    steps += record.metrics["rollout/steps"]!;
    report(record.update / UPDATES);
  }
  const J = (world: GameEnv<never> | GameEnv<unknown>): number =>
    enumerateReturn(world, run.policy, { gradient: false }).J;
  const of = (world: unknown): number => J(world as GameEnv<unknown>);
  return {
    arm,
    rate,
    seed,
    honest: of(isTeam ? trustEnv(0) : toolPayEnv()),
    attacked: isTeam ? of(trustEnv(1)) : 0,
    calls: isTeam ? 0 : of(toolCallsEnv()),
    trained: of(env),
    samples,
    steps,
    optimizerSteps,
  };
}

/** The columns of `datasets/measured/systems.csv`. */
export const systemColumns = [
  "arm",
  "rate",
  "seed",
  "honest",
  "attacked",
  "calls",
  "trained",
  "samples",
  "steps",
  "optimizerSteps",
] as const satisfies readonly (keyof SystemRun)[];

/** The rate whose runs on the seeds of the tuning earn most where they were trained; of equals, the smallest. */
export function tunedSystemRate(runs: readonly SystemRun[], arm: SystemArmName): number {
  const meanAt = (rate: number): number => {
    const own = runs.filter((run) => run.arm === arm && run.rate === rate);
    return own.reduce((sum, { trained }) => sum + trained, 0) / own.length;
  };
  return systemRates.reduce((best, rate) => (meanAt(rate) > meanAt(best) ? rate : best), systemRates[0]);
}

/**
 * `systemRun` as a job of a sweep.
 *
 * @public
 */
export function systemJob(job: SystemJob, { report }: JobContext): Promise<SystemRun> {
  return systemRun(job, report);
}
