import assert from "node:assert/strict";
import { collect, createRng, make, NeuralPolicy } from "turnwise";

describe("sampling of a transformer from its cache", () => {
  // Codebreaker: turns of up to four tokens, which end early with END, so that sequences leave the batch at different
  // places; a window of 10 cuts what was seen first.
  const env = make("Codebreaker-v0");
  for (const window of [10, 64]) {
    it(`stores the log-probs of the uncached forward pass to 1e-10, with a window of ${window}`, () => {
      const policy = new NeuralPolicy(env.spec, {
        kind: "transformer",
        width: 8,
        layers: 2,
        heads: 2,
        window,
        seed: 1,
      });
      const rng = createRng(3);
      for (let i = 0; i < policy.parameters.length; i++) policy.parameters[i]! += 0.3 * rng.normal();
      const { shape, token_ntl, mask_ntl, oldLogProb_ntl, context_nt } = collect(env, policy, {
        groups: 6,
        groupSize: 2,
        rng: createRng(4),
      });
      const [N, T, L] = shape;
      const lengths = new Set<number>();
      for (let n = 0; n < N; n++) {
        for (let t = 0; t < context_nt[n]!.length; t++) {
          const first = (n * T + t) * L;
          let l = 0;
          for (; l < L && mask_ntl[first + l]; l++) {
            const prefix = Array.from(token_ntl.subarray(first, first + l));
            const alone = policy.nextTokenLogProb(context_nt[n]![t], prefix)[token_ntl[first + l]!]!;
            assert.ok(Math.abs(alone - oldLogProb_ntl[first + l]!) < 1e-10, `${n}, ${t}, ${l}`);
          }
          lengths.add(l);
        }
      }
      assert.ok(lengths.size > 1, "turns of one length only");
    });
  }
});
