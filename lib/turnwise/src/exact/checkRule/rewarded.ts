import type { Rollout } from "./rollout";

/** The same rollout with other returns: what is added falls on the last turn; a critic that knows of it adds `value`. */
export function paidMore(
  rollout: Rollout,
  more: (n: number) => number,
  value: (n: number) => number = () => 0,
): Rollout {
  const { batch } = rollout;
  const [N, T] = batch.shape;
  const reward_nt = batch.reward_nt.slice();
  const value_nt = rollout.value_nt.slice();
  for (let n = 0; n < N; n++) {
    const turns = batch.turnCount_n[n]!;
    reward_nt[n * T + turns - 1]! += more(n);
    for (let t = 0; t < turns; t++) value_nt[n * T + t]! += value(n);
  }
  return {
    ...rollout,
    value_nt,
    batch: { ...batch, reward_nt, return_n: batch.return_n.map((R, n) => R + more(n)) },
  };
}

/** The same rollout with all rewards and values in another unit. */
export function paidIn(rollout: Rollout, unit: number): Rollout {
  const { batch, value_nt } = rollout;
  return {
    ...rollout,
    value_nt: value_nt.map((v) => unit * v),
    batch: {
      ...batch,
      reward_nt: batch.reward_nt.map((r) => unit * r),
      return_n: batch.return_n.map((R) => unit * R),
    },
  };
}

/** The mean of each trajectory's advantages over its sampled tokens. */
export function perTrajectory({ batch }: Rollout, advantage_ntl: Float64Array): Float64Array {
  const [N, T, L] = batch.shape;
  const mean_n = new Float64Array(N);
  for (let n = 0; n < N; n++) {
    let count = 0;
    for (let i = n * T * L; i < (n + 1) * T * L; i++) {
      if (batch.mask_ntl[i] !== 1) continue;
      mean_n[n]! += advantage_ntl[i]!;
      count++;
    }
    mean_n[n]! /= count;
  }
  return mean_n;
}
