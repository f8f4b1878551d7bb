import { square } from "turnwise/internal/base/elementary/square";
import type { Env } from "turnwise/internal/env/index";
import { enumerateReturn } from "turnwise/internal/exact/index";
import type { Policy } from "turnwise/internal/policy/policy";
import { verdictsOf } from "turnwise/internal/train/stepReward/verdicts";
import { probabilities, trajectoriesOf } from "turnwise/internal/card/trajectories";

/** Cosines of expected directions with the gradient of the return, over all trajectories of a world. */
export interface FlipBias {
  /** Of the whole return minus its mean over the task: 1 but for rounding. */
  readonly plain: number;
  /** The same with the sign turned towards the verdict of each turn, as FSPO does. */
  readonly flipped: number;
}

/**
 * Effect on the expected gradient of turning the sign of advantages towards a verdict, by enumeration.
 *
 * ```
 * g = E[sum_t A_t grad log pi(a_t | h_t)],   A_t = R - E[R | task], or |R - E[R | task]| s_t where s_t is not 0
 * ```
 * This is the step of groups so large that their mean is the task's; nothing is divided.
 *
 * @throws {RangeError} if the world has more than twenty thousand trajectories
 */
export function flipBias(env: Env, policy: Policy): FlipBias {
  const all = trajectoriesOf(env, policy);
  const { batch, task_n, taskProbability } = all;
  const [N, T, L] = batch.shape;
  const probability = probabilities(all, batch.oldLogProb_ntl);
  const value = new Float64Array(taskProbability.length);
  for (let n = 0; n < N; n++) {
    value[task_n[n]!]! += (probability[n]! * batch.return_n[n]!) / taskProbability[task_n[n]!]!;
  }
  const verdicts = verdictsOf(batch);
  const direction = (flips: boolean): Float64Array =>
    policy.backward(batch, {
      dLogProb_ntl: Float64Array.from(batch.mask_ntl, (mask, i) => {
        if (mask !== 1) return 0;
        const n = Math.floor(i / (T * L));
        const advantage = batch.return_n[n]! - value[task_n[n]!]!;
        const said = flips ? (verdicts[Math.floor(i / L)] ?? 0) : 0;
        return probability[n]! * (said === 0 ? advantage : said * Math.abs(advantage));
      }),
    });
  const { gradient } = enumerateReturn(env, policy);
  return { plain: cosine(direction(false), gradient), flipped: cosine(direction(true), gradient) };
}

function cosine(a: Float64Array, b: Float64Array): number {
  let [ab, aa, bb] = [0, 0, 0];
  for (let i = 0; i < Math.min(a.length, b.length); i++) {
    ab += a[i]! * b[i]!;
    aa += square(a[i]!);
    bb += square(b[i]!);
  }
  return ab / Math.sqrt(aa * bb);
}
