import fc from "fast-check";
import { custom, type Batch, advantages, recipe, type RecipeOverrides } from "turnwise";
import { assertClose, batchOf } from "./support";

const of = (batch: Batch, overrides: RecipeOverrides = {}): Float64Array =>
  advantages(batch, recipe("gdpo", overrides)).advantage_ntl;

/** Two turns each, with these rewards. */
function paid(rewards: readonly (readonly [number, number])[], groupId?: readonly string[]): Batch {
  const batch = batchOf({
    groupId: groupId ?? rewards.map(() => "a"),
    return_n: rewards.map(([first, last]) => first + last),
    turnCount: rewards.map(() => 2),
  });
  batch.reward_nt.set(rewards.flat());
  return batch;
}

const exact = { kind: "group", unbiased: false, epsilon: 0 } as const;

describe("the parts of the reward, each by itself (GDPO)", () => {
  // Last turns 8, 0, 8, 0: +-1 in units of their deviation 4. First turns 0, 1, 1, 0: -1, 1, 1, -1 in units of 1/2.
  const batch = paid([[0, 8], [1, 0], [1, 8], [0, 0]]); // prettier-ignore

  it("divides each by its own deviation and sums them, so that none drowns the other", () => {
    const a = of(batch, { scale: exact, advantage: { whiten: false } });
    assertClose(a, [0, 0, 0, 0, 2, 2, -2, -2], 1e-12);
    // As one part: returns 8, 1, 9, 0, mean 4.5, deviation sqrt(16.25): the first and the second trajectory differ.
    const one = of(batch, { scale: exact, advantage: { whiten: false, splitTurns: false } });
    const deviation = Math.sqrt(16.25);
    assertClose([one[0]!, one[2]!], [3.5 / deviation, -3.5 / deviation], 1e-12);
  });

  it("whitens the sum over the trajectories of the batch", () => {
    // 0, 0, 2, -2: deviation with n sqrt 2, with n - 1 sqrt(8 / 3).
    const root = Math.SQRT2;
    assertClose(of(batch, { scale: exact }), [0, 0, 0, 0, root, root, -root, -root], 1e-12);
    const unbiased = { ...exact, unbiased: true };
    // Each part is sqrt(3/4) as large; whitening takes that out again.
    const a = 2 / Math.sqrt(8 / 3);
    assertClose(of(batch, { scale: unbiased }), [0, 0, 0, 0, a, a, -a, -a], 1e-12);
  });

  it("is GRPO's advantage with one part and no whitening", () => {
    const returns = fc.array(fc.integer({ min: -4, max: 4 }), { minLength: 6, maxLength: 6 });
    fc.assert(
      fc.property(returns, (return_n) => {
        const groupId = ["a", "a", "b", "b", "a", "b"];
        const some = batchOf({ groupId, return_n, turnCount: [1, 2, 3, 2, 2, 1] });
        const scale = { kind: "group", epsilon: 1e-4 } as const;
        const grpo = advantages(some, recipe("grpo", { scale })).advantage_ntl;
        assertClose(of(some, { advantage: { whiten: false, splitTurns: false } }), grpo, 1e-12);
        // Turns before the last earn nothing here: their part says nothing.
        assertClose(of(some, { advantage: { whiten: false } }), grpo, 1e-12);
      }),
    );
  });

  it("does not change if one part is paid in another currency, or more of it to all", () => {
    const rewards = fc.array(fc.tuple(fc.integer({ min: -4, max: 4 }), fc.integer({ min: -4, max: 4 })), {
      minLength: 3,
      maxLength: 5,
    });
    fc.assert(
      fc.property(rewards, fc.constantFrom(2, 16), fc.integer({ min: -3, max: 3 }), (all, unit, more) => {
        const other = all.map(([first, last]): [number, number] => [unit * first + more, last]);
        assertClose(of(paid(other), { scale: exact }), of(paid(all), { scale: exact }), 1e-9);
      }),
    );
  });

  it("takes each term that shapes the reward for a part: the penalty on length, an own reward, the KL", () => {
    // Tasks pay 1, 0: +-1. Lengths 2 and 1, of which 1 is free: -1, 0: -+1. Their sum is 0.
    const long = batchOf({ groupId: ["a", "a"], return_n: [1, 0], turnCount: [2, 1] });
    const plain = { scale: exact, advantage: { whiten: false } } as const;
    const overlong = { maxLength: 2, buffer: 1 };
    assertClose(of(long, { ...plain, reward: { overlong } }), [0, 0, 0, 0], 1e-12);
    const own = custom("second", (seen: Batch) => seen.return_n.map((_, n) => (n === 0 ? 5 : 2)));
    assertClose(of(long, { ...plain, reward: { custom } }), [2, 2, -2, 0], 1e-12);
    // k1 with the reference at -1.5 and -.5: a token of the first pays .5, of the second gets .5: two parts that disagree.
    const short = batchOf({ groupId: ["a", "a"], return_n: [1, 0] });
    const row = recipe("gdpo", { ...plain, reward: { kl: { coef: 1, estimator: "k1" } } });
    assertClose(advantages(short, row, undefined, [-1.5, -0.5]).advantage_ntl, [0, 0], 1e-12);
  });

  it("reads no reward of a turn that was not taken, and leaves those who wrote nothing out of the statistics", () => {
    const ragged = batchOf({
      groupId: ["a", "a", "a", "a"],
      return_n: [1, 0, 1, 0],
      turnCount: [2, 1, 1, 1],
    });
    ragged.reward_nt[3] = NaN;
    ragged.mask_ntl[7] = 0;
    ragged.mask_ntl[6] = 0;
    // Means 1/2: 1, -1, 1 and the silent one; of the three, mean 1/3, deviation sqrt(8) / 3.
    const [high, low] = [2 / Math.sqrt(8), -4 / Math.sqrt(8)];
    assertClose(of(ragged, { scale: exact }), [high, high, low, 0, high, 0, 0, 0], 1e-12);
  });
});
