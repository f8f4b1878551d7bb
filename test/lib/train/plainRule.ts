// Uses internals of turnwise/base.
/**
 * Every choice of a row as a plain formula over lists: slow, and independent of the library's rule code, which it checks.
 *
 * A token is known by its cell i = (n T + t) L + l in the batch; x[i] is then its log-prob, weight, advantage ...
 */
import { exp } from "turnwise/tensor";
import { expm1 } from "turnwise/internal/base/elementary/expm1";
import { power } from "turnwise/internal/base/elementary/power";
import type { Batch, Metrics, Recipe, Rng } from "turnwise";

export type Numbers = ArrayLike<number>;

/** One trajectory of the batch, with the rewards and token charges that its row's shaping leaves. */
export interface Trajectory {
  readonly n: number;
  readonly group: string;
  /** The trajectory from which its tree stems. */
  readonly tree: string;
  /** Each turn by the name of the trajectory that took it first. */
  readonly nodes: readonly string[];
  /** -mean log-prob of a turn's tokens when they were sampled. */
  readonly surprise: (t: number) => number;
  readonly observations: readonly string[];
  /** Whether the world says that its last turn solved the task. */
  readonly solved: boolean;
  /** Sum of its tokens' log-probs when they were sampled. */
  readonly logProb: number;
  /** Cells that the policy sampled, turn by turn. */
  readonly turns: readonly (readonly number[])[];
  /** 1 - 2 pi + sum pi^2 of a cell's distribution, before the first step. */
  readonly energy: (i: number) => number;
  /** w^2 |grad log pi|^2 of the trajectory, before the first step. */
  readonly pull: () => number;
  /** What its length costs; part of the last of the rewards. */
  readonly penalty: number;
  /** R: everything that it earned. */
  readonly R: number;
  /** r_t, without what tokens are charged. */
  readonly rewards: readonly number[];
  /** What each token pays for its distance to the reference: by cell, 0 in a row without reward.kl. */
  readonly charge: readonly number[];
}

export const sum = (xs: readonly number[]): number => xs.reduce((a, b) => a + b, 0);
export const mean = (xs: readonly number[]): number => sum(xs) / xs.length;
const clamp = (x: number, low: number, high: number): number => Math.min(Math.max(x, low), high);

export const norm = (g: Numbers): number => Math.sqrt(sum(Array.from(g, (x) => x ** 2)));

/** sqrt(sum (x - mean)^2 / (k - 1)), or / k if biased. Equal numbers have 0, whatever the rounding of their sum. */
export function deviation(xs: readonly number[], unbiased: boolean): number {
  if (Math.max(...xs) - Math.min(...xs) <= 1e-12 * Math.max(1, ...xs.map(Math.abs))) return 0;
  return Math.sqrt(sum(xs.map((x) => (x - mean(xs)) ** 2)) / (unbiased ? xs.length - 1 : xs.length));
}

type Divergence = Omit<NonNullable<Recipe["regularizer"]["klReference"]>, "coef" | "form">;

/** Schulman's estimates of KL(p || q) from a token of p, with d = log q - log p, and their derivatives in d. */
const estimates = {
  k1: { value: (d: number): number => -d, slope: (): number => -1 },
  k2: { value: (d: number): number => d ** 2 / 2, slope: (d: number): number => d },
  k3: { value: (d: number): number => expm1(d) - d, slope: (d: number): number => exp(d) - 1 },
  "k3+": { value: (d: number): number => expm1(d) - d, slope: (d: number): number => d },
};

/** The estimate of a divergence of new and other from a token of old, and its derivative in log new. */
function kl(
  { direction, estimator, correction, clamp: limits }: Divergence,
  logProb: number,
  other: number,
  old: number,
): { value: number; slope: number } {
  if (estimator === "exact") throw new RangeError("Cannot estimate an exact KL");
  const forward = direction === "forward";
  const far = limits?.logRatio ?? Infinity;
  const most = limits?.value ?? Infinity;
  const raw = forward ? logProb - other : other - logProb;
  const d = clamp(raw, -far, far);
  const uncut = estimates[estimator].value(d);
  const value = clamp(uncut, -most, most);
  // d falls by as much as log new rises, and the other way round for the forward direction.
  const perLog = forward ? 1 : -1;
  const free = estimator === "k3+" || (Math.abs(raw) <= far && Math.abs(uncut) <= most);
  const slope = free ? perLog * estimates[estimator].slope(estimator === "k3+" ? raw : d) : 0;
  if (correction === "none") return { value, slope };
  const apart = (forward ? other : logProb) - old;
  const w = exp(clamp(apart, -20, 20));
  // (w value)' = w slope + w' value; k2 and k3+ hold their weight.
  const moves = !forward && (estimator === "k1" || estimator === "k3") && Math.abs(apart) <= 20;
  return { value: w * value, slope: w * slope + (moves ? w * value : 0) };
}

/** Log-probs of the whole vocabulary after each cell's prefix. */
export type Whole = (i: number) => Float64Array;

/** The divergence itself, and its derivative in the logits of new. */
function exactKl(
  direction: "reverse" | "forward",
  logNew: Numbers,
  logOther: Numbers,
): { value: number; dLogit: number[] } {
  const [p, q] = [logNew, logOther].map((logs) => Array.from(logs, exp)) as [number[], number[]];
  const log = p.map((_, v) => logNew[v]! - logOther[v]!);
  if (direction === "forward")
    return { value: -sum(q.map((x, v) => x * log[v]!)), dLogit: p.map((x, v) => x - q[v]!) };
  const value = sum(p.map((x, v) => x * log[v]!));
  return { value, dLogit: p.map((x, v) => x * (log[v]! - value)) };
}

/* ---------- reward ---------- */

/** r_T += penalty for a long trajectory; every token pays coef * KL(old || reference). */
export function trajectory(
  row: Recipe,
  batch: Batch,
  n: number,
  refLogProb: Numbers,
  whole: { readonly old: Whole; readonly ref: Whole; readonly pull: (n: number) => number },
): Trajectory {
  const [, T, L] = batch.shape;
  const taken = Array.from({ length: batch.turnCount_n[n]! }, (_, t) => n * T + t);
  const turns = taken.map((nt) =>
    Array.from({ length: L }, (_, l) => nt * L + l).filter((i) => batch.mask_ntl[i] === 1),
  );
  const rewards = taken.map((nt) => batch.reward_nt[nt]! * row.reward.environment);
  const { overlong, kl: price } = row.reward;
  const beyond = overlong ? turns.flat().length - (overlong.maxLength - overlong.buffer) : 0;
  const penalty = overlong ? clamp(beyond / overlong.buffer, 0, 1) : 0;
  const charge: number[] = [];
  for (const i of turns.flat()) {
    if (price === null) charge[i] = 0;
    else if (price.estimator === "exact") {
      charge[i] = -price.coef * exactKl("reverse", whole.old(i), whole.ref(i)).value;
    } else {
      const { estimator, clamp: limits } = price;
      const old = batch.oldLogProb_ntl[i]!;
      const cell = { direction: "reverse", estimator, correction: "none", clamp: limits } as const;
      charge[i] = -price.coef * kl(cell, old, refLogProb[i]!, old).value;
    }
  }
  const R = sum([...rewards, -penalty, ...turns.flat().map((i) => charge[i]!)]);
  rewards[rewards.length - 1]! -= penalty;
  const tree = `${batch.groupId[n]!} ${batch.fork_n?.[n]?.tree ?? batch.trajectoryId[n]!}`;
  return {
    n,
    group: batch.groupId[n]!,
    tree,
    nodes: turns.map((_, t) => `${firstToTake(batch, n, t)} ${t}`),
    surprise: (t) => -mean(turns[t]!.map((i) => batch.oldLogProb_ntl[i]!)),
    observations: batch.observation_nt[n]!,
    solved: batch.info_nt![n]!.at(-1)!["success"] === true,
    logProb: sum(turns.flat().map((i) => batch.oldLogProb_ntl[i]!)),
    turns,
    R,
    rewards,
    charge,
    penalty: -penalty,
    energy: (i) =>
      1 - 2 * Math.exp(batch.oldLogProb_ntl[i]!) + sum([...whole.old(i)].map((x) => Math.exp(2 * x))),
    pull: () => whole.pull(n),
  };
}

