import { log } from "../../base/elementary/log";
import { createRng, type Rng } from "../../base/rng";
import { isEnumerable, type Action, type Env, type EnumerableEnv, type StepResult } from "../env";
import { ResetNeededError } from "../errors";
import { EPISODES, fail, same } from "./fail";

/** Agreement as unlikely as this is no chance. */
const NO_CHANCE = log(1e-9);
const ALONE = "a branch must leave its original alone: share no state that changes";

/**
 * Checks the contract of environments that can be branched: a branch is in the same state as the original, goes on as
 * the original could, and neither disturbs the other.
 */
export function checkBranches(env: Env): void {
  if (!env.branch) return;
  expectRefused(env);
  env.reset({ seed: 0 });
  if (!env.branch(0)) return;
  const rng = createRng(4).split("checkEnv");
  const luck = { logAgreement: 0, differed: false };
  for (let i = 0; i < EPISODES; i++) {
    followBranches(env, i, rng.split("branch", i));
    if (isEnumerable(env)) compareWithRules(env, i, rng.split("rules", i), luck);
  }
  if (luck.differed || luck.logAgreement > NO_CHANCE) return;
  fail(env, "a branch draws what the original draws", "give it a stream of its own, split by the number");
}

function expectRefused(env: Env): void {
  env.close();
  try {
    env.branch!(0);
  } catch (error) {
    if (error instanceof ResetNeededError) return;
    throw error;
  }
  fail(env, "branch before reset is accepted", "throw ResetNeededError: there is no episode to branch");
}

/** Branches at every turn of an episode: what they play may depend neither on the original nor on one another. */
function followBranches(env: Env, seed: number, rng: Rng): void {
  const actions = Array.from({ length: env.spec.maxTurns }, () => env.actionSpace.sample(rng));
  env.reset({ seed });
  const alone = play(env, actions);
  env.reset({ seed });
  const branches: { readonly turn: number; readonly later: Env; readonly played: StepResult[] }[] = [];
  const steps: StepResult[] = [];
  for (let turn = 0; turn < alone.length; turn++) {
    const [now, later] = [branchOf(env, turn), branchOf(env, turn)];
    if (now.render() !== env.render()) {
      fail(
        env,
        "a branch stands elsewhere than the original",
        "copy the whole state, with all that wrappers note",
      );
    }
    branches.push({ turn, later, played: play(now, actions.slice(turn)) });
    steps.push(...play(env, actions.slice(turn, turn + 1)));
    same(env, alone.slice(0, turn + 1), steps, "step", ALONE);
  }
  for (const { turn, later, played } of branches) {
    const hint = "the same number must give the same branch, whatever the original did since";
    same(env, played, play(later, actions.slice(turn)), "a branch's step", hint);
  }
}

function branchOf(env: Env, stream: number): Env {
  const branch = env.branch!(stream);
  if (branch) return branch;
  return fail(env, "branch gave undefined in the middle of an episode", "what branches at first must always");
}

function play(env: Env, actions: readonly Action[]): StepResult[] {
  const steps: StepResult[] = [];
  for (const action of actions) {
    const result = running(env, action);
    steps.push(result);
    if (result[2] || result[3]) break;
  }
  return steps;
}

/** An episode that is over too early was ended by its branch, or by its original. */
function running(env: Env, action: Action): StepResult {
  try {
    return env.step(action);
  } catch (error) {
    if (error instanceof ResetNeededError) fail(env, "an episode ended while its branch was played", ALONE);
    throw error;
  }
}

/** A branch must give what the rules list for a state that agrees with all that was seen, and often enough something else. */
function compareWithRules(
  env: EnumerableEnv,
  seed: number,
  rng: Rng,
  luck: { logAgreement: number; differed: boolean },
): void {
  const [observation] = env.reset({ seed });
  const first = JSON.stringify(observation);
  let states = env
    .start()
    .filter((outcome) => JSON.stringify(outcome.observation) === first)
    .map(({ state }) => state);
  for (;;) {
    const action = env.actionSpace.sample(rng);
    const branched = seen(branchOf(env, 0).step(action));
    const step = env.step(action);
    const original = seen(step);
    const lists = states.map((state) => env.transition(state, action));
    const texts = lists.map((list) => list.map(({ observation: o, reward }) => JSON.stringify([o, reward])));
    const possible = texts.map((list) => list.includes(original));
    if (!texts.some((list, i) => possible[i] && list.includes(branched))) {
      fail(
        env,
        `a branch gave ${branched} where the original gave ${original}`,
        "it must stand in the same hidden state",
      );
    }
    if (original !== branched) luck.differed = true;
    if (states.length === 1) {
      const share = lists[0]!.reduce(
        (sum, { probability }, i) => sum + (texts[0]![i] === original ? probability : 0),
        0,
      );
      luck.logAgreement += log(Math.min(1, share));
    }
    if (step[2] || step[3]) return;
    states = lists.flatMap((list, i) =>
      list.flatMap(({ state }, j) => (texts[i]![j] === original ? [state] : [])),
    );
  }
}

function seen([observation, reward]: StepResult): string {
  return JSON.stringify([observation, reward]);
}
