// Uses internals of turnwise/base, turnwise/rule, turnwise/train.
import { clamp, mean, variance } from "turnwise/internal/base/statistics";
import { recipe } from "turnwise";
import { stepScaleOfStep } from "turnwise/internal/rule/index";
import { AgentBaseline } from "turnwise/internal/train/stepReward/agentBaseline";
import { bonuses } from "turnwise/internal/train/stepReward/counterfactual";
import type { Setting } from "./fixture.js";

/**
 * What a framework does that no cell of a row says, stated as a change of what the row computes. With the right form the
 * row and the released code agree to the last digits, which is how a difference is known and not only measured.
 */
export interface Form {
  /** What the advantages are taken of, instead of the setting. */
  readonly credited?: (setting: Setting) => Setting;
  /** Advantages of the sampled tokens from those of a row that does not scale them. */
  readonly scaled?: (advantage: number[], at: readonly number[], setting: Setting) => number[];
  /** What multiplies the weight of a token in the loss. */
  readonly weight?: (setting: Setting, mask: ArrayLike<number>) => (i: number) => number;
  /** What a token adds to the loss, before it is averaged, and its derivative in the token's log-prob. */
  readonly added?: (i: number, setting: Setting) => { readonly value: number; readonly slope: number };
}

const centered = (values: readonly number[], divisor: number): number[] => {
  const center = mean(values);
  return values.map((x) => (x - center) / divisor);
};

const guard = 1e-8;

/** (A - mean) / sqrt(var + 1e-8) over tokens, n - 1 in the variance; both means add 1e-8 to the number of tokens. */
export const verlWhitening: Form = {
  scaled: (a) => {
    const n = a.length;
    const less = (values: readonly number[]): number => values.reduce((sum, x) => sum + x, 0) / (n + guard);
    const center = less(a);
    const variance = (less(a.map((x) => (x - center) ** 2)) * n) / (n - 1);
    return a.map((x) => (x - center) / Math.sqrt(variance + guard));
  },
};

/** 1e-8 is added to the number of tokens of a row, of the whole batch where there is one row. */
const countedWithGuard = (row: (i: number, setting: Setting) => number): Form => ({
  weight: (setting, mask) => {
    const counts = new Map<number, number>();
    for (let i = 0; i < mask.length; i++) {
      if (mask[i] === 1) counts.set(row(i, setting), (counts.get(row(i, setting)) ?? 0) + 1);
    }
    return (i) => {
      const count = counts.get(row(i, setting))!;
      return count / (count + guard);
    };
  },
});

export const trajectoryGuard = countedWithGuard((i, { batch: { shape } }) =>
  Math.floor(i / (shape[1] * shape[2])),
);
export const turnGuard = countedWithGuard((i, { batch: { shape } }) => Math.floor(i / shape[2]));
export const batchGuard = countedWithGuard(() => 0);

/** A group of one is divided by 1 + 1e-6, where the row divides by 1. */
const aloneDivided = (key: (n: number, t: number, setting: Setting) => string): Form => ({
  scaled: (a, at, setting) => {
    const { shape, turnCount_n, return_n } = setting.batch;
    const [, T, L] = shape;
    const members = new Map<string, Set<string>>();
    turnCount_n.forEach((turns, n) => {
      for (let t = 0; t < turns; t++) {
        const group = key(n, t, setting);
        const member = group === setting.batch.groupId[n] ? String(n) : `${String(n)} ${String(t)}`;
        members.set(group, (members.get(group) ?? new Set()).add(member));
      }
    });
    return a.map((x, k) => {
      const turn = Math.floor(at[k]! / L);
      const n = Math.floor(turn / T);
      return members.get(key(n, turn % T, setting))!.size > 1 ? x : x - (return_n[n]! * 1e-6) / (1 + 1e-6);
    });
  },
});

export const groupAlone = aloneDivided((n, _, { batch }) => batch.groupId[n]!);
export const agentAlone = aloneDivided(
  (n, t, { batch }) => `${batch.groupId[n]!} ${batch.agentId_nt![n]![t]!}`,
);

/** All turns are one agent's: with groups by task and agent, a trajectory counts once for each of its turns. */
export const oneAgent: Form = {
  credited: (setting) => {
    const { agentId_nt: _, ...batch } = setting.batch;
    return { ...setting, batch };
  },
  ...aloneDivided((n, _, { batch }) => `${batch.groupId[n]!} turns`),
};

/** The mean of the episode counts a trajectory once for each of its turns. */
export const meanOfTurns: Form = {
  scaled: (a, at, { batch }) => {
    const { shape, groupId, return_n, turnCount_n } = batch;
    const center = (group: string, times: (n: number) => number): number => {
      const returns = groupId.flatMap((one, n) =>
        one === group ? new Array<number>(times(n)).fill(return_n[n]!) : [],
      );
      return returns.length === 1 ? 0 : mean(returns);
    };
    const shift = new Map(
      groupId.map((group) => [group, center(group, () => 1) - center(group, (n) => turnCount_n[n]!)]),
    );
    return a.map((x, k) => x + shift.get(groupId[Math.floor(at[k]! / (shape[1] * shape[2]))]!)!);
  },
};

/** Several forms at once. */
export const all = (...forms: readonly Form[]): Form => {
  const scaled = forms.flatMap((one) => one.scaled ?? []);
  const merged: Form = Object.assign({}, ...forms) as Form;
  if (scaled.length < 2) return merged;
  return {
    ...merged,
    scaled: (a, at, setting) => scaled.reduce((values, of) => of(values, at, setting), a),
  };
};

/** (A - mean) / sqrt(max(var, 1e-8)) over tokens, n in the variance. */
export const openRlhfWhitening: Form = {
  scaled: (a) => centered(a, Math.sqrt(Math.max(variance(a), 1e-8))),
};