/** Which trajectory took turn t of trajectory n first: its parent, or the parent's, where it had not left it yet. */
function firstToTake(batch: Batch, n: number, t: number): string {
  const fork = batch.fork_n?.[n] ?? null;
  if (fork === null || t >= fork.turn) return batch.trajectoryId[n]!;
  return firstToTake(batch, batch.trajectoryId.indexOf(fork.parent), t);
}

/** r_t with what its tokens were charged. */
const reward = ({ rewards, charge, turns }: Trajectory, t: number): number =>
  sum([rewards[t]!, ...turns[t]!.map((i) => charge[i]!)]);

const rewardsOf = (tau: Trajectory): number[] => tau.turns.map((_, t) => reward(tau, t));

/** A_t = delta_t + gamma lambda A_{t+1},  delta_t = r_t + gamma V_{t+1} - V_t,  and A = V = 0 after the end. */
function gae(r: readonly number[], v: readonly number[], gamma: number, lambda: number): number[] {
  const A: number[] = [];
  for (let t = r.length - 1; t >= 0; t--) {
    const delta = r[t]! + gamma * (v[t + 1] ?? 0) - v[t]!;
    A[t] = delta + gamma * lambda * (A[t + 1] ?? 0);
  }
  return A;
}

/** G_t = r_t + gamma G_{t+1} */
function returnsToGo(r: readonly number[], gamma: number): number[] {
  return gae(
    r,
    r.map(() => 0),
    gamma,
    1,
  );
}

/* ---------- filter ---------- */

/** Which of the groups take part: all, those whose returns differ, or some of largest standard deviation. */
export function passing<
  G extends { readonly id: string; readonly std: number; readonly returns: readonly number[] },
>({ filter }: Recipe, groups: readonly G[]): readonly G[] {
  if (filter.kind === "none") return groups;
  if (filter.kind === "zeroVariance") return groups.filter(({ std }) => std > 0);
  if (filter.kind === "custom")
    throw new Error(`The plain trainer has no own functions: got ${filter.by.label}`);
  const ranked = [...groups].sort((a, b) => b.std - a.std || (a.id < b.id ? -1 : 1));
  if (filter.kind === "topP") {
    // The shortest head of the ranking whose deviations, with n - 1, sum to at least p of all; none of 0, unless p is 1.
    if (filter.p === 1) return groups;
    const std = ranked.map(({ returns }) => deviation(returns, true));
    const total = (count: number): number => std.slice(0, count).reduce((a, b) => a + b, 0);
    const wanted = filter.p * total(std.length) - filter.epsilon;
    const heads = std.map((_, count) => count).filter((count) => total(count) >= wanted);
    return ranked.slice(0, heads[0] ?? std.length).filter((group) => group.std > 0);
  }
  return ranked.slice(0, Math.max(1, Math.floor(filter.fraction * groups.length)));
}

/* ---------- advantage ---------- */

/** The tokens that share one advantage, its value, and the group that it is compared within. */
interface Unit {
  readonly tokens: readonly number[];
  readonly value: number;
  readonly group: string;
}

/** GAE with a token as one step: a turn's reward arrives at its last token. */
function tokenGae(tau: Trajectory, values: readonly number[], gamma: number, lambda: number): number[] {
  const r = tau.turns.flatMap((tokens, t) =>
    tokens.map((i, l) => tau.charge[i]! + (l === tokens.length - 1 ? tau.rewards[t]! : 0)),
  );
  const v = tau.turns.flatMap((tokens, t) => tokens.map(() => values[t]!));
  return gae(r, v, gamma, lambda);
}

/**
 * (x - mean of the group) / F, with F = 1, the group's standard deviation + epsilon (scale group), or its mean + epsilon if
 * that mean is above 0, and 0 otherwise (scale mean).
 *
 * Leave one out: G / (G - 1) (x - mean), which is x minus the mean of the others.
 */
function compare(
  units: readonly Unit[],
  { advantage, scale }: Recipe,
  leaveOneOut = advantage.kind === "leaveOneOut" || advantage.kind === "episodePlusStep",
): Unit[] {
  return units.map((unit) => {
    const xs = units.filter(({ group }) => group === unit.group).map(({ value }) => value);
    if (xs.length === 1) return unit; // a group of one: baseline 0 and deviation 1
    if (deviation(xs, false) === 0) return { ...unit, value: 0 };
    const gain = leaveOneOut ? xs.length / (xs.length - 1) : 1;
    const F = divisor(xs, scale);
    return { ...unit, value: (gain * (unit.value - mean(xs))) / F };
  });
}

function divisor(xs: readonly number[], scale: Recipe["scale"]): number {
  if (scale.kind === "group") return deviation(xs, scale.unbiased) + scale.epsilon;
  // A sum that is 0 on paper is not above 0.
  if (scale.kind === "mean")
    return mean(xs) > 1e-12 * Math.max(...xs.map(Math.abs)) ? mean(xs) + scale.epsilon : Infinity;
  return 1;
}

