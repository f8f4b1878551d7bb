import { log } from "../../base/elementary/log";
import { createRng, type Rng } from "../../base/rng";
import type { Action, ActionClass, Env, EnumerableEnv, Outcome } from "../env";
import { EPISODES, fail, same, shorten } from "./fail";

/** Checks the contract of environments that list their outcomes: true probabilities, pure transitions, true bounds. */
export function checkEnumeration(env: EnumerableEnv): void {
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
    outcomes[rng.categorical(Float64Array.from(outcomes, ({ probability }) => log(probability)))]!;
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
