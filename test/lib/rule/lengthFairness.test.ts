import assert from "node:assert/strict";
import { verdict } from "turnwise/verdict";
import { recipe, type Recipe } from "turnwise";
import { gateOf } from "turnwise/internal/rule/gate/index";
import { assertClose } from "./support";

/** A coin that was fair when it was thrown: the log-ratios of heads and tails under a policy with another chance of heads. */
const steps = (heads: number): readonly [number, number] => [Math.log(2 * heads), Math.log(2 * (1 - heads))];

/** The density ratios that n throws may have, with their chances; nothing is sampled. */
function walk(n: number, heads: number): { readonly ratio: Float64Array; readonly chance: number[] } {
  const [up, down] = steps(heads);
  const chance = [2 ** -n];
  for (let k = 1; k <= n; k++) chance.push((chance[k - 1]! * (n - k + 1)) / k);
  return { ratio: Float64Array.from(chance, (_, k) => Math.exp(k * up + (n - k) * down)), chance };
}

/** The chance that a trajectory of n tokens is clipped neither after a good outcome nor after a bad one. */
function acceptance({ gate }: Recipe, n: number, heads: number): number {
  const { ratio, chance } = walk(n, heads);
  const size = ratio.length;
  const accepted = chance.map(() => true);
  for (const A of [1, -1]) {
    const clipped = new Uint8Array(size);
    gateOf(gate).evaluate(gate, {
      ...{ size, rowSize: 1, ratio, clipped },
      objective: new Float64Array(size),
      slope: new Float64Array(size),
      advantage: chance.map(() => A),
      logProb: chance.map(() => 0),
      logRatio: () => chance.map(() => 0),
      samplerLogRatio: () => chance.map(() => 0),
      unitTokens: () => chance.map(() => n),
      standing: () => chance.map(() => 0),
    });
    clipped.forEach((bound, k) => {
      if (bound !== 0) accepted[k] = false;
    });
  }
  return chance.reduce((sum, p, k) => sum + (accepted[k] ? p : 0), 0);
}

describe("the length fairness of fair FSPO, exact on a random walk of log-ratios", () => {
  // 2^-1000, the chance of all heads, is still a number of the computer.
  const lengths = [1, 4, 16, 64, 256, 1000];
  const deviation = (heads: number): number => (steps(heads)[0] - steps(heads)[1]) / 2;
  /** Two standard deviations of a token: what a band of two deviations accepts of a normal sum, at any length. */
  const fair = (heads: number): Recipe => recipe("fairFspo", { gate: { band: 2 * deviation(heads) } });
  const normal = 0.9545;
  // Named before: a share that differs by 5 points is another one.
  const smallestEffectOfInterest = 0.05;

  it("gives the chances that one counts by hand", () => {
    // Four throws, heads at .55: a band of 4 deviations, .4013. All tails are 4 * log .9 = -.4214, beyond it; all heads .3812.
    assertClose([acceptance(fair(0.55), 4, 0.55)], [15 / 16], 1e-12);
    // One band for all lengths, .2007: only two of each are inside, and three heads with one tail (.1806): 6 / 16 + 4 / 16.
    const fixed = recipe("fairFspo", {
      gate: { kind: "clip", clipLow: 1 - Math.exp(-0.2007), clipHigh: Math.exp(0.2007) - 1 },
    });
    assertClose([acceptance(fixed, 4, 0.55)], [10 / 16], 1e-12);
    assert.ok(acceptance(fixed, 256, 0.55) < 0.1, "one band for all lengths clips nearly all that is long");
  });

  it("holds after small steps; after larger ones the drift of the sum leaves a band around 0 with its length", () => {
    const conditions = [0.51, 0.55].map((heads) => ({
      setting: { heads },
      equal: lengths.filter(
        (n) => Math.abs(acceptance(fair(heads), n, heads) - normal) < smallestEffectOfInterest,
      ).length,
      of: lengths.length,
    }));
    assert.deepEqual(
      conditions.map(({ equal }) => equal),
      [6, 4],
    );
    assert.equal(verdict({ conditions }).text, "holds if heads = .51 of {.51, .55}");
    // The mean log-ratio is -KL(old || new), so that the sum drifts by L KL, while the band grows with the root of L alone.
    const kl = -(steps(0.55)[0] + steps(0.55)[1]) / 2;
    assert.ok(1000 * kl > deviation(0.55) * Math.sqrt(1000));
  });
});