/** The advantage of every token, as the row's `advantage` defines it, before any scaling over the batch. */
function units(row: Recipe, taus: readonly Trajectory[], values: (tau: Trajectory) => number[]): Unit[] {
  const choice = row.advantage;
  const turnLimit = Math.max(...taus.map(({ turns }) => turns.length));
  const perTurn = (
    value: (tau: Trajectory, t: number) => number,
    group: (tau: Trajectory, t: number) => string,
  ) =>
    taus.flatMap((tau) =>
      tau.turns.map((tokens, t): Unit => ({ tokens, value: value(tau, t), group: group(tau, t) })),
    );
  const perToken = (advantage: (tau: Trajectory) => number[]): Unit[] =>
    taus.flatMap((tau) => {
      const A = advantage(tau);
      return tau.turns.flat().map((i, k): Unit => ({ tokens: [i], value: A[k]!, group: "" }));
    });
  /** One number per turn, given to each of its tokens. */
  const spread = (tau: Trajectory, A: readonly number[]): number[] =>
    tau.turns.flatMap((tokens, t) => tokens.map(() => A[t]!));
  const whole = taus.map(({ turns, R, group }): Unit => ({ tokens: turns.flat(), value: R, group }));
  const sizeOf = (all: readonly Unit[], { group }: Unit): number =>
    all.filter((u) => u.group === group).length;

  switch (choice.kind) {
    case "return": // A = R
      return whole;
    case "returnToGo": // A_t = r_t + gamma A_{t+1} over tokens
      return perToken((tau) => {
        const zeros = tau.turns.map(() => 0);
        return tokenGae(tau, zeros, choice.gamma, 1);
      });
    case "mean": // A_i = (R_i - mean R) / F; with taskAgent, every turn that the agent took counts once
      if (choice.groupBy === "task") return compare(whole, row);
      return compare(
        perTurn(
          (tau) => tau.R,
          (tau) => tau.group,
        ), // these worlds have one agent
        row,
      );
    case "verdictSign": // without a step reward, that of the trajectory, for each of its turns
      return compare(whole, row).flatMap((unit, n) => taus[n]!.turns.map((tokens) => ({ ...unit, tokens })));
    case "outcomePlusStep": // without a step reward, R among the turns of the same index
      return compare(
        perTurn(
          (tau) => tau.R,
          (tau, t) => `${tau.group} turn ${t}`,
        ),
        row,
      );
    case "agentPlusStep": // the same as mean by taskAgent, without a step reward
      return compare(
        perTurn(
          (tau) => tau.R,
          (tau) => tau.group,
        ),
        row,
      );
    case "episodePlusStep": // without a step reward, that of the episode alone
    case "leaveOneOut": // A_i = R_i - mean of the others
      return compare(whole, row);
    case "perTurn": {
      // A_t = (c_t - mean over the group's turns of the same index) / F
      const credit = (tau: Trajectory, t: number): number => {
        if (choice.credit === "return") return tau.R;
        return choice.credit === "reward" ? reward(tau, t) : returnsToGo(rewardsOf(tau), 1)[t]!;
      };
      const all = perTurn(credit, (tau, t) => `${tau.group} turn ${t}`);
      const keeps = (unit: Unit): boolean => {
        const size = sizeOf(all, unit);
        return size === 1 ? choice.onlyMember === "credit" : size >= choice.minGroup;
      };
      const compared = compare(all, row, choice.baseline === "leaveOneOut");
      return compared.map((unit) => (keeps(unit) ? unit : { ...unit, value: 0 }));
    }
    case "lengthWeighted": // A_i = (R_i - sum l_j R_j / sum l_j) / F
      return whole.map((unit) => {
        const mates = whole.filter(({ group }) => group === unit.group);
        const returns = mates.map(({ value }) => value);
        if (mates.length === 1) return unit;
        if (deviation(returns, false) === 0) return { ...unit, value: 0 };
        const l = (one: Unit): number => one.tokens.length;
        const baseline = mates.reduce((a, b) => a + l(b) * b.value, 0) / mates.reduce((a, b) => a + l(b), 0);
        return { ...unit, value: (unit.value - baseline) / divisor(returns, row.scale) };
      });
    case "bestOfGroup": // A_i = (max R - max R of the others) / F
      return whole.map((unit, n) => {
        const mates = taus.filter(({ group }) => group === unit.group);
        const returns = mates.map(({ R }) => R);
        if (deviation(returns, false) === 0) return { ...unit, value: 0 };
        const others = mates.filter((tau) => tau !== taus[n]).map(({ R }) => R);
        const value = (Math.max(...returns) - Math.max(...others)) / divisor(returns, row.scale);
        return { ...unit, value };
      });
    case "belief": // without a step reward no turn moves the belief, and all have the trajectory's
      return compare(whole, row).flatMap((unit, n) => taus[n]!.turns.map((tokens) => ({ ...unit, tokens })));
    case "branches": {
      // after the fork, R among the tree; before it, the tree's mean among those of the group's trees
      const mates = (tau: Trajectory): Trajectory[] => taus.filter(({ tree }) => tree === tau.tree);
      const meanOf = (tau: Trajectory): number => mean(mates(tau).map(({ R }) => R));
      const shared = (tau: Trajectory, t: number): boolean => {
        // A turn that another one of the tree has as well; one of a lone tree, if any tree of the group shares its turn.
        const among = taus.filter(({ group }) => group === tau.group);
        const forked = among.some((one) => mates(one).length > 1);
        if (!forked) return true;
        const trees = mates(tau).length > 1 ? [mates(tau)] : among.map(mates);
        return trees.some((tree) =>
          tree.every(({ nodes }) => tree.length > 1 && nodes[t] === tree[0]!.nodes[t]),
        );
      };
      return perTurn(
        (tau, t) => {
          const among = taus.filter(({ group }) => group === tau.group);
          const trees = [...new Set(among.map(({ tree }) => tree))];
          const means = trees.map((tree) => meanOf(among.find((one) => one.tree === tree)!));
          // Leaving one out: the mean of the others, 0 where there are none.
          const others = (x: number, all: readonly number[]): number => {
            const sum = all.reduce((a, b) => a + b, 0);
            if (row.advantage.kind !== "branches" || row.advantage.baseline === "mean")
              return x - sum / all.length;
            return all.length === 1 ? 0 : x - (sum - x) / (all.length - 1);
          };
          return shared(tau, t)
            ? others(meanOf(tau), means)
            : others(
                tau.R,
                mates(tau).map(({ R }) => R),
              );
        },
        ({ group }) => group,
      );
    }
    case "returnPlusStep": // without a step reward, R, for each of its turns
      return whole.flatMap((unit, n) => taus[n]!.turns.map((tokens) => ({ ...unit, tokens })));
    case "outcomePlusTurn": {
      // A(outcome) + weight * A(turn) on the first of several turns, A(outcome) on the others; A(return) on a single turn
      const first = (tau: Trajectory): number => (tau.turns.length > 1 ? reward(tau, 0) : 0);
      const of = (value: (tau: Trajectory) => number): number[] =>
        compare(
          taus.map((tau): Unit => ({ tokens: [], value: value(tau), group: tau.group })),
          row,
        ).map(({ value: A }) => A);
      const [outcome, turn, both] = [of((tau) => tau.R - first(tau)), of(first), of((tau) => tau.R)];
      return taus.flatMap((tau, n) =>
        tau.turns.map((tokens, t): Unit => {
          const value =
            tau.turns.length === 1 ? both[n]! : outcome[n]! + (t === 0 ? choice.weight * turn[n]! : 0);
          return { tokens, value, group: tau.group };
        }),
      );
    }
    case "hgpo": {
      // the weighted mean of what the groups of k last observations say, without those that say 0
      const among = choice.episode ? compare(whole, row).map(({ value }) => value) : [];
      const said: [weight: number, A: number][][] = taus.flatMap((tau, n) =>
        tau.turns.map((): [number, number][] => (choice.episode ? [[1, among[n]!]] : [])),
      );
      for (let k = 1; k <= choice.history + 1; k++) {
        const visits = perTurn(
          (tau, t) => returnsToGo(rewardsOf(tau), choice.gamma)[t]!,
          (tau, t) =>
            t + 1 < k
              ? `${taus.indexOf(tau)} ${t}`
              : `${tau.group} ${tau.observations.slice(t + 1 - k, t + 1).join("|")}`,
        );
        compare(visits, row).forEach((unit, i) => {
          if (sizeOf(visits, visits[i]!) > 1) said[i]!.push([(k + 1) ** choice.alpha, unit.value]);
        });
      }
      const A = said.map((all) => {
        const loud = all.filter(([, value]) => Math.abs(value) > 1e-9);
        const total = loud.reduce((a, [w]) => a + w, 0);
        return total === 0 ? 0 : loud.reduce((a, [w, value]) => a + w * value, 0) / total;
      });
      return perTurn(
        () => 0,
        (tau) => tau.group,
      ).map((unit, i) => ({ ...unit, value: A[i]! }));
    }
    case "perPosition": {
      // A_t = (G_t - mean of the group at the turn, where those that have ended count 0) / F
      const all = perTurn(
        (tau, t) => returnsToGo(rewardsOf(tau), 1)[t]!,
        (tau, t) => `${tau.group} turn ${t}`,
      );
      const ended = taus.flatMap((tau) =>
        Array.from({ length: turnLimit - tau.turns.length }, (_, k): Unit => ({
          tokens: [],
          value: 0,
          group: `${tau.group} turn ${tau.turns.length + k}`,
        })),
      );
      return compare([...all, ...ended], row).slice(0, all.length);
    }
    case "step": // without a step reward, R among the group, for each of its turns
      return compare(whole, row).flatMap((unit, n) => taus[n]!.turns.map((tokens) => ({ ...unit, tokens })));
    case "tree": {
      // A_i = A(group) + weight * A(tree), and nothing within a tree of one
      const among = compare(whole, row);
      const trees = whole.map((unit, n) => ({ ...unit, group: taus[n]!.tree }));
      const within = compare(trees, row).map((u, n) => (sizeOf(trees, trees[n]!) === 1 ? 0 : u.value));
      return among.map((unit, n) => ({ ...unit, value: unit.value + choice.weight * within[n]! }));
    }
    case "subtree": {
      // A(last turn) = A(trajectory); A(turn) = sum over the turns that follow it of w A(turn'), w = e^surprise / their sum
      const among = compare(whole, row);
      const value = (mates: readonly number[], t: number): number => {
        const goOn = mates.filter((n) => taus[n]!.turns.length > t + 1);
        if (goOn.length === 0) return among[mates[0]!]!.value;
        const next = [...new Set(goOn.map((n) => taus[n]!.nodes[t + 1]!))].map((node) =>
          goOn.filter((n) => taus[n]!.nodes[t + 1] === node),
        );
        const w = next.map(([n]) => (choice.weighting === "surprise" ? exp(taus[n!]!.surprise(t + 1)) : 1));
        return sum(next.map((some, k) => w[k]! * value(some, t + 1))) / sum(w);
      };
      return perTurn(
        (tau, t) => {
          const same = (n: number): boolean =>
            taus[n]!.group === tau.group && taus[n]!.nodes[t] === tau.nodes[t];
          return value([...taus.keys()].filter(same), t);
        },
        ({ group }) => group,
      );
    }
    case "gigpo": {
      // A_t = A(trajectory) + weight * A(among all visits of the same observation)
      const among = compare(whole, row);
      const visits = perTurn(
        (tau, t) => returnsToGo(rewardsOf(tau), choice.gamma)[t]!,
        (tau, t) => `${tau.group} saw ${tau.observations[t]!}`,
      );
      const step = compare(visits, row).map((u, k) => (sizeOf(visits, visits[k]!) === 1 ? 0 : u.value));
      const episode = taus.flatMap((tau, n) => tau.turns.map(() => among[n]!.value));
      return visits.map((unit, k) => ({ ...unit, value: episode[k]! + choice.weight * step[k]! }));
    }
    case "stateGraph": {
      // A_t = A(trajectory) + weight * A(among all turns that leave the same observation), of success * omega^(turns to success)
      const among = compare(whole, row);
      const visits = perTurn(
        (tau, t) => {
          const group = taus.filter((one) => one.group === tau.group);
          const to = t + 1 < tau.turns.length ? tau.observations[t + 1]! : tau.solved ? 0 : 1;
          return choice.success * power(choice.omega, turnsToSuccess(group, to));
        },
        (tau, t) => `${tau.group} saw ${tau.observations[t]!}`,
      );
      const graph = compare(visits, row).map((u, k) => (sizeOf(visits, visits[k]!) === 1 ? 0 : u.value));
      const episode = taus.flatMap((tau, n) => tau.turns.map(() => among[n]!.value));
      return visits.map((unit, k) => ({ ...unit, value: episode[k]! + choice.weight * graph[k]! }));
    }
    case "target": // A = G (q - p)
      return whole.map((unit, n) => {
        const mates = taus.filter(({ group }) => group === unit.group);
        const score = compare(whole, row).map(({ value }) => value / choice.eta);
        const p = share(
          mates.map(({ logProb }) => logProb),
          mates.indexOf(taus[n]!),
        );
        const q = share(
          mates.map((tau) => tau.logProb + score[taus.indexOf(tau)]!),
          mates.indexOf(taus[n]!),
        );
        return { ...unit, value: mates.length * (q - p) };
      });
    case "hindsight": {
      // without a step reward all turns are as likely: A(trajectory) + weight * A(among the group's turns), of the discounted return
      const among = compare(whole, row);
      const worth = (tau: Trajectory, t: number): number =>
        power(choice.gamma, tau.turns.length - 1 - t) * tau.R;
      const units = perTurn(
        (tau, t) =>
          choice.share * worth(tau, t) +
          (1 - choice.share) * worth(tau, Math.min(t + 1, tau.turns.length - 1)),
        (tau) => tau.group,
      );
      const own = compare(units, row);
      const of = taus.flatMap((tau, n) => tau.turns.map(() => n));
      return own.map((unit, k) => {
        const said = taus[of[k]!]!.solved ? Math.max(0, unit.value) : unit.value;
        return { ...unit, value: among[of[k]!]!.value + choice.weight * said };
      });
    }
    case "valueStep": {
      // A_t = V(after the turn) - V(before it), the mean over the turns taken there; of a turn that is alone, that of the one before
      const step = (tau: Trajectory, t: number): number => {
        const [all, same] = waysFrom(taus, tau, t);
        const ways = distinct(all, t).map((one) => worthOf(taus, sharing(taus, one, t), t));
        if (ways.length > 1) return worthOf(taus, same, t) - mean(ways);
        return t === 0 ? 0 : step(tau, t - 1);
      };
      return perTurn(step, ({ group }) => group);
    }
    case "outcomePlusGains": // without a step reward no turn gains anything, and all have the trajectory's
      return compare(whole, row).flatMap((unit, n) => taus[n]!.turns.map((tokens) => ({ ...unit, tokens })));
    case "gae": {
      const { gamma, lambda } = choice;
      if (choice.level === "token") return perToken((tau) => tokenGae(tau, values(tau), gamma, lambda));
      return perTurn(
        (tau, t) => gae(rewardsOf(tau), values(tau), gamma, lambda)[t]!,
        () => "",
      );
    }
    case "biLevelGae": // GAE over turns gives each turn a return, which is the reward of GAE over its tokens
      return perToken((tau) => {
        const v = values(tau);
        const high = gae(rewardsOf(tau), v, choice.gammaTurn, choice.lambdaTurn);
        return tau.turns.flatMap((tokens, t) => {
          const r = tokens.map((_, l) => (l === tokens.length - 1 ? high[t]! + v[t]! : 0));
          return gae(
            r,
            tokens.map(() => v[t]!),
            choice.gamma,
            choice.lambda,
          );
        });
      });
    case "hierarchical": {
      // no policy here switches its goal, so an episode is one segment: GAE over its turns; all tokens are actions
      const low = taus.map((tau) => gae(rewardsOf(tau), values(tau), choice.gamma, choice.lambdaTurn));
      const all = low.flat();
      const std = deviation(all, false);
      const white = (a: number): number => (std === 0 ? 0 : (a - mean(all)) / (std + 1e-8));
      return perToken((tau) =>
        spread(tau, choice.whitenRoles ? low[taus.indexOf(tau)]!.map(white) : low[taus.indexOf(tau)]!),
      );
    }
    case "components": {
      // the sum over the parts of the reward of (x - mean) / F, then (A - mean) / (std + epsilon) over all trajectories
      const last = (tau: Trajectory): number => tau.rewards.at(-1)! - tau.penalty;
      const earlier = (tau: Trajectory): number => sum(tau.rewards.slice(0, -1));
      const task = choice.splitTurns ? [last, earlier] : [(tau: Trajectory) => last(tau) + earlier(tau)];
      const charged = (tau: Trajectory): number => sum(tau.turns.flat().map((i) => tau.charge[i]!));
      const parts = [...task, ({ penalty }: Trajectory) => penalty, charged].map((part) =>
        compare(
          taus.map((tau): Unit => ({ tokens: [], value: part(tau), group: tau.group })),
          row,
        ),
      );
      const sums = taus.map((_, n) => sum(parts.map((part) => part[n]!.value)));
      const { epsilon = 1e-6, unbiased = true } = row.scale as { epsilon?: number; unbiased?: boolean };
      const std = deviation(sums, unbiased);
      const white = (a: number): number =>
        deviation(sums, false) === 0 ? 0 : (a - mean(sums)) / (std + epsilon);
      return whole.map((unit, n) => ({ ...unit, value: choice.whiten ? white(sums[n]!) : sums[n]! }));
    }
    case "optimalToken": {
      // A_t = (G_t - sum W G / sum W over the group's t-th tokens) / F; W_t = energies up to token t
      const rows = taus.map((tau) => {
        const cells = tau.turns.flat();
        const G = tokenGae(tau, tau.turns.map(() => 0), 1, 1); // prettier-ignore
        const W = cells.map((_, t) => sum(cells.slice(0, t + 1).map(tau.energy)));
        return { tau, cells, G, W };
      });
      return rows.flatMap(({ tau, cells, G }) => {
        const mates = rows.filter((one) => one.tau.group === tau.group);
        const returns = mates.map((one) => one.tau.R);
        const F = deviation(returns, false) === 0 ? 1 : divisor(returns, row.scale);
        return cells.map((i, t): Unit => {
          const here = mates.filter((one) => t < one.cells.length);
          const all = sum(here.map(({ W }) => W[t]!));
          const b = all === 0 ? 0 : sum(here.map((one) => one.W[t]! * one.G[t]!)) / all;
          const alone = choice.onlyMember === "credit" ? G[t]! / F : 0;
          return { tokens: [i], value: here.length === 1 ? alone : (G[t]! - b) / F, group: tau.group };
        });
      });
    }
    case "optimalTrajectory": // A = (R - sum W R / sum W over the group) / F, W = w^2 |grad log pi|^2
      return whole.map((unit) => {
        const mates = taus.filter(({ group }) => group === unit.group);
        const returns = mates.map(({ R }) => R);
        if (deviation(returns, false) === 0) return { ...unit, value: 0 };
        const W = mates.map(({ pull }) => pull());
        const b = sum(W) === 0 ? 0 : sum(W.map((one, j) => one * returns[j]!)) / sum(W);
        return { ...unit, value: (unit.value - b) / divisor(returns, row.scale) };
      });
    case "custom":
      throw new Error(`The plain trainer has no own functions: got ${choice.by.label}`);
  }
}

