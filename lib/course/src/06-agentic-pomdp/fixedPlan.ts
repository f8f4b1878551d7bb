import { Wrapper, type Env, type Observation } from "turnwise/internal/env/index";
import { optimalReturn, randomReturn, score } from "turnwise/internal/exact/index";

/** Worlds small enough to try every plan, from the one in which it gets everything to the one in which it gets nothing. */
export const plannedWorlds = Object.freeze([
  "Sokoban-v0",
  "KeyDoor-v0",
  "TMaze-v0",
  "MemoryDesk-v0",
  "ToolChain-v0",
  "Calculator-v0",
  "Codebreaker-v0",
  "LookUp-v0",
] as const);

const nothing: Observation = { tokens: [], text: "" };

/** Shows how an episode begins, and nothing after that. */
class Blindfold extends Wrapper {
  constructor(inner: Env) {
    super(inner);
    const { transition } = this;
    if (!transition) return;
    this.transition = (state, action) =>
      transition(state, action).map((outcome) => ({ ...outcome, observation: nothing }));
  }

  protected override rewrap(inner: Env): Env {
    return new Blindfold(inner);
  }
}

/** Return of a plan that is fixed after the first observation, compared with the best agent that looks at every one. */
export interface FixedPlan {
  readonly world: string;
  /** Exact returns of the agent that acts at random, of the best plan, and of the best agent. */
  readonly random: number;
  readonly plan: number;
  readonly agent: number;
  /** The plan's return from random (0) to the best agent (1). */
  readonly score: number;
}

/**
 * The best that a plan can get which is written down after the first observation and then carried out with eyes shut, exactly.
 *
 * Where it gets all that the best agent gets, the task is a bandit with long answers: nothing that happens on the way matters.
 *
 * @throws {TypeError} if the environment cannot be enumerated
 * @throws {RangeError} if there are too many plans to try
 * @example
 * import { make } from "turnwise";
 * import { fixedPlan } from "turnwise-course/agentic-pomdp";
 * fixedPlan(make("LookUp-v0")).plan; // => 0
 * fixedPlan(make("KeyDoor-v0")).score; // => 1
 */
export function fixedPlan(env: Env): FixedPlan {
  const random = randomReturn(env);
  const agent = optimalReturn(env).J;
  const plan = optimalReturn(new Blindfold(env)).J;
  return { world: env.spec.id, random, plan, agent, score: score(plan, { random, optimal: agent }) };
}
