import { createRng, type Rng } from "../base/rng";
import {
  isEnumerable,
  type Action,
  type ActionClass,
  type Env,
  type EnumerableEnv,
  type Outcome,
  type StepResult,
} from "./env";
import { EnvContractError, ResetNeededError } from "./errors";

const EPISODES = 20;

/**
 * Throws `EnvContractError` at the first broken promise of the contract, with the likely cause.
 *
 * It plays random episodes: spaces, order, determinism under a seed, shared starts within a group, episode length,
 * finite rewards, untouched actions; and for an enumerable environment that probabilities sum to 1, that
 * `transition` is pure, and that what `reset` and `step` do is among what `start` and `transition` list, as often as they say,
 * and that returns stay within `returnBounds`.
 *
 * @see Gymnasium, gymnasium/utils/env_checker.py
 */
export function checkEnv(env: Env): void {
  checkSpec(env);
  checkOrder(env);
  checkSeeds(env);
  const rng = createRng(1).split("checkEnv");
  for (let i = 0; i < EPISODES; i++) {
    const first = playEpisode(env, i, 0, rng.split("actions", i));
    const second = playEpisode(env, i, 0, rng.split("actions", i));
    same(env, first, second, "step", "is it drawing from anything but the generator of reset({ seed })?");
  }
  if (isEnumerable(env)) checkEnumeration(env);
}

function fail(env: Env, problem: string, hint: string): never {
  throw new EnvContractError(`${env.spec.id}: ${problem} (${hint})`);
}

function checkSpec(env: Env): void {
  const { id, vocabulary, observationVocabulary, maxTurns, maxTokens, endToken, skill } = env.spec;
  if (!/^[A-Za-z][A-Za-z0-9]*-v\d+$/.test(id)) fail(env, `spec.id is "${id}"`, 'it must look like "Name-v0"');
  if (!skill) fail(env, "spec.skill is empty", "say which one skill the environment isolates");
  const tokens = [...vocabulary, ...observationVocabulary];
  if (vocabulary.length === 0) fail(env, "spec.vocabulary is empty", "an agent needs tokens to write");
  if (new Set(tokens).size !== tokens.length) {
    fail(env, "spec.vocabulary and spec.observationVocabulary repeat a token", "names must be unique");
  }
  if (!Number.isInteger(maxTurns) || maxTurns < 1) {
    fail(env, `spec.maxTurns is ${maxTurns}`, "it must be a whole number >= 1");
  }
  if (!Number.isInteger(maxTokens) || maxTokens < 1) {
    fail(env, `spec.maxTokens is ${maxTokens}`, "it must be a whole number >= 1");
  }
  if (endToken !== undefined && vocabulary[endToken] === undefined) {
    fail(env, `spec.endToken is ${endToken}`, "it must be a token of the vocabulary");
  }
}

function checkOrder(env: Env): void {
  const rng = createRng(2);
  env.close();
  expectResetNeeded(env, rng, "step before reset");
  env.reset({ seed: 0 });
  for (let turn = 0; ; turn++) {
    const result = env.step(env.actionSpace.sample(rng));
    if (result[2] || result[3]) break;
    if (turn > env.spec.maxTurns) fail(env, "an episode does not end", "count turns up to spec.maxTurns");
  }
  expectResetNeeded(env, rng, "step after the end of the episode");
  env.reset();
  for (const action of [
    [],
    [-1],
    [env.spec.vocabulary.length],
    new Array<number>(env.spec.maxTokens + 1).fill(0),
  ]) {
    try {
      env.step(action);
    } catch (error) {
      if (error instanceof RangeError || error instanceof TypeError) continue;
      throw error;
    }
    fail(
      env,
      `step(${JSON.stringify(action)}) is accepted`,
      "refuse what is outside actionSpace with a RangeError",
    );
  }
}

function expectResetNeeded(env: Env, rng: Rng, when: string): void {
  try {
    env.step(env.actionSpace.sample(rng));
  } catch (error) {
    if (error instanceof ResetNeededError) return;
    throw error;
  }
  fail(env, `${when} is accepted`, "throw ResetNeededError, or wrap it in orderEnforcing");
}