/** The trajectories that share a turn. */
const sharing = (taus: readonly Trajectory[], tau: Trajectory, t: number): Trajectory[] =>
  taus.filter(({ group, nodes }) => group === tau.group && nodes[t] === tau.nodes[t]);

/** Those that took a turn from the history before turn t of a trajectory, and those among them that share its turn. */
const waysFrom = (
  taus: readonly Trajectory[],
  tau: Trajectory,
  t: number,
): [all: Trajectory[], same: Trajectory[]] => [
  (t === 0 ? taus.filter(({ group }) => group === tau.group) : sharing(taus, tau, t - 1)).filter(
    ({ turns }) => turns.length > t,
  ),
  sharing(taus, tau, t),
];

/** The first trajectory of each turn at t. */
const distinct = (all: readonly Trajectory[], t: number): Trajectory[] =>
  all.filter((tau) => all.find(({ nodes }) => nodes[t] === tau.nodes[t]) === tau);

/** Value after the turn at t that these trajectories share. */
function worthOf(taus: readonly Trajectory[], mates: readonly Trajectory[], t: number): number {
  const next = distinct(
    mates.filter(({ turns }) => turns.length > t + 1),
    t + 1,
  );
  return next.length === 0
    ? mates[0]!.R
    : mean(next.map((one) => worthOf(taus, sharing(taus, one, t + 1), t + 1)));
}

