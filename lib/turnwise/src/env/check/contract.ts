import { createRng, type Rng } from "../../base/rng";
import type { Action, Env, Observation, StepResult } from "../env";
import { ResetNeededError } from "../errors";
import { EPISODES, fail, same } from "./fail";

/** Checks the contract of every environment: a sound spec, the order of calls, seeds, spaces, and episodes that end. */
export function checkContract(env: Env): void {
  checkSpec(env);
  checkOrder(env);
  checkSeeds(env);
  const rng = createRng(1).split("checkEnv");
  for (let i = 0; i < EPISODES; i++) {
    const first = playEpisode(env, i, 0, rng.split("actions", i));
    const second = playEpisode(env, i, 0, rng.split("actions", i));
    same(env, first, second, "step", "is it drawing from anything but the generator of reset({ seed })?");
  }
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
    fail(env, `spec.maxTurns is ${maxTurns}`, "it must be an integer >= 1");
  }
  if (!Number.isInteger(maxTokens) || maxTokens < 1) {
    fail(env, `spec.maxTokens is ${maxTokens}`, "it must be an integer >= 1");
  }
  if (endToken !== undefined && vocabulary[endToken] === undefined) {
    fail(env, `spec.endToken is ${endToken}`, "it must be a token of the vocabulary");
  }
  checkParts(env);
}

function checkParts(env: Env): void {
  const { agents, roles, maxTokens } = env.spec;
  if (agents && (agents.length === 0 || new Set(agents).size !== agents.length)) {
    fail(
      env,
      `spec.agents is ${JSON.stringify(agents)}`,
      "name each agent once, or leave it out for a single one",
    );
  }
  if (roles && roles.length !== maxTokens) {
    fail(
      env,
      `spec.roles has ${roles.length} entries`,
      `give each of the ${maxTokens} places of a turn its role`,
    );
  }
}

/** Before a turn, an observation names the agent that takes it, where there are several. */
function checkAgent(env: Env, { agent }: Observation): void {
  const { agents } = env.spec;
  if (agents ? agent !== undefined && agents.includes(agent) : agent === undefined) return;
  fail(
    env,
    `an observation before a turn says the agent is ${JSON.stringify(agent)}`,
    agents ? `name one of spec.agents, ${JSON.stringify(agents)}` : "list it in spec.agents, or leave it out",
  );
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
  checkAgent(env, observation);
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
    checkAgent(env, result[0]);
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
  if (env.spec.roles?.includes("switch") && typeof info["switched"] !== "boolean") {
    fail(
      env,
      "step reports no info.switched",
      "spec.roles has a switch decision: say whether the turn switched",
    );
  }
}
