// Uses internals of turnwise/batch, turnwise/policy.
import assert from "node:assert/strict";
import {
  advantages,
  collect,
  createPolicy,
  createRng,
  make,
  recipe,
  train,
  type Batch,
  type Recipe,
} from "turnwise";
import { inTurns } from "turnwise/search";
import { solved } from "turnwise/internal/batch/solved";
import { silenced } from "turnwise/internal/policy/silenced";
import { counterfactual } from "turnwise/internal/train/stepReward/counterfactual";
import { assertClose } from "../../rule/support";

const choice = { kind: "counterfactual", weight: 0.2, bonus: "event", baseline: "group" } as const;

/** Two agents in a world in which the second may succeed alone: the first one's silence is a turn that looks nothing up. */
const env = inTurns(make("LookUp-v0", { facts: 2, wrongPenalty: 0 }), ["finder", "answerer"]);
const policy = createPolicy(env.spec, { initialScale: 2, seed: 10 });
const rng = createRng(8);
const batch = collect(env, policy, { groups: 40, groupSize: 8, rng });
const [N, T] = batch.shape;
const groups = [...new Set(batch.groupId)];
const members = (group: string): number[] =>
  [...batch.groupId.keys()].filter((n) => batch.groupId[n] === group);
const input = { batch, policy, env, rng: createRng(1), rollout: rng };
const win = (n: number): boolean => solved(batch, n);

/** Outcomes without the finder, played once more by hand: the same starts and draws, and the last word of the vocabulary throughout. */
const last = env.spec.vocabulary.length - 1;
const word =
  env.spec.endToken !== undefined
    ? [env.spec.endToken]
    : Array.from({ length: env.spec.maxTokens }, () => last);
const alone = collect(env, silenced(policy, { agents: ["finder"], action: word }), {
  groups: 40,
  groupSize: 8,
  rng,
});
const wins = (group: string): number => members(group).filter((n) => solved(alone, n)).length;

describe("the counterfactual of the first agent as a step reward", () => {
  it("is a bonus where the team succeeds and the others alone mostly fail, and a malus the other way round", () => {
    const { step_nt, metrics } = counterfactual(input, choice);
    const seen = new Set<number>();
    let turns = 0;
    for (const group of groups) {
      const share = wins(group) / members(group).length;
      for (const n of members(group)) {
        const b = win(n) && share < 0.5 ? 1 : !win(n) && share > 0.5 ? -1 : 0;
        assertClose(step_nt.subarray(n * T, n * T + T), [0.2 * b, 0], 1e-12);
        seen.add(b);
        turns += batch.turnCount_n[n]!;
      }
    }
    assert.deepEqual([...seen].sort(), [-1, 0, 1], "each of the three occurs");
    assertClose([metrics["stepReward/fracJudged"]!], [N / turns], 1e-12);
    const steps = alone.turnCount_n.reduce((a, b) => a + b, 0);
    assertClose([metrics["stepReward/evaluations"]!], [steps / N], 1e-12);
  });

  it("can compare with the trajectory's own outcome, and pay half the difference", () => {
    const own = counterfactual(input, { ...choice, baseline: "own" }).step_nt;
    const half = counterfactual(input, { ...choice, bonus: "difference", weight: 1 }).step_nt;
    for (let n = 0; n < N; n++) {
      const b = Number(win(n)) - Number(solved(alone, n));
      const share = wins(batch.groupId[n]!) / 8;
      assertClose([own[n * T]!, half[n * T]!], [0.2 * b, Number(win(n)) - share], 1e-12);
    }
  });

  it("refuses a bonus that it does not know", () => {
    assert.throws(() => recipe("ccpo", { reward: { step: { bonus: "events" as never } } }), {
      name: "RangeError",
      message: /reward\.step\.bonus must be "event" or "difference", got "events"/,
    });
  });
});

describe("ccpo", function () {
  this.timeout(60_000);
  const credited = (rule: Recipe, step: { readonly weight?: number } = {}): Float64Array => {
    const { step_nt } = counterfactual(input, { ...choice, ...step });
    return advantages({ ...batch, step_nt } as Batch, rule).advantage_ntl;
  };

  it("only makes the first agent's advantages larger, by 1 + lambda / 2 in every group that is not split in half", () => {
    const [plain, paid] = [
      credited(recipe("ccpo"), { weight: 0 }),
      credited(recipe("ccpo"), { weight: 0.6 }),
    ];
    const L = batch.shape[2];
    let [multiplied, same] = [0, 0];
    for (const group of groups) {
      const factor = wins(group) === 4 ? 1 : 1.3;
      for (const n of members(group)) {
        for (let i = n * T * L; i < (n + 1) * T * L; i++) {
          const first = Math.floor(i / L) % T === 0;
          assertClose([paid[i]!], [(first ? factor : 1) * plain[i]!], 1e-12);
          if (!first || plain[i] === 0) continue;
          if (factor === 1) same++;
          else multiplied++;
        }
      }
    }
    assert.ok(multiplied > 0 && same > 0, "groups of both kinds");
  });

  it("divided by the group's deviation, changes nothing", () => {
    const scaled = recipe("ccpo", { scale: { kind: "group", epsilon: 0 } });
    assertClose(credited(scaled, { weight: 0.6 }), credited(scaled, { weight: 0 }), 1e-12);
  });

  it("without its bonus is GRPO with a baseline for each agent, no deviation and twice the reward, bit by bit", async () => {
    const trained = async (row: Recipe): Promise<number[]> => {
      const run = train({ env: "HandOver-v0", updates: 4, seed: 1, groups: 2, groupSize: 4, recipe: row });
      for await (const _ of run);
      return [...run.policy.parameters];
    };
    assert.deepEqual(
      await trained(recipe("ccpo", { reward: { step: { weight: 0 } } })),
      await trained(
        recipe("grpo", {
          advantage: { kind: "mean", groupBy: "taskAgent", allowSingleton: true },
          scale: "none",
          aggregate: "tokenMean",
          reward: { environment: 2 },
        }),
      ),
    );
  });

  it("learns to hand over, and in a world of one agent", async () => {
    for (const world of ["HandOver-v0", "LookUp-v0"]) {
      const run = train({ env: world, recipe: "ccpo", updates: 60, seed: 0, exactEvery: 60 });
      let last = 0;
      for await (const { metrics } of run) last = metrics["return/exact"] ?? last;
      assert.ok(last > 0.25, `${world}: ${last}`);
    }
  });
});