/** Whether a turn is in the loss: in a tree of values, where it was taken first, and next to siblings if the row asks for them. */
export function isTrained(row: Recipe, taus: readonly Trajectory[], tau: Trajectory, t: number): boolean {
  if (row.advantage.kind !== "valueStep") return true;
  const [all, same] = waysFrom(taus, tau, t);
  return same[0] === tau && (row.advantage.lone === "inherit" || distinct(all, t).length > 1);
}

/** exp x_k / sum exp x */
const share = (logs: readonly number[], k: number): number => {
  const most = Math.max(...logs);
  return exp(logs[k]! - most) / sum(logs.map((x) => exp(x - most)));
};

/** A = G (q - p) with the p of the present policy, which is G (q - p) before the first step plus G (p before - p now). */
export function renewed(
  row: Recipe,
  taus: readonly Trajectory[],
  A: readonly number[],
  logProb: Numbers,
): readonly number[] {
  if (row.advantage.kind !== "target") return A;
  const now: number[] = [];
  for (const tau of taus) {
    const mates = taus.filter(({ group }) => group === tau.group);
    const [before, after] = [
      mates.map((one) => one.logProb),
      mates.map(({ turns }) => sum(turns.flat().map((i) => logProb[i]!))),
    ].map((logs) => share(logs!, mates.indexOf(tau)));
    for (const i of tau.turns.flat()) now[i] = A[i]! + mates.length * (before! - after!);
  }
  return now;
}

/** Turns to success from an observation, or from success (0) or failure (1): one longer than the longest way where there is none. */
function turnsToSuccess(group: readonly Trajectory[], from: string | 0 | 1): number {
  const far = new Map<string | 0 | 1, number>([[0, 0]]);
  for (let moved = true; moved;) {
    moved = false;
    for (const { observations, turns, solved } of group) {
      for (const t of turns.keys()) {
        const to = t + 1 < turns.length ? observations[t + 1]! : solved ? 0 : 1;
        const through = (far.get(to) ?? Infinity) + 1;
        if (through < (far.get(observations[t]!) ?? Infinity)) {
          far.set(observations[t]!, through);
          moved = true;
        }
      }
    }
  }
  return far.get(from) ?? Math.max(...far.values()) + 1;
}

/** A of every cell. Batch scale, of units or tokens: (A - mean) / (std + epsilon), then cut to +-clamp. */
export function advantage(
  row: Recipe,
  taus: readonly Trajectory[],
  value_nt: Numbers,
  T: number,
): { A: number[]; metrics: Metrics } {
  const all = units(row, taus, ({ n, turns }) => turns.map((_, t) => value_nt[n * T + t]!));
  const { scale } = row;
  // Scale tokens: the value of a unit counts once for each of its tokens.
  const times = scale.kind === "tokens" ? ({ tokens }: Unit): number => tokens.length : (): number => 1;
  const xs = all.flatMap((unit) => new Array<number>(times(unit)).fill(unit.value));
  const whitens = scale.kind === "batch" || scale.kind === "tokens";
  const std = whitens ? deviation(xs, scale.unbiased) : 0;
  const limit = scale.kind === "batch" && scale.clamp !== null ? scale.clamp : Infinity;
  const A: number[] = [];
  let cut = 0;
  for (const { tokens, value } of all) {
    let a = value;
    if (whitens) a = std === 0 ? 0 : (value - mean(xs)) / (std + scale.epsilon);
    if (Math.abs(a) > limit) cut++;
    for (const i of tokens) A[i] = clamp(a, -limit, limit);
  }
  const perToken = taus.flatMap(({ turns }) => turns.flat().map((i) => A[i]!));
  const metrics = {
    "advantage/mean": mean(perToken),
    "advantage/std": Math.sqrt(Math.max(0, mean(perToken.map((a) => a ** 2)) - mean(perToken) ** 2)),
    ...(limit < Infinity && { "advantage/fracClamped": cut / all.length }),
  };
  return { A, metrics };
}

/* ---------- critic ---------- */

