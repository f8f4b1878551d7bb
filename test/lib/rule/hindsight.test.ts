// Uses internals of turnwise/batch, turnwise/train.
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
  type RecipeOverrides,
} from "turnwise";
import { Hindsight } from "turnwise/internal/train/stepReward/hindsight";
import { solved } from "turnwise/internal/batch/solved";
import { assertClose, batchOf } from "./support";

const rule = (advantage: object = {}, overrides: RecipeOverrides = {}) =>
  recipe("hcapo", { scale: "none", advantage: { gamma: 0.5, ...advantage }, ...overrides });

const credited = (batch: Batch, advantage?: object): Float64Array =>
  advantages(batch, rule(advantage)).advantage_ntl;

describe("an advantage weighed in hindsight (HCAPO)", () => {
  // A success of two turns and a failure of one; gamma 1/2. The third turn is padding.
  const base = batchOf({ groupId: ["a", "a"], return_n: [1, 0], turnCount: [2, 1] });
  const judged = (...step: number[]): Batch => ({ ...base, step_nt: Float64Array.from([...step, 0, 0]) });

  it("adds the discounted return of a turn among all turns of the group", () => {
    // Equal in hindsight: Q = 1/2, 1 and 0, mean 1/2. Episodes: 1/2 and -1/2.
    assertClose(credited(judged(-1, -1)), [0.5 + 0, 0.5 + 0.5, -0.5 - 0.5, 0], 1e-12);
    // Without a step reward the same.
    assertClose(credited(base), [0.5, 1, -1, 0], 1e-12);
    assertClose(credited(judged(-1, -1), { weight: 2 }), [0.5, 1.5, -1.5, 0], 1e-12);
  });

  it("multiplies it by a fifth of the log-prob in hindsight, exponentiated, against the mean of the trajectory", () => {
    // e^(s/5) = 1.1 and .9, mean 1: Q = .55, .9, 0, mean .48333.
    const found = credited(judged(5 * Math.log(1.1), 5 * Math.log(0.9)));
    const mean = 1.45 / 3;
    assertClose(found, [0.5 + 0.55 - mean, 0.5 + 0.9 - mean, -0.5 - mean, 0], 1e-12);
    // e^s = 3 and 1, mean 2: 1.5 and .5 are cut at 1.2 and .8: Q = .6, .8, mean 1.4/3. Temperature 1.
    const cut = credited(judged(Math.log(3), 0), { temperature: 1 });
    assertClose(cut, [0.5 + 0.6 - 1.4 / 3, 0.5 + 0.8 - 1.4 / 3, -0.5 - 1.4 / 3, 0], 1e-12);
  });

  it("does not speak against a turn of a success", () => {
    const long = batchOf({ groupId: ["a", "a"], return_n: [1, 0], turnCount: [3, 1] });
    // Q = 1/4, 1/2, 1, 0: mean 7/16. The first would lose 3/16, and the failure does lose 7/16.
    assertClose(credited(long), [0.5, 0.5 + 1 / 16, 0.5 + 9 / 16, -0.5 - 7 / 16, 0, 0], 1e-12);
  });

  it("passes the value of the next turn back, half of it with the paper's smoothing", () => {
    // Q = 1/2, 1, 0 becomes 3/4, 1, 0: mean 7/12.
    assertClose(credited(base, { share: 0.5 }), [0.5 + 2 / 12, 0.5 + 5 / 12, -0.5 - 7 / 12, 0], 1e-12);
  });

  it("divides by the deviations, n - 1, of returns and of the values of all turns", () => {
    // Returns: deviation sqrt(1/2). Q = 1/2, 1, 0: deviation 1/2.
    const found = advantages(base, recipe("hcapo", { advantage: { gamma: 0.5 } })).advantage_ntl;
    const [E, H] = [0.5 / (Math.SQRT1_2 + 1e-6), 0.5 / (0.5 + 1e-6)];
    assertClose(found, [E, E + H, -E - H, 0], 1e-12);
  });

  it("is the group's advantage with weight 0", () => {
    assertClose(credited(judged(-3, 4), { weight: 0 }), [0.5, 0.5, -0.5, 0], 0);
  });
});

describe("the log-prob of a turn in hindsight", function () {
  this.timeout(60_000);

  it("is the one among episodes that ended the same way: counted in 20000 of them", () => {
    const env = make("LookUp-v0");
    const policy = createPolicy(env.spec, { initialScale: 0.5, seed: 3 });
    const batch = collect(env, policy, { groups: 10_000, groupSize: 2, rng: createRng(7) });
    const [N, T, L] = batch.shape;
    const { step_nt, metrics } = new Hindsight().judge({ batch, policy, env });
    assert.equal(metrics["stepReward/fracJudged"], 1);
    const tokensOf = (n: number): number[] =>
      Array.from({ length: L }, (_, l) => n * T * L + l).filter((i) => batch.mask_ntl[i] === 1);
    const first = (n: number): string =>
      tokensOf(n)
        .map((i) => batch.token_ntl[i])
        .join();
    const start = (n: number): string => JSON.stringify(batch.context_nt[n]![0]);
    for (const success of [true, false]) {
      const same = Array.from({ length: N }, (_, n) => n).filter(
        (n) => solved(batch, n) === success && start(n) === start(0),
      );
      assert.ok(same.length > 50);
      for (const turn of new Set(same.map(first))) {
        const own = same.filter((n) => first(n) === turn);
        const p = Math.exp(step_nt[own[0]! * T]! * tokensOf(own[0]!).length);
        const error = Math.sqrt((p * (1 - p)) / same.length);
        assert.ok(
          Math.abs(own.length / same.length - p) < 4 * error + 1e-9,
          `${turn}: ${own.length} of ${same.length}, ${p}`,
        );
      }
    }
  });

  it("trains", async () => {
    const run = train({ env: "KeyDoor-v0", recipe: "hcapo", groups: 4, groupSize: 4, updates: 3, seed: 2 });
    let judged = 0;
    for await (const { metrics } of run) judged += metrics["stepReward/fracJudged"]!;
    assert.equal(judged, 3);
  });
});