function checkSeeds(env: Env): void {
  for (const seed of [-1, 0.5, NaN]) {
    try {
      env.reset({ seed });
    } catch (error) {
      if (error instanceof RangeError) continue;
      throw error;
    }
    fail(env, `reset({ seed: ${seed} }) is accepted`, "refuse it with a RangeError, as createRng does");
  }
  for (let seed = 0; seed < EPISODES; seed++) {
    const [first] = env.reset({ seed });
    const [again] = env.reset({ seed });
    same(env, first, again, "reset", "the same seed must give the same start: derive every draw from it");
    const [member] = env.reset({ seed, member: 1 });
    same(
      env,
      first,
      member,
      "reset",
      "members of a group must share the start state: draw it from the seed alone",
    );
  }
}

interface Played {
  readonly observations: unknown[];
  readonly steps: unknown[];
}

function playEpisode(env: Env, seed: number, member: number, rng: Rng): Played {
  const [observation, info] = env.reset({ seed, member });
  if (!env.observationSpace.contains(observation)) {
    fail(
      env,
      `reset returned ${JSON.stringify(observation)}`,
      `it must be in ${env.observationSpace.toString()}`,
    );
  }
  if (typeof info !== "object") fail(env, "reset returned no info", "return [observation, {}]");
  const played: Played = { observations: [observation], steps: [] };
  for (let turn = 1; ; turn++) {
    const action = Object.freeze([...env.actionSpace.sample(rng)]) as Action;
    if (!env.actionSpace.contains(action)) {
      fail(
        env,
        `actionSpace.sample drew ${JSON.stringify(action)}`,
        "contains() must accept what sample() draws",
      );
    }
    const result = env.step(action);
    checkStep(env, result);
    played.steps.push(result);
    if (typeof env.render() !== "string") fail(env, "render returned no text", "return a string");
    if (result[2] || result[3]) return played;
    if (turn >= env.spec.maxTurns) {
      fail(env, `an episode goes on after ${turn} turns`, "end it at spec.maxTurns, or wrap it in timeLimit");
    }
  }
}

function checkStep(env: Env, result: StepResult): void {
  const [observation, reward, terminated, truncated, info] = result;
  if (!env.observationSpace.contains(observation)) {
    fail(
      env,
      `step returned ${JSON.stringify(observation)}`,
      `it must be in ${env.observationSpace.toString()}`,
    );
  }
  if (!Number.isFinite(reward)) fail(env, `step returned the reward ${reward}`, "it must be a finite number");
  if (typeof terminated !== "boolean" || typeof truncated !== "boolean") {
    fail(env, `step returned the flags ${terminated}, ${truncated}`, "both must be true or false");
  }
  if (typeof info !== "object") fail(env, "step returned no info", "return {} as its last entry");
}

function same(env: Env, a: unknown, b: unknown, where: string, hint: string): void {
  const [left, right] = [JSON.stringify(a), JSON.stringify(b)];
  if (left !== right) fail(env, `${where} gave ${shorten(left)} and then ${shorten(right)}`, hint);
}

function shorten(text: string): string {
  return text.length > 200 ? `${text.slice(0, 200)}...` : text;
}

function checkEnumeration(env: EnumerableEnv): void {
  expectDistribution(env, env.start(), "start");
  checkStartFrequencies(env);
  const rng = createRng(3).split("checkEnv");
  const classes = env.actionClasses?.();
  if (classes) checkShares(env, classes);
  for (let i = 0; i < EPISODES; i++) followEpisode(env, i, rng.split("follow", i), classes);
  for (let i = 0; env.returnBounds && i < 10 * EPISODES; i++) checkBounds(env, rng.split("bounds", i));
}

/** A random walk: what was still to come after each state must lie within the bounds of that state. */
function checkBounds(env: EnumerableEnv, rng: Rng): void {
  const draw = (outcomes: readonly Outcome<unknown>[]): Outcome<unknown> =>
    outcomes[rng.categorical(Float64Array.from(outcomes, ({ probability }) => Math.log(probability)))]!;
  const states: unknown[] = [draw(env.start()).state];
  const rewards: number[] = [];
  for (let over = false; !over && rewards.length < env.spec.maxTurns;) {
    const outcome = draw(env.transition(states.at(-1), env.actionSpace.sample(rng)));
    rewards.push(outcome.reward);
    states.push(outcome.state);
    over = outcome.terminated;
  }
  let toCome = 0;
  for (let t = states.length - 1; t >= 0; t--) {
    toCome += rewards[t] ?? 0;
    const bounds = env.returnBounds!(states[t]);
    if (!bounds || (toCome >= bounds.least - 1e-9 && toCome <= bounds.most + 1e-9)) continue;
    fail(
      env,
      `an episode still returned ${toCome} where returnBounds says ${bounds.least} to ${bounds.most}`,
      "bounds must hold for every policy and every outcome",
    );
  }
}

