import assert from "node:assert/strict";
import {
  checkEnv,
  make,
  type Action,
  type Env,
  type EnumerableEnv,
  checklistReward,
  createRng,
} from "turnwise";
import { randomReturn } from "turnwise/exact";
import { writeTurn, type Milestone, type ToolState } from "turnwise/internal/env/index";
import { expectGolden, transcript, type Agent, type Seen } from "../transcript";

export interface Battery {
  readonly id: string;
  /** Settings that the whole battery runs on; the first is the default that transcripts show. */
  readonly variants: readonly Readonly<Record<string, unknown>>[];
  /** The text of the expert's next turn, from what was seen alone. */
  readonly expert: (seen: Seen, env: Env) => string;
  /** As the environment documents them. */
  readonly milestones: readonly Milestone[];
  /** A turn that every judge takes for work and that changes nothing, and one that hands in a guess. */
  readonly idle: string;
  readonly guess: string;
  /** A refused call still lets time pass. */
  readonly worldMovesOn?: boolean;
  /** The random agent stays below this mean return. Default 0.05. */
  readonly randomBelow?: number;
  /** Too many states to enumerate in a moment. */
  readonly randomBySampling?: boolean;
  /** Options that make every call free. */
  readonly withoutCosts?: Readonly<Record<string, number>>;
}

const FUZZ = 100_000;

/** What every environment with tools promises, proved for each setting. */
export function promisesOfToolEnv(b: Battery): void {
  const expertOf =
    (env: Env): Agent =>
    (seen) =>
      writeTurn(env.spec, b.expert(seen, env));

  for (const variant of b.variants) {
    const title = JSON.stringify(variant);
    it(`keeps the contract with ${title}`, () => {
      checkEnv(make(b.id, variant));
    });

    it(`pays a scripted expert a true score of 1 with ${title}`, () => {
      const env = make(b.id, variant);
      for (let seed = 0; seed < 30; seed++) {
        const { infos, total } = play(env, seed, expertOf(env));
        assert.equal(infos.at(-1)!["trueScore"], 1, `seed ${seed}`);
        assert.equal(infos.at(-1)!["success"], true);
        assert.ok(Math.abs(total - 1) < 1e-12, `seed ${seed}: ${total}`);
      }
    });
  }

  it("writes the golden transcript of an expert and of a random agent", () => {
    const env = make(b.id, b.variants[0]!);
    const rng = createRng(7);
    const random: Agent = () => env.actionSpace.sample(rng);
    expectGolden(
      b.id,
      [transcript(env, "expert", 0, expertOf(env)), transcript(env, "random agent", 1, random)].join("\n"),
    );
  });

  it("plays the same episode twice from the same seed, member and actions", () => {
    const env = make(b.id, b.variants.at(-1)!);
    const twin = make(b.id, b.variants.at(-1)!);
    for (let seed = 0; seed < 20; seed++) {
      assert.deepEqual(play(env, seed, randomAgent(env, seed)), play(twin, seed, randomAgent(twin, seed)));
    }
  });

  it(`survives ${FUZZ} random turns without an error or a changed state`, function () {
    this.timeout(60_000);
    const env = make(b.id, { ...b.variants[0]!, distractors: 2 }) as EnumerableEnv<ToolState<unknown>>;
    const rng = createRng(11);
    const starts = env.start().map(({ state }) => deepFreeze(state));
    let state = starts[0]!;
    const met = new Set<string>();
    for (let i = 0; i < FUZZ; i++) {
      const action = env.actionSpace.sample(rng);
      const outcomes = env.transition(state, action);
      const outcome = outcomes[outcomes.length === 1 ? 0 : rng.below(outcomes.length)]!;
      const { observation, reward, terminated, info } = outcome;
      assert.ok(Number.isFinite(reward) && env.observationSpace.contains(observation));
      assert.ok(outcome.state.turn === state.turn + 1);
      if (info!["refused"]) {
        met.add(observation.text);
        assert.match(observation.text, /^error: /);
        if (!b.worldMovesOn) assert.equal(outcome.state.task, state.task);
      }
      state = terminated ? starts[rng.below(starts.length)]! : deepFreeze(outcome.state);
    }
    assert.ok(met.size >= 2, "random turns meet several errors");
  });

  it("refuses turns outside the action space and goes on as if they had not been written", () => {
    const env = make(b.id);
    const rng = createRng(5);
    const agent = expertOf(env);
    const disturbed: Agent = (seen) => {
      const size = env.spec.vocabulary.length;
      const outside = [
        [],
        [size],
        [-1],
        [0.5],
        new Array<number>(env.spec.maxTokens + 1 + rng.below(9)).fill(0),
      ];
      for (const action of outside) assert.throws(() => env.step(action), RangeError);
      return agent(seen);
    };
    for (let seed = 0; seed < 10; seed++) {
      assert.deepEqual(play(env, seed, disturbed), play(env, seed, agent));
    }
  });

  it("a distractor tool answers, uses its turn, and brings nobody further", () => {
    const env = make(b.id, { distractors: 1 });
    env.reset({ seed: 0 });
    const [observation, reward, , , info] = env.step(writeTurn(env.spec, "CLOCK"));
    assert.match(observation.text, /^result: nothing of use/);
    assert.deepEqual([reward, info["tool"], info["passed"]], [0, "CLOCK", []]);
  });

  it("turnCost is charged for every turn, turnLimit and tokenLimit set the size of an episode", () => {
    const plain = make(b.id);
    const { turns, total } = play(plain, 2, expertOf(plain));
    const costly = make(b.id, { turnCost: 0.01 });
    assert.ok(Math.abs(play(costly, 2, expertOf(costly)).total - (total - 0.01 * turns)) < 1e-12);
    const { maxTurns, maxTokens } = make(b.id, {
      turnLimit: plain.spec.maxTurns + 4,
      tokenLimit: plain.spec.maxTokens + 2,
    }).spec;
    assert.deepEqual([maxTurns, maxTokens], [plain.spec.maxTurns + 4, plain.spec.maxTokens + 2]);
    assert.throws(() => make(b.id, { tokenLimit: 1 }), {
      name: "RangeError",
      message: `Cannot make ${b.id}: tokenLimit must be at least ${plain.spec.maxTokens}, the longest call, got 1.`,
    });
  });

  it("the verification signal leaves every return as it was and pays before the last turn", () => {
    const outcome = make(b.id, { reward: "outcome" });
    const verification = make(b.id, { reward: "verification" });
    let early = 0;
    for (let seed = 0; seed < 30; seed++) {
      for (const agentOf of [expertOf, (env: Env) => mixed(env, expertOf(env), seed)]) {
        const a = play(outcome, seed, agentOf(outcome));
        const v = play(verification, seed, agentOf(verification));
        assert.ok(Math.abs(a.total - v.total) < 1e-12);
        early += v.rewards.slice(0, -1).filter((reward) => reward > 0).length;
      }
    }
    assert.ok(early > 0);
  });

  it("the checklist pays what the checklist rule makes of the milestones that were passed", () => {
    const env = make(b.id, { reward: "checklist", ...b.withoutCosts });
    for (let seed = 0; seed < 30; seed++) {
      const { rewards, infos } = play(env, seed, mixed(env, expertOf(env), seed));
      const expected = checklistReward(
        b.milestones,
        infos.map((info) => info["passed"] as string[]),
      );
      rewards.forEach((reward, t) => assert.ok(Math.abs(reward - expected[t]!) < 1e-12));
    }
    assert.ok(Math.abs(play(env, 0, expertOf(env)).total - 1) < 1e-12, "an expert passes everything");
  });

  it("the proxy is gamed: idle calls and a guess get all of it, whatever the true score", () => {
    const env = make(b.id, { reward: "proxy", distractors: 1 });
    const gamer: Agent = ({ actions }) =>
      writeTurn(env.spec, actions.length < env.spec.maxTurns - 1 ? b.idle : b.guess);
    let trueScore = 0;
    for (let seed = 0; seed < 50; seed++) {
      const { total, infos } = play(env, seed, gamer);
      // T calls without an error at 1/(2T), and 1/2 for handing in.
      assert.ok(Math.abs(total - 1) < 1e-12);
      trueScore += (infos.at(-1)!["trueScore"] as number) / 50;
      assert.ok(Math.abs(infos.reduce((sum, info) => sum + (info["proxy"] as number), 0) - total) < 1e-12);
    }
    assert.ok(trueScore < 0.6, `the gamer's true score is ${trueScore}`);
    const honest = play(env, 0, expertOf(env));
    assert.equal(honest.infos.at(-1)!["trueScore"], 1);
    assert.ok(honest.total <= 1);
  });

  it("the random agent scores near 0", () => {
    const env = make(b.id) as EnumerableEnv;
    const listed = !b.randomBySampling && env.actionClasses?.() !== undefined;
    const random = listed ? randomReturn(env) : meanOfRandom(env);
    assert.ok(random >= 0 && random < (b.randomBelow ?? 0.05), `random gets ${random}`);
  });

  it("names the option that it does not know or cannot use", () => {
    assert.throws(() => make(b.id, { levle: 2 }), {
      name: "RangeError",
      message: /unknown option "/,
    });
    assert.throws(() => make(b.id, { level: 9 }), {
      name: "RangeError",
      message: /level must be an integer from 1 to \d, got 9\.$/,
    });
    assert.throws(() => make(b.id, { reward: "praise" }), {
      name: "RangeError",
      message: `Cannot make ${b.id}: reward must be "outcome" or "verification" or "checklist" or "proxy", got "praise".`,
    });
  });
}

