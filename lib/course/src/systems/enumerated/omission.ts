import type { Policy } from "turnwise/internal/policy/index";
import type { History } from "turnwise/internal/policy/policy";
import { recipe } from "turnwise/internal/rule/index";
import { train } from "turnwise/internal/train/index";
import { omissionEnv, type Omission } from "./omissionWorld";
import { costOf, exactReturn, type ArmRun, type Outcome } from "./outcome";

/** Weight of the saving, as released. */
export const RELEASED_WEIGHT = 0.2;

/** Payments, and whether pages can be left out, while GRPO trains. */
export const omissionArms = Object.freeze({
  "reads everything": { pay: "answer", canOmit: false },
  "paid for the answer": { pay: "answer" },
  "paid for saving too": { pay: "answer and saving", weight: RELEASED_WEIGHT },
  "paid for saving always": { pay: "answer and saving, not gated", weight: RELEASED_WEIGHT },
} satisfies Readonly<Record<string, Omission>>);

/** An arm of `omissionArms`. */
export type OmissionArm = keyof typeof omissionArms;

const UPDATES = 120;

/** Trains GRPO on 8 x 8 episodes an update from a uniform table; then enumerates how often it answers right, and what it reads. */
export async function omissionRun(arm: OmissionArm, { rate, seed, report }: ArmRun): Promise<Outcome> {
  const world: Omission = omissionArms[arm];
  const env = omissionEnv(world);
  const run = train({
    env,
    recipe: recipe("grpo", { update: { optimizer: { kind: "adam", learningRate: rate } } }),
    policy: { memory: "turnObservation" },
    updates: UPDATES,
    seed,
  });
  const cost = await costOf(run, UPDATES, report);
  const canOmit = world.canOmit ?? true;
  return {
    success: exactReturn(omissionEnv({ pay: "answer", canOmit }), run.policy),
    second: exactReturn(omissionEnv({ pay: "units", canOmit }), run.policy),
    trained: exactReturn(env, run.policy),
    ...cost,
  };
}

/** Deeds of a plan with the page that states the value: note it with a thought, note it without one, or leave it out and guess. */
const deeds = ["think, keep", "keep", "omit"] as const;

/**
 * The best that an agent can do that knows its context alone: how often it answers right, and how much it reads.
 *
 * Three deeds are open where a value comes up, at each of three turns, and no filler is worth its unit: so one of 27 plans is best. All of them
 * are enumerated. Of equals, the plan that reads least is taken.
 */
export function omissionOptimum(world: Omission): {
  readonly J: number;
  readonly success: number;
  readonly units: number;
} {
  const plans = deeds.flatMap((a) => deeds.flatMap((b) => deeds.map((c) => [a, b, c])));
  const env = omissionEnv(world);
  const valued = plans.map((plan) => {
    const policy = planned(plan);
    return {
      policy,
      J: exactReturn(env, policy),
      units: exactReturn(omissionEnv({ ...world, pay: "units" }), policy),
    };
  });
  const best = valued.reduce((a, b) => (b.J > a.J + TIE || (b.J > a.J - TIE && b.units < a.units) ? b : a));
  return {
    J: best.J,
    units: best.units,
    success: exactReturn(omissionEnv({ ...world, pay: "answer" }), best.policy),
  };
}

const TIE = 1e-12;

/** A policy that leaves out fillers, treats the value as planned for its turn, and answers what its context states, else 1. */
function planned(plan: readonly (typeof deeds)[number][]): Policy {
  const { vocabulary, observationVocabulary } = omissionEnv({ pay: "answer" }).spec;
  const word = (turn: number, names: readonly string[]): string => {
    const page = names.at(-1)!;
    if (page === "question") return names.length > 1 ? names[0]!.replace("value", "answer") : "answer-1";
    return page.startsWith("value") ? plan[turn]! : "omit";
  };
  return {
    contextOf: ({ observations, actions }: History) => ({
      turn: actions.length,
      names: observations.at(-1)!.tokens.map((token) => observationVocabulary[token - vocabulary.length]!),
    }),
    nextTokenLogProb: ({ turn, names }: { readonly turn: number; readonly names: readonly string[] }) =>
      Float64Array.from(vocabulary, (one) => (one === word(turn, names) ? 0 : -Infinity)),
  } as unknown as Policy;
}
