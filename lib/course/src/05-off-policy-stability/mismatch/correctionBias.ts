import { exp } from "turnwise/internal/base/elementary/exp";
import { hypot } from "turnwise/internal/base/elementary/hypot";
import { square } from "turnwise/internal/base/elementary/square";
import { selectTrajectories } from "turnwise/internal/batch/select";
import type { Env } from "turnwise/internal/env/env";
import { enumerateReturn } from "turnwise/internal/exact/enumerateReturn";
import type { Policy } from "turnwise/internal/policy/policy";
import { recipe, surrogateGradient, type RecipeOverrides } from "turnwise/internal/rule/index";
import { corrected } from "turnwise/internal/rule/correction/corrected";
import { trajectoriesOf } from "turnwise/internal/card/trajectories";

type CorrectionChange = NonNullable<RecipeOverrides["correction"]>;

/** Quality of one trajectory's estimate of the gradient, in units of the exact gradient's length. */
export interface CorrectionBias {
  /** Length of what the estimate is off on average. */
  readonly bias: number;
  /** Its standard deviation around its own mean, as a length. */
  readonly noise: number;
}

/**
 * Bias and noise of REINFORCE's estimate of the gradient of J(policy) from a trajectory that `rollout` sampled, under a correction.
 *
 * All trajectories are enumerated, so nothing is sampled. What the rollout policy never takes is missing from its batches.
 *
 * @param baseline is subtracted from the return
 */
export function correctionBias(
  env: Env,
  {
    policy,
    rollout,
    baseline = 0,
  }: { readonly policy: Policy; readonly rollout: Policy; readonly baseline?: number },
  correction: CorrectionChange,
): CorrectionBias {
  const rule = recipe("reinforce", { correction });
  const { batch: all, chance_n } = trajectoriesOf(env, policy);
  const drawn = rollout.evaluate(all).logProb_ntl;
  const [, T, L] = all.shape;
  const probability = Array.from(
    chance_n,
    (chance, n) => chance * exp(drawn.subarray(n * T * L, (n + 1) * T * L).reduce((sum, x) => sum + x, 0)),
  );
  const taken = probability.flatMap((p, n) => (p > 0 ? [n] : []));
  const batch = selectTrajectories({ ...all, rolloutLogProb_ntl: drawn }, taken);
  const { correction_ntl, trained_ntl } = corrected(batch, rule, batch.mask_ntl);
  const exact = enumerateReturn(env, policy).gradient;
  const mean = new Float64Array(exact.length);
  let squares = 0;
  taken.forEach((n, k) => {
    const one = selectTrajectories(batch, [k]);
    const rows = (values: ArrayLike<number>): number[] =>
      Array.from({ length: T * L }, (_, i) => values[k * T * L + i]!);
    const { dLogProb_ntl } = surrogateGradient(
      {
        shape: one.shape,
        logProb_ntl: one.oldLogProb_ntl,
        oldLogProb_ntl: one.oldLogProb_ntl,
        mask_ntl: rows(trained_ntl),
        advantage_ntl: new Float64Array(T * L).fill(one.return_n[0]! - baseline),
        ...(correction_ntl && { correction_ntl: rows(correction_ntl) }),
      },
      rule,
    );
    const g = policy.backward(one, { dLogProb_ntl });
    for (let j = 0; j < g.length; j++) mean[j]! -= probability[n]! * g[j]!;
    squares += probability[n]! * square(hypot(...g));
  });
  const length = hypot(...exact);
  const own = hypot(...mean);
  return {
    bias: hypot(...mean.map((x, j) => x - exact[j]!)) / length,
    noise: Math.sqrt(Math.max(0, squares - own * own)) / length,
  };
}
