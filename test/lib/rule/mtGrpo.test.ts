import fc from "fast-check";
import { type Batch, advantages, recipe, type RecipeOverrides } from "turnwise";
import { assertClose, batchOf } from "./support";

const plain = { kind: "none" } as const;
const of = (batch: Batch, overrides: RecipeOverrides = {}): Float64Array =>
  advantages(batch, recipe("mtGrpo", overrides)).advantage_ntl;

/** Rewards turn by turn, [N][T]; all trajectories of one task. */
function paid(rewards: readonly (readonly number[])[]): Batch {
  const total = (turns: readonly number[]): number => turns.reduce((a, b) => a + b, 0);
  const batch = batchOf({
    groupId: rewards.map(() => "a"),
    return_n: rewards.map(total),
    turnCount: rewards.map((turns) => turns.length),
  });
  const T = batch.shape[1];
  rewards.forEach((turns, n) => turns.forEach((r, t) => (batch.reward_nt[n * T + t] = r)));
  return batch;
}

describe("outcome plus turn (MT-GRPO)", () => {
  // Turn rewards .5, 0, and 0 for the single turn: mean 1/6. Outcomes 1, 0, 2: mean 1. Returns 1.5, 0, 2: mean 7/6.
  const batch = paid([[0.5, 1], [0, 0], [2]]);

  it("adds the first turn's own advantage there alone; a single turn gets that of its return", () => {
    assertClose(of(batch, { scale: plain }), [1 / 3, 0, -1 - 1 / 6, -1, 5 / 6, 0], 1e-12);
  });

  it("weighs the turn's advantage by lambda", () => {
    const a = of(batch, { scale: plain, advantage: { weight: 3 } });
    assertClose(a, [1, 0, -1.5, -1, 5 / 6, 0], 1e-12);
  });

  it("divides each part by its own deviation", () => {
    // Two values each: turn rewards 1, 0 and outcomes 0, 4: with n they deviate by 1/2 and 2, so every part is +-1.
    const two = paid([[1, 0], [0, 4]]); // prettier-ignore
    assertClose(of(two, { scale: { kind: "group", unbiased: false, epsilon: 0 } }), [0, -1, 0, 1], 1e-12);
  });

  it("counts as the outcome all that comes after the first turn", () => {
    const three = paid([[0, 1, 1], [0, 0, 0]]); // prettier-ignore
    assertClose(of(three, { scale: plain }), [1, 1, 1, -1, -1, -1], 1e-12);
  });

  it("is GRPO over tokens where first turns of several earn nothing, whatever lambda", () => {
    const last = fc.array(fc.integer({ min: -4, max: 4 }), { minLength: 4, maxLength: 4 });
    fc.assert(
      fc.property(last, fc.constantFrom(0, 0.5, 2), (return_n, weight) => {
        const late = batchOf({ groupId: ["a", "a", "b", "b"], return_n, turnCount: [2, 1, 3, 2] });
        const grpo = advantages(late, recipe("grpo", { scale: { kind: "group", epsilon: 1e-4 } }));
        assertClose(of(late, { advantage: { weight } }), grpo.advantage_ntl, 1e-12);
      }),
    );
  });

  it("with lambda 0 is GRPO on what the first turn did not earn, where all take several turns", () => {
    const two = fc.array(fc.tuple(fc.integer({ min: -4, max: 4 }), fc.integer({ min: -4, max: 4 })), {
      minLength: 3,
      maxLength: 3,
    });
    fc.assert(
      fc.property(two, (rewards) => {
        const rest = paid(rewards.map(([, last]) => [0, last]));
        const grpo = advantages(rest, recipe("grpo", { scale: { kind: "group", epsilon: 1e-4 } }));
        assertClose(of(paid(rewards), { advantage: { weight: 0 } }), grpo.advantage_ntl, 1e-12);
      }),
    );
  });

  it("reads no reward of a turn that was not taken", () => {
    batch.reward_nt[5] = NaN;
    assertClose(of(batch, { scale: plain }), [1 / 3, 0, -1 - 1 / 6, -1, 5 / 6, 0], 1e-12);
  });
});