/** A gap between sampled tokens is a step like any other, of value 0. */
export const gapsAsSteps: Form = {
  credited: (setting) => {
    const { batch, values } = setting;
    const perRow = batch.shape[1] * batch.shape[2];
    const mask_ntl = batch.mask_ntl.map((_, i) => {
      const end = (Math.floor(i / perRow) + 1) * perRow;
      return batch.mask_ntl.subarray(i, end).includes(1) ? 1 : 0;
    });
    const value_ntl = Float64Array.from(batch.mask_ntl, (m, i) => (m === 1 ? values.value_ntl![i]! : 0));
    return { ...setting, batch: { ...batch, mask_ntl }, values: { ...values, value_ntl } };
  },
};

/** The sizes of the returns in their place, paid at the end: a rule that divides by a mean wants them above 0. */
const magnitudes: Form = {
  credited: (setting) => {
    const { shape, turnCount_n } = setting.batch;
    const return_n = setting.batch.return_n.map(Math.abs);
    const reward_nt = new Float64Array(setting.batch.reward_nt.length);
    return_n.forEach((x, n) => (reward_nt[n * shape[1] + turnCount_n[n]! - 1] = x));
    return { ...setting, batch: { ...setting.batch, return_n, reward_nt } };
  },
};

/** And 1e-6 beside the mean that they are divided by. */
export const magnitudesOverMean: Form = {
  ...magnitudes,
  scaled: (a, at, { batch: { shape, groupId, return_n } }) =>
    a.map((x, k) => {
      const group = groupId[Math.floor(at[k]! / (shape[1] * shape[2]))]!;
      const center = mean([...return_n].flatMap((one, n) => (groupId[n] === group ? [Math.abs(one)] : [])));
      return (x * center) / (center + 1e-6);
    }),
};

/** The mean is over the tokens that a mask of the second moment has left. */
export const tokensLeft = (tau: number): Form => ({
  weight: ({ logProb_ntl, oldLogProb_ntl }, mask) => {
    const square = (i: number): number => (logProb_ntl[i]! - oldLogProb_ntl[i]!) ** 2;
    const left = Array.from({ length: mask.length }, (_, i) => i)
      .filter((i) => mask[i] === 1)
      .sort((i, j) => square(i) - square(j));
    const count = left.length;
    while (mean(left.map(square)) >= tau) left.pop();
    return () => count / left.length;
  },
});

/** The values before the first turns play the returns of greedy episodes. */
export const greedyReturns: Form = {
  credited: (setting) => {
    const { batch, values } = setting;
    const step_nt = batch.reward_nt.map((_, nt) => {
      const first = Math.floor(nt / batch.shape[1]) * batch.shape[1];
      return -values.value_nt![first]!;
    });
    return { ...setting, batch: { ...batch, step_nt } };
  },
};

/** The running mean of each agent, as the trainer keeps it. */
export const agentBaselines: Form = {
  credited: (setting) => {
    const { batch } = setting;
    const { step_nt } = new AgentBaseline({ decay: 0.95 }).judge({ batch });
    return { ...setting, batch: { ...batch, step_nt } };
  },
};

/** A success is a return above 0 and pays 1; that of the others alone, a step reward of the first turn above 0. */
export const rolesBySign: Form = {
  credited: (setting) => {
    const { batch } = setting;
    const [N, T] = batch.shape;
    const team = Array.from(batch.return_n, (x) => x > 0);
    const alone = Array.from({ length: N }, (_, n) => batch.step_nt![n * T]! > 0);
    const bonus = bonuses(team, alone, batch.groupId, { bonus: "event", baseline: "group" });
    const reward_nt = batch.reward_nt.map((_, nt) =>
      nt % T === T - 1 && team[Math.floor(nt / T)] === true ? 1 : 0,
    );
    const step_nt = reward_nt.map((_, nt) => {
      const n = Math.floor(nt / T);
      return batch.agentId_nt![n]![nt % T] === "planner" ? 0.2 * bonus[n]! : 0;
    });
    const return_n = Float64Array.from(team, Number);
    return { ...setting, batch: { ...batch, reward_nt, return_n, step_nt } };
  },
};

/** Advantages of 0: only what stands beside them is left. */
export const noAdvantage: Form = { scaled: (a) => a.map(() => 0) };

/** k1 in the loss, cut to +-`limit` nats, beyond which it has no gradient: on average it has none anywhere on policy. */
export const k1InLoss = (coef: number, limit = Infinity): Form => ({
  added: (i, { logProb_ntl, refLogProb_ntl }) => {
    const k1 = logProb_ntl[i]! - refLogProb_ntl[i]!;
    return { value: coef * clamp(k1, -limit, limit), slope: Math.abs(k1) < limit ? coef : 0 };
  },
});

/** The reference is the policy that sampled. */
export const sampledByReference: Form = {
  credited: (setting) => ({
    ...setting,
    batch: { ...setting.batch, rolloutLogProb_ntl: setting.refLogProb_ntl },
  }),
};

/** For each token, the factor on the learning rate of a step at the old policy, with the share itself instead of its root. */
export const shareOfSamples: Form = {
  scaled: (_, at, { batch, refLogProb_ntl, oldLogProb_ntl }) => {
    const row = recipe("vcpo", { update: { stepScale: { power: "linear" } } });
    const sampled = { ...batch, rolloutLogProb_ntl: refLogProb_ntl };
    const turns = Array.from({ length: batch.shape[1] }, (_, t) => t);
    return at.map(() => stepScaleOfStep(row, sampled, turns, oldLogProb_ntl)!);
  },
};