/** What V before each turn is regressed to: the discounted return from there on, or GAE's A_t + V_t. */
export function valueTargets(
  row: Recipe,
  taus: readonly Trajectory[],
  value_nt: Numbers,
  T: number,
): number[] {
  const choice = row.advantage;
  const target_nt: number[] = [];
  if (!("valueCoef" in choice)) return target_nt;
  const gamma = choice.kind === "biLevelGae" ? choice.gammaTurn : choice.gamma;
  const overTokens = choice.kind === "gae" && choice.level === "token";
  for (const tau of taus) {
    const r = rewardsOf(tau);
    const v = r.map((_, t) => value_nt[tau.n * T + t]!);
    const first = r.map((_, t) => tau.turns.slice(0, t).flat().length); // each turn's first token
    const last = r.map((_, t) => first[t]! + tau.turns[t]!.length - 1);
    for (let t = 0; t < r.length; t++) {
      let target: number;
      if (choice.kind === "gae" && choice.valueTarget === "lambdaReturn") {
        const { lambda } = choice;
        const A = overTokens ? tokenGae(tau, v, gamma, lambda)[first[t]!]! : gae(r, v, gamma, lambda)[t]!;
        target = A + v[t]!;
      } else if (overTokens) {
        // A token is a step, and a turn's reward arrives at its last token.
        target = sum(r.map((x, k) => (k < t ? 0 : power(gamma, last[k]! - first[t]!) * x)));
      } else {
        target = returnsToGo(r, gamma)[t]!;
      }
      target_nt[tau.n * T + t] = target;
    }
  }
  return target_nt;
}

/** mean over the turns of (V - target)^2 / 2, and its derivative in V. */
export function criticLoss(
  taus: readonly Trajectory[],
  turns: readonly number[],
  value_nt: Numbers,
  target_nt: readonly number[],
  T: number,
): { loss: number; dValue_nt: Float64Array } {
  const taken = taus.flatMap(({ n, turns: all }) =>
    turns.filter((t) => t < all.length).map((t) => n * T + t),
  );
  const dValue_nt = new Float64Array(value_nt.length);
  for (const nt of taken) dValue_nt[nt] = (value_nt[nt]! - target_nt[nt]!) / taken.length;
  return { loss: mean(taken.map((nt) => (value_nt[nt]! - target_nt[nt]!) ** 2 / 2)), dValue_nt };
}

/** 1 - Var(target - V) / Var(target) */
export function explainedVariance(value_nt: Numbers, target_nt: readonly number[]): number {
  const taken = Object.keys(target_nt).map(Number);
  const spread =
    deviation(
      taken.map((nt) => target_nt[nt]!),
      false,
    ) ** 2;
  const left =
    deviation(
      taken.map((nt) => target_nt[nt]! - value_nt[nt]!),
      false,
    ) ** 2;
  return spread > 0 ? 1 - left / spread : 0;
}

/* ---------- loss ---------- */

/**
 * The weight c of every sampled token, which tokens the loss keeps, and what a record says of both engines. The ratio of a
 * unit is the product of trainer over rollout engine, or their geometric mean where the unit is rejected as a whole.
 */
export function correction(
  row: Recipe,
  taus: readonly Trajectory[],
  rollout: Numbers,
  trainer: Numbers,
): { c: number[]; kept: boolean[]; metrics: Metrics } {
  const choice = row.correction;
  const c: number[] = [];
  const kept: boolean[] = [];
  const sampled = taus.flatMap(({ turns }) => turns.flat());
  for (const i of sampled) [c[i], kept[i]] = [1, true];
  if (choice.kind === "none") return { c, kept, metrics: {} };
  const d = (i: number): number => trainer[i]! - rollout[i]!;
  const units = {
    token: sampled.map((i) => [i]),
    turn: taus.flatMap(({ turns }) => turns.map((one) => [...one])),
    trajectory: taus.map(({ turns }) => turns.flat()),
  };
  let truncated = 0;
  for (const unit of units[choice.level]) {
    const logs = unit.map(d);
    const r = limitedExp(choice.kind === "reject" ? mean(logs) : sum(logs));
    const high = choice.high ?? Infinity;
    const passes = r <= high && (choice.kind === "truncate" || r >= choice.low);
    const bypass = "oldLogProb" in choice && choice.oldLogProb === "bypass";
    for (const i of unit) {
      if (choice.kind === "truncate") c[i] = passes ? r : high;
      if (choice.kind === "mask") c[i] = passes ? (bypass ? 1 : r) : 0;
      if (choice.kind === "reject") kept[i] = passes;
      if (choice.kind === "truncate" && !passes) truncated++;
    }
  }
  const n = sampled.length;
  const applied = sampled.map((i) => (kept[i] ? c[i]! : 0));
  const total = sum(applied);
  const byTrajectory = units.trajectory.map((unit) => exp(2 * clamp(sum(unit.map(d)), -20, 20)));
  return {
    c,
    kept,
    metrics: {
      "mismatch/kl": -mean(sampled.map(d)),
      "mismatch/approxKl": mean(sampled.map((i) => limitedExp(d(i)) - 1 - d(i))),
      "mismatch/logProbGap": mean(sampled.map((i) => Math.abs(d(i)))),
      "mismatch/ratioMax": Math.max(...sampled.map((i) => limitedExp(d(i)))),
      "mismatch/chiSquaredToken": mean(sampled.map((i) => limitedExp(d(i)) ** 2)) - 1,
      "mismatch/chiSquaredTrajectory": mean(byTrajectory) - 1,
      "mismatch/fracTruncated": truncated / n,
      "mismatch/fracMasked": applied.filter((x) => x === 0).length / n,
      "mismatch/weightMean": total / n,
      "mismatch/effectiveSampleSize": total === 0 ? 0 : total ** 2 / (n * sum(applied.map((x) => x ** 2))),
    },
  };
}

/** w of every token of these trajectories, so that loss = -sum w * objective. */
export function weights(row: Recipe, taus: readonly Trajectory[], T: number, L: number): number[] {
  const choice = row.aggregate;
  const N = taus.length;
  const there = (turns: Trajectory["turns"]): Trajectory["turns"] => turns.filter((one) => one.length > 0);
  const some = taus.filter(({ turns }) => there(turns).length > 0).length; // of a rejected trajectory nothing is left
  const all = taus.flatMap(({ turns }) => there(turns));
  const M = all.flat().length;
  const reaching = (t: number): Trajectory[] => taus.filter(({ turns }) => (turns[t] ?? []).length > 0);
  const w: number[] = [];
  for (const { turns } of taus) {
    for (const [t, tokens] of turns.entries()) {
      for (const i of tokens) {
        switch (choice.kind) {
          case "tokenMean": // 1 / M, or 1 / M_t
            w[i] = 1 / (choice.per === "batch" ? M : reaching(t).flatMap((tau) => tau.turns[t]!).length);
            break;
          case "sequenceMeanTokenMean": // 1 / (N M_n), or 1 / (N_t M_nt)
            w[i] =
              1 / (choice.per === "batch" ? some * turns.flat().length : reaching(t).length * tokens.length);
            break;
          case "turnMean": // 1 / (N K_n M_nt), or 1 / (K M_nt)
            w[i] =
              1 / ((choice.over === "trajectory" ? some * there(turns).length : all.length) * tokens.length);
            break;
          case "constant": // 1 / (N length), or 1 / (N_t length)
            w[i] =
              1 /
              ((choice.per === "batch" ? N : reaching(t).length) *
                (choice.length === "maximum" ? T * L : choice.length));
        }
      }
    }
  }
  return w;
}

/** The tokens, among those of the given turns, that share one ratio. */
export function ratioUnits(row: Recipe, taus: readonly Trajectory[], turns: readonly number[]): number[][] {
  const inTurns = taus.map((tau) => turns.flatMap((t) => (t < tau.turns.length ? [[...tau.turns[t]!]] : [])));
  if (row.ratio.level === "trajectory") return inTurns.map((lists) => lists.flat());
  if (row.ratio.level === "turn") return inTurns.flat();
  return inTurns.flat(2).map((i) => [i]);
}

