import assert from "node:assert/strict";
import { createPolicy, recipe, createRng } from "turnwise";

import { cardWorlds } from "turnwise/internal/card/worlds";
import { drawnBatch } from "turnwise/internal/card/draws";
import { rowUpdate } from "turnwise/internal/card/rowUpdate";
import { Tally } from "turnwise/internal/card/tally";
import { trajectoriesOf } from "turnwise/internal/card/trajectories";

const near = (actual: number, expected: number, what: string): void => {
  assert.ok(Math.abs(actual - expected) <= 1e-9, `${what}: ${actual}, expected ${expected}`);
};

describe("the figures of two batches", () => {
  const truth = { J: 0, gradient: Float64Array.of(1, 1), gain: 1, control: new Float64Array(2) };
  const figures = (exact: boolean) => {
    const tally = new Tally(truth, exact);
    // The mean is (2, 1), and each parameter is off it by 1 in both batches.
    for (const direction of [
      [1, 0],
      [3, 2],
    ]) {
      tally.add(1 / 2, { direction: Float64Array.from(direction), equalJ: 0, ownJ: 0 });
    }
    return tally.figures();
  };

  it("have the variance of a sample where batches are sampled: divided by one less than their number", () => {
    const { variance, signalToNoise } = figures(false);
    // (1 + 1) / (2 - 1) for each parameter.
    near(variance.value, 2, "variance");
    // The mean of two batches has the noise (2 + 2) / 2, so 5 - 2 is left of |(2, 1)|^2; over 2 + 2.
    near(signalToNoise.value, 3 / 4, "signal to noise");
  });

  it("have the variance itself where these batches are all there are", () => {
    const { variance, signalToNoise } = figures(true);
    near(variance.value, 1, "variance");
    near(signalToNoise.value, 5 / 2, "signal to noise");
  });
});

describe("the equal step of a row that takes several", () => {
  // GOOD earns 1, BAD and then GIVE-UP earns 0: under leave-one-out, their advantages are 1 and -1.
  const { env: envOf, policy: options } = cardWorlds.find(({ name }) => name === "recovery")!;
  const env = envOf(2);
  const policy = createPolicy(env.spec, { ...options, seed: 0 });
  const all = trajectoriesOf(env, policy);
  const batch = drawnBatch(all, [[0, 2]]);
  // Logits of [GOOD, BAD] and of [RECOVER, GIVE-UP].
  const start = policy.parameters.slice();
  const bench = { env, policy, parameters: start, reference: policy.clone() };
  const LENGTH = 2;

  /** P(GOOD) and P(RECOVER) once the first logit of each pair has risen by x and y, and the second fallen as much. */
  const chances = (x: number, y: number): [good: number, recover: number] => [
    1 / (1 + Math.exp(start[1]! - start[0]! - 2 * x)),
    1 / (1 + Math.exp(start[3]! - start[2]! - 2 * y)),
  ];
  type Ascent = (good: number, recover: number) => [x: number, y: number];
  // score of GOOD: (1 - good)(1, -1) on the first pair. Minus the score of BAD, GIVE-UP: good (1, -1) and recover (1, -1).
  const ofWinner: Ascent = (good) => [1 - good, 0];
  const ofLoser: Ascent = (good, recover) => [good, recover];
  const ofBoth: Ascent = (_, recover) => [1 / 2, recover / 2];
  const norm = (x: number, y: number): number => Math.SQRT2 * Math.hypot(x, y);

  /** Steps whose rate is such that as many of them along the whole batch's gradient go the length; then its length is set. */
  function walked(steps: readonly Ascent[]): number[] {
    const rate = LENGTH / (norm(...ofBoth(...chances(0, 0))) * steps.length);
    let [x, y] = [0, 0];
    for (const step of steps) {
      const [dx, dy] = step(...chances(x, y));
      x += rate * dx;
      y += rate * dy;
    }
    const scale = LENGTH / norm(x, y);
    return [x, -x, y, -y].map((change, i) => start[i]! + scale * change);
  }

  const ways = (update: { readonly epochs: number; readonly minibatches: number }): Float64Array => {
    const row = recipe("rloo", { update });
    return rowUpdate(bench, row, batch, LENGTH, createRng(1)).equalStep!;
  };
  const distance = (found: Float64Array, expected: readonly number[]): number =>
    Math.hypot(...expected.map((one, i) => found[i]! - one));

  it("goes the length in as many parts as there are epochs, each from where the last one ended", () => {
    for (const epochs of [1, 2, 4]) {
      const found = ways({ epochs, minibatches: 1 });
      near(distance(found, walked(new Array<Ascent>(epochs).fill(ofBoth))), 0, `${epochs} epochs`);
    }
  });

  it("goes it in as many parts as there are minibatches, whichever comes first", () => {
    const found = ways({ epochs: 1, minibatches: 2 });
    const orders = [walked([ofWinner, ofLoser]), walked([ofLoser, ofWinner])];
    near(Math.min(...orders.map((one) => distance(found, one))), 0, "distance");
  });
});