function expectDistribution(env: Env, outcomes: readonly Outcome<unknown>[], where: string): void {
  const total = outcomes.reduce((sum, outcome) => sum + outcome.probability, 0);
  if (Math.abs(total - 1) > 1e-9 || outcomes.some((outcome) => !(outcome.probability > 0))) {
    fail(
      env,
      `${where} lists probabilities that sum to ${total}`,
      "list every outcome once, each above 0, summing to 1",
    );
  }
}

/** Follows the set of hidden states that agree with what was seen; it must never become empty. */
function followEpisode(
  env: EnumerableEnv,
  seed: number,
  rng: Rng,
  classes: readonly ActionClass[] | undefined,
): void {
  const [observation] = env.reset({ seed });
  let states = env
    .start()
    .filter((outcome) => JSON.stringify(outcome.observation) === JSON.stringify(observation))
    .map((outcome) => outcome.state);
  for (;;) {
    const action = env.actionSpace.sample(rng);
    const before = JSON.stringify(states);
    const outcomes = states.map((state) => env.transition(state, action));
    same(
      env,
      outcomes,
      states.map((state) => env.transition(state, action)),
      "transition",
      "it must be a pure function",
    );
    if (JSON.stringify(states) !== before) fail(env, "transition changed its state", "return a new state");
    for (const list of outcomes) expectDistribution(env, list, "transition");
    if (classes) expectRepresented(env, states[0], action, classes);
    const [seen, reward, terminated, truncated] = env.step(action);
    const seenText = JSON.stringify(seen);
    states = outcomes.flat().flatMap((outcome) => {
      const agrees =
        JSON.stringify(outcome.observation) === seenText &&
        Math.abs(outcome.reward - reward) < 1e-12 &&
        outcome.terminated === (terminated || truncated);
      return agrees ? [outcome.state] : [];
    });
    if (states.length === 0) {
      fail(env, `step gave ${shorten(seenText)}, reward ${reward}`, "transition does not list this outcome");
    }
    if (terminated || truncated) return;
  }
}

function expectRepresented(
  env: EnumerableEnv,
  state: unknown,
  action: Action,
  among: readonly ActionClass[],
): void {
  const effect = (candidate: Action): string =>
    JSON.stringify(env.transition(state, candidate).map(({ info: _info, ...rest }) => rest));
  const wanted = effect(action);
  if (!among.some(({ action: candidate }) => effect(candidate) === wanted)) {
    fail(
      env,
      `no representative action does what ${JSON.stringify(action)} does`,
      "list one action per effect",
    );
  }
}

/** Observed frequencies of the first observation within five standard errors of the listed probabilities. */
function checkStartFrequencies(env: EnumerableEnv): void {
  const draws = 1000;
  const expected = new Map<string, number>();
  for (const { observation, probability } of env.start()) {
    const key = JSON.stringify(observation);
    expected.set(key, (expected.get(key) ?? 0) + probability);
  }
  const count = new Map<string, number>();
  for (let seed = 0; seed < draws; seed++) {
    const key = JSON.stringify(env.reset({ seed })[0]);
    count.set(key, (count.get(key) ?? 0) + 1);
  }
  for (const [key, probability] of expected) {
    const frequency = (count.get(key) ?? 0) / draws;
    const standardError = Math.sqrt((probability * (1 - probability)) / draws);
    if (Math.abs(frequency - probability) > 5 * standardError + 1e-12) {
      fail(
        env,
        `reset shows ${shorten(key)} ${frequency} of the time`,
        `start lists the probability ${probability}`,
      );
    }
  }
  for (const key of count.keys()) {
    if (!expected.has(key)) fail(env, `reset shows ${shorten(key)}`, "start does not list it");
  }
}

function checkShares(env: EnumerableEnv, classes: readonly ActionClass[]): void {
  const total = classes.reduce((sum, { share }) => sum + share, 0);
  if (Math.abs(total - 1) > 1e-9)
    fail(env, `the shares of actionClasses sum to ${total}`, "they must sum to 1");
  for (const { action } of classes) {
    if (!env.actionSpace.contains(action)) {
      fail(env, `actionClasses lists ${JSON.stringify(action)}`, "it must be in actionSpace");
    }
  }
}
