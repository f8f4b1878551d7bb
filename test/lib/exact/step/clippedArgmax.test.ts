import { clippedArgmax } from "turnwise/internal/exact/step/clippedArgmax";
import { close } from "../close";

/** The maximizer for actions with the sure advantages A: W+ = old max(A, 0), W- = old min(A, 0). */
function argmax(
  old: readonly number[],
  A: readonly number[],
  clipLow: number,
  clipHigh = clipLow,
): readonly number[] {
  const part = (keep: (x: number) => number): Float64Array =>
    Float64Array.from(old, (p, a) => p * keep(A[a]!));
  const row = {
    current: Float64Array.from(old),
    old: Float64Array.from(old),
    positive: part((x) => Math.max(x, 0)),
    negative: part((x) => Math.min(x, 0)),
    reach: 1,
  };
  return [...clippedArgmax(row, { clipLow, clipHigh })];
}

function same(actual: readonly number[], expected: readonly number[]): void {
  expected.forEach((p, a) => close(actual[a]!, p, 12, `action ${a} of ${actual.join(", ")}:`));
}

describe("the clipped argmax, piece by piece", () => {
  it("raises the better of two actions to 1 + clipHigh times its probability", () => {
    // Action 0 pays until 1.2 x .5 = .6; action 1 costs from .8 x .5 = .4 on. Together exactly 1.
    same(argmax([0.5, 0.5], [1, -1], 0.2), [0.6, 0.4]);
  });

  it("leaves mass that pays nowhere below the old probability first, then above it", () => {
    // Action 0 pays until 1.1 x .5 = .55. At slope 0: action 1 up to .7 x .5 = .35 lies below its old probability and
    // comes first; the last .1 goes to action 0 above its clip.
    same(argmax([0.5, 0.5], [1, -1], 0.3, 0.1), [0.65, 0.35]);
    // .24 for action 0; at slope 0 first .8 x .3 = .24 and .8 x .5 = .4, then the last .12 again to action 0.
    same(argmax([0.2, 0.3, 0.5], [1, -0.1, -1], 0.2), [0.36, 0.24, 0.4]);
  });

  it("fills equal slopes together, in proportion to their width", () => {
    // 1.2 x .3 = .36 twice; .28 is left of action 2's .32 at slope 0.
    same(argmax([0.3, 0.3, 0.4], [1, 1, -1], 0.2), [0.36, 0.36, 0.28]);
    // Up to twice the old probability, but not above 1: .4 and .2 above the old .6 and .2 share the last .2 as 2 : 1.
    same(argmax([0.6, 0.2, 0.2], [1, 1, -1], 1), [0.6 + 2 / 15, 0.2 + 1 / 15, 0]);
  });

  it("shares what is left above the clips by the room up to 1", () => {
    // .11 and .33 at 1.1 x .1 and 1.1 x .3, .9 x .6 = .54 at slope 0; .02 is left for .89 and .67 of room.
    const share = 0.02 / (0.89 + 0.67);
    same(argmax([0.1, 0.3, 0.6], [1, 1, -1], 0.1), [0.11 + 0.89 * share, 0.33 + 0.67 * share, 0.54]);
  });

  it("takes slopes that differ by round-off for equal, also where all of them are negative", () => {
    const barely = 1 + 1e-14;
    same(argmax([0.6, 0.2, 0.2], [1, barely, -1], 1), [0.6 + 2 / 15, 0.2 + 1 / 15, 0]);
    // Round-off is relative to the slopes.
    same(argmax([0.6, 0.2, 0.2], [1e6, 1e6 * barely, -1e6], 1), [0.6 + 2 / 15, 0.2 + 1 / 15, 0]);
    // Every move costs: the row stays, and not .6 and .4.
    same(argmax([0.5, 0.5], [-1, -barely], 0.2), [0.5, 0.5]);
  });

  it("does not move where no action is better, and never gives mass to an action that the old policy lacked", () => {
    same(argmax([0.2, 0.3, 0.5], [0, 0, 0], 0.2), [0.2, 0.3, 0.5]);
    same(argmax([0, 0.5, 0.5], [5, 1, -1], 0.2), [0, 0.6, 0.4]);
  });

  it("weighs the two signs of one action apart: below 1 + clipHigh both count, above it the losses only", () => {
    // Action 0 has W+ = .3, W- = -.1: slopes .6 to .4, .4 to .6, then -.2. Action 1 has W+ = .1, W- = -.3: .2 to .4,
    // then -.4. Falling slopes: .4 + .2 for action 0, .4 for action 1.
    const row = {
      current: Float64Array.of(0.5, 0.5),
      old: Float64Array.of(0.5, 0.5),
      positive: Float64Array.of(0.3, 0.1),
      negative: Float64Array.of(-0.1, -0.3),
      reach: 1,
    };
    same([...clippedArgmax(row, { clipLow: 0.2, clipHigh: 0.2 })], [0.6, 0.4]);
    // With clipHigh 0 the slopes of action 0 are .6 to .4, .4 to .5, -.2 above; action 1: .2 to .4, -.4 to 1.
    // .5 and .4 are filled, and the last .1 costs less at action 0.
    same([...clippedArgmax(row, { clipLow: 0.2, clipHigh: 0 })], [0.6, 0.4]);
    // With W- = -.4 at action 0, slopes are .6, -.2, and -.8 above .5; the last .2 goes to .1 below the old
    // probability of action 0 at -.2, then to .1 of action 1 at -.4.
    same(
      [...clippedArgmax({ ...row, negative: Float64Array.of(-0.4, -0.3) }, { clipLow: 0.2, clipHigh: 0 })],
      [0.5, 0.5],
    );
  });
});