/** exp(x), held constant beyond |x| = 20. */
const limitedExp = (x: number): number => exp(clamp(x, -20, 20));
const slopeOfExp = (x: number): number => (Math.abs(x) > 20 ? 0 : exp(x));

/** The ratio r of a unit from its tokens' log-ratios d, dr / d log pi of each token, and how much each token counts. */
function pooledRatio(
  row: Recipe,
  d: readonly number[],
): { r: number; slopes: number[]; share: number; limited: boolean } {
  const pooling = "pooling" in row.ratio ? row.ratio.pooling : "product";
  const k = d.length;
  if (pooling === "arithmetic") {
    const limited = d.some((x) => Math.abs(x) > 20);
    return { r: mean(d.map(limitedExp)), slopes: d.map((x) => slopeOfExp(x) / k), share: 1, limited };
  }
  const x = pooling === "product" ? sum(d) : mean(d);
  const slope = pooling === "product" ? slopeOfExp(x) : slopeOfExp(x) / k;
  return {
    r: limitedExp(x),
    slopes: d.map(() => slope),
    share: pooling === "product" ? 1 / k : 1, // a product is the ratio of the whole unit: it enters once
    limited: Math.abs(x) > 20,
  };
}

/** The gates that are written out below: PyTorch, in oracle.py, and their tensor form hold every other. */
export const plainGates: readonly string[] = ["none", "unclipped", "clip", "dualClip", "sapo"];

/** What the row maximizes in one token, its derivative in r, and the bound that took the derivative away. */
function gate(
  row: Recipe,
  r: number,
  A: number,
): { objective: number; slope: number; clipped: "" | "low" | "high" | "dual" } {
  const choice = row.gate;
  switch (choice.kind) {
    case "none":
    case "unclipped": // r A
      return { objective: r * A, slope: A, clipped: "" };
    case "clip":
    case "dualClip": {
      // min(r A, clip(r) A), and for A < 0 no less than dualClip * A
      const bound = clamp(r, 1 - choice.clipLow, 1 + choice.clipHigh) * A;
      const floor = choice.kind === "dualClip" && A < 0 ? choice.dualClip * A : -Infinity;
      if (floor > Math.min(r * A, bound)) return { objective: floor, slope: 0, clipped: "dual" };
      if (bound < r * A) return { objective: bound, slope: 0, clipped: A > 0 ? "high" : "low" };
      return { objective: r * A, slope: A, clipped: "" };
    }
    case "sapo": {
      // (4 / tau) sigmoid(tau (r - 1)) A
      const tau = A > 0 ? choice.tauPositive : choice.tauNegative;
      const s = 1 / (1 + exp(-tau * (r - 1)));
      return { objective: (4 / tau) * s * A, slope: 4 * s * (1 - s) * A, clipped: "" };
    }
    default:
      throw new RangeError(`Cannot compare gate ${JSON.stringify(choice)}: it must have a plain form.`);
  }
}

/** Whether a ratio left the clip range, whatever the sign of the advantage. */
function outside({ gate }: Recipe, r: number): boolean {
  if (gate.kind !== "clip" && gate.kind !== "dualClip") return false;
  return r > 1 + gate.clipHigh || r < 1 - gate.clipLow;
}

/** What a loss is computed from: all by cell. */
export interface LossInput {
  readonly logProb: Numbers;
  readonly old: Numbers;
  readonly ref: Numbers;
  readonly entropy: Numbers;
  /** Of new, old and reference, for exact divergences. */
  readonly whole: Readonly<Record<"logProb" | "old" | "ref", Whole>>;
  readonly vocabulary: number;
  /** M A: the advantage times the carry. */
  readonly A: readonly number[];
  readonly w: readonly number[];
  /** The weights of the correction. */
  readonly c: readonly number[];
  /** Who is left out, where chance decides. */
  readonly draw: readonly number[];
  /** The trajectory of each cell. */
  readonly owner: readonly string[];
  /** Of the entropy bonus, which a row with a target has steered. */
  readonly entropyCoef: number;
}

export interface Loss {
  readonly dLogProb_ntl: Float64Array;
  readonly dEntropy_ntl: Float64Array;
  /** Of exact divergences, in the logits. */
  readonly dLogit_ntlv: Float64Array;
  /** The derivative that the gate took away: C of ST-PPO. */
  readonly clippedAway_ntl: Float64Array;
  readonly metrics: Metrics;
}

/** loss = -sum w c gate(r, M A) + sum coef w KL - sum entropyCoef w H, and its derivatives. Without a ratio: log pi for r. */
export function loss(row: Recipe, units: readonly (readonly number[])[], x: LossInput): Loss {
  const { logProb, old, entropy, A, w, c, vocabulary: V } = x;
  const dLogit_ntlv = new Float64Array(logProb.length * V);
  const dLogProb_ntl = new Float64Array(logProb.length);
  const dEntropy_ntl = new Float64Array(logProb.length);
  const clippedAway_ntl = new Float64Array(logProb.length);
  const ratios: { r: number; clipped: string; limited: boolean }[] = [];
  const tokens = units.flat();
  const { out, charged, metrics: chosen } = apart(row, tokens, x);
  let total = 0;
  for (const unit of units) {
    const { r, slopes, share, limited } = pooledRatio(
      row,
      unit.map((i) => logProb[i]! - old[i]!),
    );
    for (const i of unit) {
      if (row.ratio.level === "none") {
        if (out.has(i)) continue;
        total -= w[i]! * c[i]! * A[i]! * logProb[i]!;
        dLogProb_ntl[i]! -= w[i]! * c[i]! * A[i]!;
        continue;
      }
      const { objective, slope, clipped } = gate(row, r, A[i]!);
      ratios.push({ r, clipped, limited });
      if (out.has(i)) continue;
      const earns = w[i]! * c[i]! * share;
      total -= earns * objective;
      unit.forEach((j, k) => {
        dLogProb_ntl[j]! -= earns * slope * slopes[k]!;
        if (clipped !== "") clippedAway_ntl[j]! += earns * A[i]! * slopes[k]!;
      });
    }
  }
  for (const { i, moved, coef } of charged) {
    total += w[i]! * coef * Math.abs(moved);
    dLogProb_ntl[i]! += w[i]! * coef * Math.sign(moved);
  }
  const { entropyCoef } = x;
  const { klReference, klOld, clippingTriggered: triggered } = row.regularizer;
  const fracOutside = ratios.filter(({ r }) => outside(row, r)).length / Math.max(1, ratios.length);
  const penalty = (coef: number, cell: Divergence, other: "old" | "ref"): number => {
    const values = tokens.map((i) => {
      if (cell.estimator === "exact") {
        const { value, dLogit } = exactKl(cell.direction, x.whole.logProb(i), x.whole[other](i));
        dLogit.forEach((d, v) => (dLogit_ntlv[i * V + v]! += coef * w[i]! * d));
        total += coef * w[i]! * value;
        return value;
      }
      const { value, slope } = kl(cell, logProb[i]!, x[other][i]!, old[i]!);
      total += coef * w[i]! * value;
      dLogProb_ntl[i]! += coef * w[i]! * slope;
      return value;
    });
    return mean(values);
  };
  const divergences = {
    ...(klReference && { "policy/klReference": penalty(klReference.coef, klReference, "ref") }),
    ...(klOld && { "policy/klOld": penalty(klOld.coef, klOld, "old") }),
  };
  if (triggered.kind === "klPenalty") penalty(triggered.lambda * fracOutside, triggered, "old");
  for (const i of tokens) {
    total -= entropyCoef * w[i]! * entropy[i]!;
    dEntropy_ntl[i]! -= entropyCoef * w[i]!;
  }
  const share = (found: (one: (typeof ratios)[number]) => boolean): number =>
    ratios.filter(found).length / ratios.length;
  return {
    dLogProb_ntl,
    dEntropy_ntl,
    dLogit_ntlv,
    clippedAway_ntl,
    metrics: {
      "policy/loss": total,
      // The old policy drew the tokens: r - 1 - log r estimates KL(old || new). All of them may have been rejected.
      ...(tokens.length > 0 && {
        "policy/approxKl": mean(tokens.map((i) => estimates.k3.value(logProb[i]! - old[i]!))),
        "policy/entropy": mean(tokens.map((i) => entropy[i]!)),
        ...divergences,
      }),
      ...chosen,
      ...(ratios.length > 0 && {
        "policy/clipFracLow": share(({ clipped }) => clipped === "low"),
        "policy/clipFracHigh": share(({ clipped }) => clipped === "high"),
        "policy/clipFracDual": share(({ clipped }) => clipped === "dual"),
        "policy/fracRatioLimited": share(({ limited }) => limited),
        "policy/ratioMax": Math.max(...ratios.map(({ r }) => r)),
        "policy/ratioMin": Math.min(...ratios.map(({ r }) => r)),
      }),
    },
  };
}

