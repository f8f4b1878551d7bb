import { custom, recipe, tf, type Batch, type Recipe } from "turnwise";
import type { CheckName } from "turnwise/exact";

/** A rule with one mistake, and the check that must name it. */
interface Fault {
  readonly mistake: string;
  readonly row: Recipe;
  readonly found: CheckName;
}

const mean = (x: readonly number[]): number => x.reduce((a, b) => a + b, 0) / x.length;
const std = (x: readonly number[]): number => Math.sqrt(mean(x.map((one) => (one - mean(x)) ** 2)));
const sum = (x: readonly number[]): number => x.reduce((a, b) => a + b, 0);

/** A number for each trajectory, from the returns of its group and its place among them. */
function perGroup(batch: Batch, f: (returns: readonly number[], i: number) => number): number[] {
  const ids = batch.groupId;
  return ids.map((id, n) => {
    const members = [...ids.keys()].filter((m) => ids[m] === id);
    return f(
      members.map((m) => batch.return_n[m]!),
      members.indexOf(n),
    );
  });
}

/** What each turn is credited with, [N, T], from the rewards of its trajectory's turns. */
function perTurn(batch: Batch, f: (rewards: readonly number[], t: number) => number): number[][] {
  const [N, T] = batch.shape;
  return Array.from({ length: N }, (_, n) => {
    const rewards = Array.from(batch.reward_nt.subarray(n * T, n * T + batch.turnCount_n[n]!));
    return Array.from({ length: T }, (_, t) => (t < rewards.length ? f(rewards, t) : 0));
  });
}

const ratioOf = (newer: tf.Tensor, older: tf.Tensor): tf.Tensor =>
  tf.exp(tf.clipByValue(tf.sub(newer, older), -20, 20));

/** PPO's clipped objective on tensors. */
const clipped = (ratio: tf.Tensor, advantage: tf.Tensor): tf.Tensor =>
  tf.minimum(tf.mul(ratio, advantage), tf.mul(tf.clipByValue(ratio, 0.8, 1.2), advantage));

const inCredit: readonly Fault[] = [
  {
    mistake: "a wrong sign in the advantage",
    row: recipe("rloo", { advantage: custom("wrong sign", (b) => perGroup(b, (R, i) => mean(R) - R[i]!)) }),
    found: "groups",
  },
  {
    mistake: "a mean over the wrong axis: over turns instead of the group",
    row: recipe("rloo", {
      advantage: custom("wrong axis", (b) => perTurn(b, (r, t) => sum(r.slice(t)) - mean(r))),
    }),
    found: "expected update",
  },
  {
    mistake: "an off-by-one turn: credit goes to the turn after",
    row: recipe("rloo", {
      advantage: custom("off by one", (b) => perTurn(b, (r, t) => (t === 0 ? 0 : sum(r.slice(t - 1))))),
    }),
    found: "expected update",
  },
  {
    mistake: "a standard deviation over the wrong set: all cells of the layout",
    row: recipe("rloo", {
      advantage: custom("std of all", (b) => {
        const divisor = 1e-3 + std(Array.from(b.reward_nt, (r) => (Number.isFinite(r) ? r : 0)));
        return perGroup(b, (R, i) => (R[i]! - mean(R)) / divisor);
      }),
    }),
    found: "padding",
  },
  {
    mistake: "a standard deviation over the wrong set: the turns of the trajectory",
    row: recipe("rloo", {
      advantage: custom("std of turns", (b) => perTurn(b, (r) => (sum(r) - 0.5) / (std(r) + 1e-6))),
    }),
    found: "expected update",
  },
  {
    mistake: "an error of a critic without the value that follows",
    row: recipe("rloo", {
      advantage: {
        by: custom("no bootstrap", (b, { value_nt }) => b.reward_nt.map((r, nt) => r - value_nt[nt]!)),
        critic: true,
      },
    }),
    found: "expected update",
  },
  {
    mistake: "the reward of another trajectory",
    row: recipe("rloo", {
      advantage: custom("neighbor", (b) => perGroup(b, (R, i) => R[(i + 1) % R.length]! - mean(R))),
    }),
    found: "row order",
  },
  {
    mistake: "the baseline of another group",
    row: recipe("rloo", {
      advantage: custom("others", (b) => {
        const others = b.groupId.map((id) =>
          b.groupId.flatMap((other, m) => (other === id ? [] : [b.return_n[m]!])),
        );
        return others.map((returns, n) => b.return_n[n]! - (returns.length === 0 ? 0 : mean(returns)));
      }),
    }),
    found: "groups",
  },
  {
    mistake: "groups by the place in the batch",
    row: recipe("rloo", {
      advantage: custom("by place", (b) =>
        Array.from(
          b.return_n,
          (R, n) => R - mean(Array.from(b.return_n).slice(n - (n % 4), n - (n % 4) + 4)),
        ),
      ),
    }),
    found: "row order",
  },
  {
    mistake: "an advantage that is not centered: the sum is divided by the whole batch",
    row: recipe("rloo", {
      advantage: custom("half centered", (b) => perGroup(b, (R, i) => R[i]! - sum(R) / b.shape[0])),
    }),
    found: "rewards",
  },
  {
    mistake: "NaN for a group of equal rewards",
    row: recipe("rloo", {
      advantage: custom("no epsilon", (b) => perGroup(b, (R, i) => (R[i]! - mean(R)) / std(R))),
    }),
    found: "equal rewards",
  },
  {
    mistake: "NaN for a group of one",
    row: recipe("rloo", {
      advantage: custom("G - 1", (b) => perGroup(b, (R, i) => R[i]! - (sum(R) - R[i]!) / (R.length - 1))),
    }),
    found: "group of one",
  },
  {
    mistake: "a scale that divides all groups by the first one's deviation",
    row: recipe("grpo", {
      scale: custom("first group", (A, { groups }) => {
        const divisor = 1e-3 + std(groups[0]!.map((k) => A[k]!));
        return A.map((a) => a / divisor);
      }),
    }),
    found: "row order",
  },
];

