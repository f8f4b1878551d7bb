import { make, type Env, type EnumerableEnv } from "turnwise/internal/env/index";
import { recipe, type Recipe } from "turnwise/internal/rule/index";
import type { JobContext } from "turnwise/internal/sweep/job";
import { train } from "turnwise/internal/train/index";
import { distrustingAnswers, judges, type JudgeName } from "./biasedJudge";
import type { Course } from "./equalScore";
import { readingPolicy } from "./readingPolicy";

/** Worlds in which the outcome alone does not teach the tool: a blind answer is right one time in four. */
export type StepWorld = "LookUp-v0" | "Calculator-v0";

/** Rules with a step reward; each is compared with itself without it. */
const stepArms = Object.freeze({
  "information gain": "igpo",
  "implicit reward": "iStar",
  "verdict on the sign": "factualityFspo",
  votes: "rlAnything",
} as const);
/** A row of the study. */
export type StepArm = keyof typeof stepArms;

/** One training run. */
export interface StepJob {
  readonly world: StepWorld;
  readonly arm: StepArm;
  /** Without it, the same rule pays the outcome alone. */
  readonly paid: "with" | "without";
  /** Quality of the policy's reading of a result before training, in nats. Default 0: not at all. */
  readonly reading?: number;
  /** Default "never errs". */
  readonly judge?: JudgeName;
  readonly seed: number;
  /** Default 200. */
  readonly updates?: number;
}

/** Result of a training run. */
export interface StepResult {
  /** Success, averaged over the last tenth of the updates. */
  readonly score: number;
  /** The same over all updates. */
  readonly overall: number;
  /** Share of turns that are false or useless by the world's own verdict, in the last tenth. */
  readonly falseSteps: number;
  /** Success of each tenth of the updates. */
  readonly curve: readonly number[];
  /** Success and false steps of every ten updates. */
  readonly course: Course;
  /** Environment steps of the whole run. */
  readonly steps: number;
  /** Evaluations of a policy for the step reward alone, in the whole run. */
  readonly evaluations: number;
}

/** The world of a job. */
export function stepWorld(world: StepWorld): Env {
  return make(world, world === "LookUp-v0" ? { wrongPenalty: 0 } : {});
}

/** Memory of the policy of each world. In the Calculator it knows how calls are written, or it would never find one. */
const policies = {
  "LookUp-v0": {},
  "Calculator-v0": { memory: "turnObservation", syntaxPrior: 3 },
} as const;

/** The rule of a job. */
export function stepRow({
  arm,
  paid,
  judge = "never errs",
}: Pick<StepJob, "arm" | "paid" | "judge">): Recipe {
  const name = stepArms[arm];
  if (paid === "without") return recipe(name, { reward: { step: "none" } });
  const { error } = judges[judge];
  if (name === "factualityFspo") return recipe(name, { reward: { step: { kind: "factual", error } } });
  if (name === "rlAnything") return recipe(name, { reward: { step: { kind: "vote", error } } });
  return recipe(name);
}

const TENTHS = 10;
/** Updates of a window of the course. */
const WINDOW = 10;
const [GROUPS, MEMBERS] = [8, 8];

/** Trains with a step reward or without it, on 8 groups of 8, from a policy that knows how calls are written. */
export async function stepRun(
  job: StepJob,
  report: (fraction: number) => void = () => undefined,
): Promise<StepResult> {
  const { world, reading = 0, judge = "never errs", seed, updates = 200 } = job;
  const honest = stepWorld(world);
  const env = judges[judge].distrusts ? distrustingAnswers(honest as EnumerableEnv) : honest;
  const run = train({
    env,
    policy: readingPolicy(honest, reading, policies[world]),
    recipe: stepRow(job),
    groups: GROUPS,
    groupSize: MEMBERS,
    updates,
    seed,
  });
  const none = () => ({ score: 0, wrong: 0, turns: 0, count: 0 });
  const tenths = Array.from({ length: TENTHS }, none);
  const windows = Array.from({ length: Math.ceil(updates / WINDOW) }, none);
  let steps = 0;
  let evaluations = 0;
  run.witness = {
    sampled: (batch) => {
      const tenth = tenths[Math.min(TENTHS - 1, Math.floor((index * TENTHS) / updates))]!;
      const window = windows[Math.floor(index / WINDOW)]!;
      batch.info_nt!.forEach((turns) => {
        const wrong = turns.filter((info) => isFalse(info, judge)).length;
        for (const own of [tenth, window]) {
          own.score += turns.at(-1)!["success"] === true ? 1 : 0;
          own.count += 1;
          own.turns += turns.length;
          own.wrong += wrong;
        }
      });
    },
    prepared: () => undefined,
    stepped: () => undefined,
  };
  let index = 0;
  for await (const { metrics } of run) {
    index++;
    steps += metrics["turns/mean"]! * GROUPS * MEMBERS;
    evaluations += (metrics["stepReward/evaluations"] ?? 0) * GROUPS * MEMBERS;
    report(index / updates);
  }
  const last = tenths.at(-1)!;
  const curve = tenths.map(({ score, count }) => score / count);
  return {
    score: curve.at(-1)!,
    overall: curve.reduce((a, b) => a + b, 0) / TENTHS,
    falseSteps: last.wrong / last.turns,
    curve,
    course: {
      scores: windows.map(({ score, count }) => score / count),
      falseSteps: windows.map(({ wrong, turns }) => wrong / turns),
    },
    steps,
    evaluations,
  };
}

/** The honest verdict, whatever a judge who distrusts answers says. */
function isFalse(info: Readonly<Record<string, unknown>>, judge: JudgeName): boolean {
  const right = judges[judge].distrusts && info["call"] === "answer" && info["success"] === true;
  return info["verdict"] === -1 && !right;
}

/**
 * `stepRun` as a job of a sweep.
 *
 * @public
 */
export function stepJob(job: StepJob, { report }: JobContext): Promise<StepResult> {
  return stepRun(job, report);
}