/** Tokens that lose their part of the objective, for a low entropy or at random among high covariances, and those that pay for |log r|. */
function apart(
  row: Recipe,
  tokens: readonly number[],
  { logProb, old, entropy, A, draw, owner }: LossInput,
): {
  out: Set<number>;
  charged: { i: number; moved: number; coef: number }[];
  metrics: Metrics;
} {
  const { entropyShare, covariance } = row.regularizer;
  const out = new Set<number>();
  if (entropyShare < 1) {
    // The quantile 1 - share lies between two entropies.
    const sorted = tokens.map((i) => entropy[i]!).sort((a, b) => a - b);
    const place = (1 - entropyShare) * (sorted.length - 1);
    const [lower, upper] = [sorted[Math.floor(place)]!, sorted[Math.ceil(place)]!];
    const threshold = lower + (upper - lower) * (place - Math.floor(place));
    for (const i of tokens) if (entropy[i]! < threshold - 1e-9) out.add(i);
  }
  const meanA = mean(tokens.map((i) => A[i]!));
  const meanLog = mean(tokens.map((i) => logProb[i]!));
  // To nine digits, so that equals tie.
  const cov = (i: number): number => Math.round(1e9 * (A[i]! - meanA) * (logProb[i]! - meanLog)) / 1e9;
  const some = (share: number): number => (share === 0 ? 0 : Math.max(1, Math.floor(share * tokens.length)));
  let charged: { i: number; moved: number; coef: number }[] = [];
  if (covariance.kind === "clip") {
    const { share, min: least, max: most } = covariance;
    // An advantage that is 0 but for rounding has no sign, and a dual clip is none that Clip-Cov asks about.
    const met = (i: number): string => gate(row, limitedExp(logProb[i]! - old[i]!), A[i]!).clipped;
    const free = (i: number): boolean =>
      row.ratio.level === "none" || Math.abs(A[i]!) < 1e-9 || !["low", "high"].includes(met(i));
    const candidates = tokens.filter((i) => cov(i) > least && cov(i) < most && free(i));
    const drawn = candidates.sort((i, j) => draw[i]! - draw[j]!);
    for (const i of drawn.slice(0, some(share))) out.add(i);
  }
  if (covariance.kind === "penalty") {
    const { share, coef } = covariance;
    charged = [...tokens]
      .sort((i, j) => cov(j) - cov(i) || (owner[i] === owner[j] ? i - j : owner[i]! < owner[j]! ? -1 : 1))
      .slice(0, some(share))
      .map((i) => ({ i, moved: logProb[i]! - old[i]!, coef }))
      .map((one) => (Math.abs(one.moved) < 1e-12 ? { ...one, moved: 0 } : one));
  }
  return {
    out,
    charged,
    metrics: {
      ...(tokens.length > 0 &&
        (entropyShare < 1 || covariance.kind === "clip") && {
          "policy/fracDropped": out.size / tokens.length,
        }),
      ...(tokens.length > 0 &&
        covariance.kind === "penalty" && { "policy/fracPenalized": charged.length / tokens.length }),
    },
  };
}

/** The weight of the entropy bonus after an update, and whether the next one pays it. */
export function steer(
  row: Recipe,
  { coef }: { readonly coef: number },
  entropy: number,
): { coef: number; paid: boolean } {
  const { entropyTarget: goal } = row.regularizer;
  if (goal === null) return { coef, paid: true };
  const paid = entropy < goal.target;
  return { coef: clamp(coef + (paid ? goal.step : -goal.step), goal.min, goal.max), paid };
}

/* ---------- order, carry, optimizer ---------- */

/** The sets of turns that are updated one after the other. */
export function schedule({ order }: Recipe, T: number, rng: Rng): number[][] {
  const turns = Array.from({ length: T }, (_, t) => t);
  if (order.kind === "simultaneous") return [turns];
  if (order.kind === "reverse") turns.reverse();
  return (order.kind === "random" ? rng.split("order").shuffle(turns) : turns).map((t) => [t]);
}

/** The trajectories 0 ... N - 1 in equal parts at random, or all of them in one. */
export function minibatches(N: number, count: number, rng: Rng): number[][] {
  const all = Array.from({ length: N }, (_, k) => k);
  if (count === 1) return [all];
  const shuffled = rng.shuffle(all);
  const size = N / Math.min(count, N);
  return all
    .slice(0, count)
    .map((part) => shuffled.slice(Math.floor(part * size), Math.floor((part + 1) * size)));
}

/** M after a turn whose tokens moved by these log-ratios: M r, or both cut to [low, high]. */
export function carry({ order }: Recipe, M: number, moved: readonly number[]): number {
  if (order.kind === "simultaneous" || order.carry.kind === "off" || moved.length === 0) return M;
  const { carry: choice } = order;
  const r = exp(clamp(choice.pooling === "product" ? sum(moved) : mean(moved), -20, 20));
  if (choice.kind === "exact") return clamp(r * M, exp(-20), exp(20));
  return clamp(clamp(r, choice.low, choice.high) * M, choice.low, choice.high);
}

/** min(1, rho / base), or its root, with rho = (sum w)^2 / (N sum w^2) of the trajectories' ratios w. */
export function stepScale({ update: { stepScale: o } }: Recipe, logs: readonly number[]): number {
  if (o.kind === "none") return 1;
  const w = logs.map((x) => exp(clamp(x, -20, 20)));
  const rho = sum(w) ** 2 / (w.length * sum(w.map((x) => x ** 2)));
  const part = Math.min(1, rho / o.base);
  return o.power === "root" ? Math.sqrt(part) : part;
}

/** Moves the parameters down the gradient g, cut to length maxGradNorm, with the learning rate times a factor. */
export function descent({
  update: { optimizer: o },
}: Recipe): (theta: Float64Array, g: Numbers, times?: number) => void {
  const m: number[] = [];
  const v: number[] = [];
  let k = 0;
  return (theta, g, times = 1) => {
    k++;
    const cut = o.maxGradNorm === null ? 1 : Math.min(1, o.maxGradNorm / norm(g));
    for (let j = 0; j < g.length; j++) {
      const x = cut * g[j]!;
      if (o.kind === "sgd") {
        theta[j]! -= o.learningRate * times * x;
        continue;
      }
      m[j] = o.beta1 * (m[j] ?? 0) + (1 - o.beta1) * x;
      v[j] = o.beta2 * (v[j] ?? 0) + (1 - o.beta2) * x ** 2;
      const mHat = m[j]! / (1 - power(o.beta1, k));
      const vHat = v[j]! / (1 - power(o.beta2, k));
      theta[j]! -= (o.learningRate * times * mHat) / (Math.sqrt(vHat) + o.epsilon);
    }
  };
}