const inWeights: readonly Fault[] = [
  {
    mistake: "turns without tokens counted in the mean over turns",
    row: recipe("grpo", {
      aggregate: custom("all turns", ({ N, T, tokensOfTurn }) => 1 / (N * T * tokensOfTurn)),
    }),
    found: "padding",
  },
  {
    mistake: "token weights by the padded length",
    row: recipe("grpo", { aggregate: custom("padded length", ({ N, T, L }) => 1 / (N * T * L)) }),
    found: "padding",
  },
  {
    mistake: "a sum instead of a mean",
    row: recipe("grpo", { aggregate: custom("sum", () => 1) }),
    found: "batch size",
  },
];

const inGates: readonly Fault[] = [
  {
    mistake: "the maximum instead of the minimum in the clip",
    row: recipe("grpo", {
      gate: custom("max", {
        objective: ({ ratio: r, advantage: A }) => Math.max(r * A, Math.min(Math.max(r, 0.8), 1.2) * A),
      }),
    }),
    found: "push",
  },
  {
    mistake: "a ratio that is clipped before it is multiplied",
    row: recipe("grpo", {
      gate: custom("clip first", {
        objective: ({ ratio: r, advantage: A }) => Math.min(Math.max(r, 0.8), 1.2) * A,
      }),
    }),
    found: "push",
  },
  {
    mistake: "swapped bounds of the clip",
    row: recipe("grpo", {
      gate: custom("swapped", {
        objective: ({ ratio: r, advantage: A }) => Math.min(r * A, Math.min(Math.max(r, 1.2), 0.8) * A),
      }),
    }),
    found: "push",
  },
  {
    mistake: "a slope that is not the objective's",
    row: recipe("grpo", {
      gate: custom("no cut", {
        objective: ({ ratio: r, advantage: A }) => Math.min(r * A, Math.min(Math.max(r, 0.8), 1.2) * A),
        slope: ({ advantage }) => advantage,
      }),
    }),
    found: "gradient",
  },
  {
    mistake: "a log-ratio instead of the ratio: exp forgotten",
    row: recipe("grpo", { ratio: custom("no exp", (logRatio) => sum(logRatio)) }),
    found: "push",
  },
  {
    mistake: "a KL with the wrong sign",
    row: recipe("grpo", {
      regularizer: {
        custom: custom("minus k2", ({ logProb, oldLogProb }) => -0.1 * (logProb - oldLogProb) ** 2),
      },
    }),
    found: "regularizers",
  },
];

