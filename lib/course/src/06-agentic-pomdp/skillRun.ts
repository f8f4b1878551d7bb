import { make, type Env } from "turnwise/internal/env/index";
import { enumerateReturn, optimalReturn, randomReturn, score } from "turnwise/internal/exact/index";
import type { PolicyOptions } from "turnwise/internal/policy/index";
import { mean } from "turnwise/internal/base/statistics";
import { train } from "turnwise/internal/train/index";
import type { JobContext } from "turnwise/internal/sweep/job";
import { rewardRecipe, type RewardCredit } from "../shared/credit/rewardRecipe";

interface SkillArm {
  readonly id: string;
  readonly options?: Readonly<Record<string, unknown>>;
  readonly policy?: PolicyOptions;
  readonly credit?: RewardCredit;
}

interface Skill {
  /** The world in which the score is measured from random to optimal. */
  readonly world: SkillArm;
  readonly arms: Readonly<Record<string, SkillArm>>;
}

const keyDoor = { id: "KeyDoor-v0" };
const tMaze = { id: "TMaze-v0" };
const lookUp = { id: "LookUp-v0", policy: { syntaxPrior: 3 } } as const;
const later = { id: "MatrixChain-v0", options: { game: "nowOrLater" } };

/**
 * Each skill with its faculty and without: the same world, rule, samples and steps, and one thing taken away.
 *
 * What is taken away: the policy's memory, the truth of the tool's answers, credit for what comes later, and the knowledge of how
 * a call is written.
 */
export const skills = Object.freeze({
  "memory: KeyDoor": {
    world: keyDoor,
    arms: {
      "remembers the episode": keyDoor,
      "sees turn and last observation": { ...keyDoor, policy: { memory: "turnObservation" } },
    },
  },
  "memory: TMaze": {
    world: tMaze,
    arms: {
      "remembers the episode": tMaze,
      "sees turn and last observation": { ...tMaze, policy: { memory: "turnObservation" } },
    },
  },
  "tool: LookUp": {
    world: lookUp,
    arms: {
      "the tool tells the truth": lookUp,
      "the tool guesses": { ...lookUp, options: { toolReliability: 0.25 } },
      "it tells the truth, step credit": { ...lookUp, credit: "rewardToGo" },
    },
  },
  "planning: now or later": {
    world: later,
    arms: {
      "credit with what follows": { ...later, credit: "rewardToGo" },
      "credit with the turn's own reward": { ...later, credit: "reward" },
    },
  },
  "action: LookUp": {
    world: lookUp,
    arms: { "knows how a call is written": lookUp, "knows nothing": { id: "LookUp-v0" } },
  },
} satisfies Readonly<Record<string, Skill>>);

/** The name of a skill. */
export type SkillName = keyof typeof skills;

/** Result of a policy of a given kind for a skill. */
export interface SkillResult {
  /** Exact return of the trained policy. */
  readonly J: number;
  /** From random (0) to optimal (1) in the skill's own world. */
  readonly score: number;
  /** Turns per episode that could not be parsed, first and last tenth of the updates. */
  readonly malformed: readonly [first: number, last: number];
}

const references = new Map<SkillName, { readonly random: number; readonly optimal: number }>();

/** Exact random and optimal return of a skill's world. */
export function skillReference(skill: SkillName): { readonly random: number; readonly optimal: number } {
  let known = references.get(skill);
  if (!known) {
    const env = worldOf(skills[skill].world);
    known = { random: randomReturn(env), optimal: optimalReturn(env).J };
    references.set(skill, known);
  }
  return known;
}

/** Trains an arm of a skill for 100 updates of 8 x 8 and solves what it has learned exactly. */
export async function skillRun(
  skill: SkillName,
  arm: string,
  seed: number,
  updates = 100,
): Promise<SkillResult> {
  const arms: Readonly<Record<string, SkillArm>> = skills[skill].arms;
  const chosen = arms[arm];
  if (!chosen) {
    throw new RangeError(
      `Cannot train a skill: its arm must be one of ${Object.keys(arms).join(", ")}, got "${arm}".`,
    );
  }
  const env = worldOf(chosen);
  const run = train({
    env,
    policy: chosen.policy ?? {},
    recipe: rewardRecipe(chosen.credit ?? "trajectory"),
    updates,
    seed,
  });
  const malformed: number[] = [];
  for await (const { metrics } of run) malformed.push(metrics["tools/malformed"]!);
  const { J } = enumerateReturn(env, run.policy, { gradient: false });
  const tenth = Math.ceil(updates / 10);
  return {
    J,
    score: score(J, skillReference(skill)),
    malformed: [mean(malformed.slice(0, tenth)), mean(malformed.slice(-tenth))],
  };
}

function worldOf({ id, options = {} }: SkillArm): Env {
  return make(id, options);
}

/** One training run: a skill and its arm as "skill|arm". */
export interface SkillJob {
  readonly skillArm: string;
  readonly seed: number;
}

/**
 * `skillRun` as a job of a sweep.
 *
 * @public
 */
export async function skillJob({ skillArm, seed }: SkillJob, { report }: JobContext): Promise<SkillResult> {
  const [skill, arm] = skillArm.split("|") as [SkillName, string];
  const result = await skillRun(skill, arm, seed);
  report(1);
  return result;
}