interface Played {
  readonly observations: readonly string[];
  readonly rewards: readonly number[];
  readonly infos: readonly Readonly<Record<string, unknown>>[];
  readonly total: number;
  readonly turns: number;
}

export function play(env: Env, seed: number, agent: Agent): Played {
  const [first] = env.reset({ seed });
  const observations = [first];
  const actions: Action[] = [];
  const rewards: number[] = [];
  const infos: Readonly<Record<string, unknown>>[] = [];
  for (;;) {
    const action = agent({ observations, actions });
    const [observation, reward, terminated, truncated, info] = env.step(action);
    observations.push(observation);
    actions.push(action);
    rewards.push(reward);
    infos.push(info);
    if (!terminated && !truncated) continue;
    return {
      observations: observations.map(({ text }) => text),
      rewards,
      infos,
      total: rewards.reduce((sum, reward) => sum + reward, 0),
      turns: rewards.length,
    };
  }
}

function randomAgent(env: Env, seed: number): Agent {
  const rng = createRng(seed).split("random agent");
  return () => env.actionSpace.sample(rng);
}

/** The expert, who now and then writes at random. */
function mixed(env: Env, expert: Agent, seed: number): Agent {
  const rng = createRng(seed).split("mixed agent");
  return (seen) => (rng.next() < 0.3 ? env.actionSpace.sample(rng) : expert(seen));
}

function meanOfRandom(env: Env): number {
  let total = 0;
  for (let seed = 0; seed < 500; seed++) total += play(env, seed, randomAgent(env, seed)).total / 500;
  return total;
}

/** Makes a change of the state an error. */
function deepFreeze<X>(value: X): X {
  if (typeof value === "object" && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const inner of Object.values(value)) deepFreeze(inner);
  }
  return value;
}