const inLosses: readonly Fault[] = [
  {
    mistake: "a dropped mask",
    row: recipe("grpo", {
      loss: custom("no mask", (tf, x) =>
        tf.neg(tf.mean(clipped(ratioOf(x.logProb_ntl, x.oldLogProb_ntl), x.advantage_ntl))),
      ),
    }),
    found: "masked cells",
  },
  {
    mistake: "a detached ratio",
    row: recipe("grpo", {
      loss: custom("detached", (tf, x) => {
        const ratio = x.stopGradient(ratioOf(x.logProb_ntl, x.oldLogProb_ntl));
        return tf.add(
          tf.neg(x.tokenMean(clipped(ratio, x.advantage_ntl))),
          tf.mul(0, x.tokenMean(x.logProb_ntl)),
        );
      }),
    }),
    found: "gradient",
  },
  {
    mistake: "old and new log-probs swapped",
    row: recipe("grpo", {
      loss: custom("swapped log-probs", (tf, x) =>
        tf.neg(x.tokenMean(clipped(ratioOf(x.oldLogProb_ntl, x.logProb_ntl), x.advantage_ntl))),
      ),
    }),
    found: "push",
  },
  {
    mistake: "the reference's log-probs in place of the old ones",
    row: recipe("grpo", {
      loss: custom("reference ratio", (tf, x) =>
        tf.neg(x.tokenMean(clipped(ratioOf(x.logProb_ntl, x.refLogProb_ntl), x.advantage_ntl))),
      ),
    }),
    found: "push",
  },
  {
    mistake: "the objective minimized",
    row: recipe("grpo", {
      loss: custom("no minus", (_, x) =>
        x.tokenMean(clipped(ratioOf(x.logProb_ntl, x.oldLogProb_ntl), x.advantage_ntl)),
      ),
    }),
    found: "push",
  },
  {
    mistake: "a sum over tokens",
    row: recipe("grpo", {
      loss: custom("sum of tokens", (tf, x) =>
        tf.neg(
          tf.sum(tf.mul(x.mask_ntl, clipped(ratioOf(x.logProb_ntl, x.oldLogProb_ntl), x.advantage_ntl))),
        ),
      ),
    }),
    found: "batch size",
  },
  {
    mistake: "entropy with the wrong sign",
    row: recipe("grpo", {
      loss: custom("entropy penalty", (tf, x) =>
        tf.sub(
          tf.mul(0.01, x.tokenMean(x.entropy_ntl)),
          x.tokenMean(clipped(ratioOf(x.logProb_ntl, x.oldLogProb_ntl), x.advantage_ntl)),
        ),
      ),
    }),
    found: "regularizers",
  },
  {
    mistake: "no stop-gradient on the weight of log pi",
    row: recipe("grpo", {
      loss: custom("open weight", (tf, x) => {
        const weight = tf.minimum(ratioOf(x.logProb_ntl, x.oldLogProb_ntl), 1.28);
        return tf.neg(x.tokenMean(tf.mul(tf.mul(weight, x.advantage_ntl), x.logProb_ntl)));
      }),
    }),
    found: "push",
  },
  {
    mistake: "an advantage through which the gradient flows into the critic",
    row: recipe("ppo", {
      loss: custom("open baseline", (tf, x) => {
        const advantage = tf.expandDims(tf.sub(x.valueTarget_nt, x.value_nt), 2);
        return tf.neg(x.tokenMean(tf.mul(ratioOf(x.logProb_ntl, x.oldLogProb_ntl), advantage)));
      }),
    }),
    found: "critic",
  },
  {
    mistake: "a ratio without a limit",
    row: recipe("grpo", {
      loss: custom("no limit", (tf, x) =>
        tf.neg(x.tokenMean(tf.mul(tf.exp(tf.sub(x.logProb_ntl, x.oldLogProb_ntl)), x.advantage_ntl))),
      ),
    }),
    found: "extreme ratios",
  },
];

/** Mistakes that people make, each in a piece of a rule or in a whole loss. */
export const faults: readonly Fault[] = [...inCredit, ...inWeights, ...inGates, ...inLosses];
