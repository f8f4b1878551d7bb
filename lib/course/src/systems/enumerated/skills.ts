import { createRng } from "turnwise/internal/base/rng";
import { log } from "turnwise/internal/base/elementary/log";
import type { Policy, TabularPolicy } from "turnwise/internal/policy/index";
import type { History } from "turnwise/internal/policy/policy";
import { recipe } from "turnwise/internal/rule/index";
import { collect } from "turnwise/internal/rollout/collect";
import { train } from "turnwise/internal/train/index";
import { commonestSuccess, withAction } from "./grow";
import { costOf, exactReturn, type ArmRun, type Cost, type Outcome } from "./outcome";
import { routines, skillEnv } from "./skillWorld";

interface SkillArm {
  /** The added action: none, the presses of the commonest success so far, or presses that no routine contains. */
  readonly skill: "none" | "found" | "useless";
  /** Probability of the new action in every context, as soon as it is there. */
  readonly prior?: number;
}

/** Actions that are added to the buttons after the first part of the training, and their probability then. */
export const skillArms = Object.freeze({
  "buttons alone": { skill: "none" },
  "skill, prior 1/4": { skill: "found", prior: 0.25 },
  "skill, prior .01": { skill: "found", prior: 0.01 },
  "useless skill, prior 1/4": { skill: "useless", prior: 0.25 },
} satisfies Readonly<Record<string, SkillArm>>);

/** An arm of `skillArms`. */
export type SkillArmName = keyof typeof skillArms;

/** Numbers of presses that the long routines have besides the short one. */
export const skillLengths = Object.freeze([1, 2, 3] as const);

const FIRST = 20;
const SECOND = 80;
const SIZES = { groups: 8, groupSize: 8 } as const;
const EPISODES = SIZES.groups * SIZES.groupSize;
/** Added to the seed of the second part, so that it draws other episodes. */
const LATER = 500_000;
/** No routine contains it. */
const USELESS = [3, 3, 3] as const;

/**
 * Trains GRPO on buttons alone, looks for a skill in 64 more episodes, adds it, and goes on with a new optimizer.
 *
 * All arms draw and look alike: what is found is dropped where none is added.
 */
export async function skillRun(
  { arm, more }: { readonly arm: SkillArmName; readonly more: number },
  { rate, seed, report }: ArmRun,
): Promise<Outcome> {
  const settings: SkillArm = skillArms[arm];
  const rule = recipe("grpo", { update: { optimizer: { kind: "adam", learningRate: rate } } });
  const buttons = skillEnv({ more });
  const first = train({
    env: buttons,
    recipe: rule,
    policy: { memory: "observation" },
    updates: FIRST,
    seed,
    ...SIZES,
  });
  const beginning = await costOf(first, FIRST, (done) => report((done * FIRST) / (FIRST + SECOND)));
  const policy = first.policy as TabularPolicy;
  const rng = createRng(seed).split("skill");
  const seen = collect(buttons, policy, { ...SIZES, rng });
  const looked = seen.turnCount_n.reduce((sum, turns) => sum + turns, 0);
  const found = settings.skill === "useless" ? USELESS : commonestSuccess(seen);
  const skill = settings.skill === "none" ? undefined : found;
  const env = skillEnv({ more, ...(skill && { skill }) });
  const grown = skill ? withAction(policy, env, settings.prior!) : policy;
  const known = exactReturn(skillEnv({ more, task: 0, ...(skill && { skill }) }), grown);
  let skillUses = 0;
  const second = train({ env, recipe: rule, policy: grown, updates: SECOND, seed: seed + LATER, ...SIZES });
  let rest: Cost = { samples: 0, steps: 0, optimizerSteps: 0 };
  for await (const { update, samples, optimizerSteps, metrics } of second) {
    rest = { samples, optimizerSteps, steps: rest.steps + metrics["rollout/steps"]! };
    skillUses += metrics["tools/calls"]! * EPISODES;
    report((FIRST + update) / (FIRST + SECOND));
  }
  const success = exactReturn(env, grown);
  return {
    success,
    second: known,
    trained: success,
    samples: beginning.samples + EPISODES + rest.samples,
    // A skill counts as all of its presses, also where a wrong one has ended the episode before.
    steps: beginning.steps + looked + rest.steps + skillUses * ((skill?.length ?? 1) - 1),
    optimizerSteps: beginning.optimizerSteps + rest.optimizerSteps,
  };
}

/**
 * Share of a short routine of three presses that an agent still solves at once, if it knew it perfectly before a right skill was added.
 *
 * ```
 * q + (1 - q)^3
 * ```
 * At the start the skill solves it, with probability q; else each press must not be the skill.
 */
export function knownAfterGrowth(prior: number): number {
  const skill = routines(skillLengths[0])[0]!;
  const env = skillEnv({ more: skillLengths[0], task: 0, skill });
  const perfect = {
    contextOf: ({ actions }: History) => actions.length,
    nextTokenLogProb: (done: number) =>
      Float64Array.from(env.spec.vocabulary, (_, v) =>
        v === skill[done] ? log(1 - prior) : v === env.spec.vocabulary.length - 1 ? log(prior) : -Infinity,
      ),
  } as unknown as Policy;
  return exactReturn(env, perfect);
}
