import assert from "node:assert/strict";
import { collect, createPolicy, createRng, make } from "turnwise";
import type { CollectOptions } from "turnwise/internal/rollout/collect";
import { Nucleus } from "turnwise/internal/rollout/nucleus";
import { assertClose } from "../rule/support";

const { log } = Math;
const logProb = [0.2, 0.5, 0.3].map(log);

describe("sampling from the nucleus", () => {
  const drawn = (topP: number): { tokens: number[]; stored: number[] } => {
    const nucleus = new Nucleus(createRng(1).split("nucleus"), topP);
    const tokens = Array.from({ length: 4000 }, () => nucleus.categorical(logProb));
    return { tokens, stored: nucleus.processed(tokens.map((token) => logProb[token]!)) };
  };
  const share = (tokens: readonly number[], token: number): number =>
    tokens.filter((one) => one === token).length / tokens.length;

  it("draws from the fewest likeliest tokens that reach topP, as likely as they are among each other", () => {
    // .5 is less than .7, .5 + .3 reaches it: .5 / .8 and .3 / .8. A standard error of .008.
    const { tokens, stored } = drawn(0.7);
    assert.equal(share(tokens, 0), 0);
    assert.ok(Math.abs(share(tokens, 1) - 0.625) < 0.03);
    for (const [k, token] of tokens.entries())
      assertClose([stored[k]!], [log([0, 0.625, 0.375][token]!)], 1e-12);
  });

  it("is sure of a token that reaches topP by itself", () => {
    const { tokens, stored } = drawn(0.5);
    assert.deepEqual(new Set(tokens), new Set([1]));
    assertClose(
      stored,
      tokens.map(() => 0),
      1e-12,
    );
  });

  it("keeps every token where all are needed, and the first of two that are equally likely", () => {
    assert.equal(new Set(drawn(0.99).tokens).size, 3);
    const nucleus = new Nucleus(createRng(1).split("nucleus"), 0.4);
    const even = Array.from({ length: 50 }, () => nucleus.categorical([log(0.5), log(0.5)]));
    assert.deepEqual(new Set(even), new Set([0]));
  });

  it("asks for one draw a token", () => {
    const nucleus = new Nucleus(createRng(1).split("nucleus"), 0.5);
    nucleus.categorical(logProb);
    assert.throws(() => nucleus.processed([-1, -1]), {
      name: "TypeError",
      message:
        "Cannot collect with topP: the policy must draw each token by one rng.categorical(logProb), but it drew 1 for 2 tokens.",
    });
  });

  const world = make("ToolChain-v0");
  const policy = createPolicy(world.spec, { initialScale: 1, seed: 3 });
  const rollout = (o: Partial<CollectOptions>): ReturnType<typeof collect> =>
    collect(world, policy, { groups: 4, groupSize: 8, rng: createRng(2).split("rollout"), ...o });

  it("stores log-probs after the temperature and topP: each at least that of the whole distribution", () => {
    const batch = rollout({ topP: 0.6, temperature: 0.9 });
    const size = policy.nextTokenLogProb(batch.context_nt[0]![0], []).length;
    const [, T, L] = batch.shape;
    let cut = 0;
    for (let i = 0; i < batch.mask_ntl.length; i++) {
      if (batch.mask_ntl[i] !== 1) continue;
      const [nt, l] = [Math.floor(i / L), i % L];
      const prefix = [...batch.token_ntl.subarray(i - l, i)];
      const plain = policy.nextTokenLogProb(batch.context_nt[Math.floor(nt / T)]![nt % T], prefix);
      // p^(1 / .9), normalized, sorted; the nucleus by hand.
      const tempered = Array.from(plain, (x) => Math.exp(x / 0.9));
      const total = tempered.reduce((a, b) => a + b, 0);
      const p = tempered.map((x) => x / total);
      let mass = 0;
      for (const x of [...p].sort((a, b) => b - a)) if (mass < 0.6) mass += x;
      assertClose([batch.oldLogProb_ntl[i]!], [log(p[batch.token_ntl[i]!]! / mass)], 1e-9);
      if (mass < 1 - 1e-9) cut++;
    }
    assert.ok(cut > 0 && size > 2);
  });

  it("draws as before where topP is 1, and refuses what is no probability", () => {
    assert.deepEqual(rollout({ topP: 1 }), rollout({}));
    for (const topP of [0, 1.1, NaN]) {
      assert.throws(() => rollout({ topP }), {
        name: "RangeError",
        message: `Cannot collect: topP must be above 0 and at most 1, got ${topP}.`,
      });
    }
  });
});
