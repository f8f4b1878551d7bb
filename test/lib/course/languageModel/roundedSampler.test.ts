import assert from "node:assert/strict";
import { createPolicy, createRng, make, recipe, train } from "turnwise";
import { rounded } from "turnwise-course/internal/10-language-model/roundedSampler";
import { mismatch, played, roundedSampler } from "turnwise-course/language-model";

const env = make("LookUp-v0");
const network = (seed: number) => createPolicy(env.spec, { kind: "transformer", width: 8, window: 24, seed });

describe("rounded", () => {
  it("keeps so many significant bits, to the nearest", () => {
    // 1.40625 = 1.01101b; with 4 bits between 1.011b = 1.375 and 1.100b = 1.5, with 3 bits between 1.01b and 1.10b.
    assert.equal(rounded(1.40625, 4), 1.375);
    assert.equal(rounded(1.40625, 3), 1.5);
    assert.equal(rounded(-1.40625, 2), -1.5);
    // bfloat16 has 8: 1 + 1/128 is one of its numbers, and what lies a little above is rounded down to it.
    assert.equal(rounded(1 + 1 / 128 + 1 / 1000, 8), 1 + 1 / 128);
    assert.equal(rounded(0, 8), 0);
    // float32 has 24.
    assert.equal(rounded(Math.PI, 24), Math.fround(Math.PI));
  });
});

describe("roundedSampler", () => {
  it("samples with rounded weights, and tells their log-probs", () => {
    const policy = network(1);
    const coarse = policy.clone();
    coarse.parameters.forEach((weight, i) => (coarse.parameters[i] = rounded(weight, 3)));
    const history = [{ observations: [env.reset({ seed: 1 })[0]], actions: [] }];
    const [own] = roundedSampler(policy, 3).sample(history, [createRng(5)]);
    assert.deepEqual(own, coarse.sample(history, [createRng(5)])[0]);
    assert.notDeepEqual(own!.logProb, policy.sample(history, [createRng(5)])[0]!.logProb);
  });

  it("is trained with exact weights, and samples with the new ones after each update", async () => {
    const policy = network(2);
    const sampler = roundedSampler(policy, 3);
    const before = policy.parameters.slice();
    for await (const _ of train({ env, policy: sampler, recipe: recipe("grpo"), updates: 3 }));
    assert.notDeepEqual(policy.parameters, before);
    assert.ok(policy.parameters.some((weight) => weight !== rounded(weight, 8)));
    const fresh = roundedSampler(policy.clone(), 3);
    assert.deepEqual(played(env, sampler, { episodes: 30 }), played(env, fresh, { episodes: 30 }));
  });

  it("disagrees with the trainer the more, the fewer bits it has; an exact one does not", () => {
    const policy = network(3);
    const [none, eight, two] = [policy, roundedSampler(policy, 8), roundedSampler(policy, 2)].map((one) =>
      mismatch(env, one, { episodes: 100 }),
    );
    assert.ok(Math.abs(none!.largest - 1) < 1e-12 && Math.abs(none!.least - 1) < 1e-12);
    assert.equal(none!.outside, 0);
    assert.ok(eight!.mean > 1e-5 && eight!.mean < two!.mean / 10, `${eight!.mean} and ${two!.mean}`);
    assert.ok(two!.least < eight!.least && eight!.least < 1 && eight!.largest > 1);
  });

  it("is cloned as a whole", () => {
    const sampler = roundedSampler(network(4), 8);
    const copy = sampler.clone();
    copy.parameters[0]! += 1;
    assert.equal(copy.parameters[0], sampler.parameters[0]! + 1);
  });
});
