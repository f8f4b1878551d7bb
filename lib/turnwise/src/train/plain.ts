import { createRng } from "../base/rng";
import { selectBlocks, selectTrajectories } from "../batch/select";
import { collect } from "../rollout/collect";
import { advantages, carryAfterTurn, stepShare, surrogateGradient, turnSchedule, type Carry } from "../rule";
import { minibatches } from "./minibatches";
import { createOptimizer } from "./optimizer";
import { plainSetUp, type PlainTrainOptions } from "./plainOptions";
import { rolloutMetrics, type TrainRecord } from "./records";

/** One update of the plain trainer. */
export type PlainRecord = Pick<TrainRecord, "update" | "samples" | "optimizerSteps" | "metrics">;

/**
 * The algorithm of this library as one loop, for GRPO and SeeUPO alike. Read it before anything else.
 *
 * The end of a name lists its axes: `mask_ntl` has a number for each trajectory n, turn t and token l.
 *
 * Both rules run this loop, with other values in their fields. The order of step 3 is the idea: GRPO updates all turns of a
 * batch at once. SeeUPO updates the last turn first, then the one before it; the carry of step 6 tells each turn how far the
 * policy has already moved on the turns after it. They also differ in scale, ratio and aggregate: steps 2 and 4.
 *
 * To watch it learn, after `npm run build`: `node lib/turnwise/bin/plain.cjs grpo seeUpo`
 *
 * `train` yields the same numbers, bit for bit, and does more: critics, reference policies, filters, corrections,
 * checkpoints. This function refuses rules that need one of these.
 *
 * @throws {TypeError} if an option is missing or has the wrong type
 * @throws {RangeError} if an option is unknown or out of range, or the rule needs more than this loop does
 * @example
 * import { plainTrain } from "turnwise";
 * const [first] = plainTrain({ env: "LookUp-v0", recipe: "seeUpo", updates: 1, seed: 1 });
 * first.samples; // => 64
 */
export function* plainTrain(options: PlainTrainOptions): Generator<PlainRecord, undefined> {
  const { env, policy, recipe: rule, updates, groups, groupSize, seed } = plainSetUp(options);
  const optimizer = createOptimizer(rule.update.optimizer);
  let samples = 0;
  let optimizerSteps = 0;

  for (let update = 1; update <= updates; update++) {
    const rng = createRng(seed).split("train").split("update", update);

    // 1. Collect. The policy plays each start state several times; these trajectories are a group.
    const batch = collect(env, policy, { groups, groupSize, rng: rng.split("rollout") });
    const { shape, trajectoryId, turnCount_n, mask_ntl } = batch;
    const [N, T, L] = shape;
    samples += N;

    // 2. Advantage. One number for each token: how much better was this than the rest of its group?
    const { advantage_ntl } = advantages(batch, rule);

    // 3. Order. GRPO has one set of turns, [0, 1, ..., T - 1]; SeeUPO has T of them: [T - 1], ..., [1], [0].
    const played = [...turnSchedule(rule, T, rng.split("order")).entries()].filter(([, turns]) =>
      turnCount_n.some((turnsTaken) => turnsTaken > Math.min(...turns)),
    );
    let carry: Carry = new Map();
    for (const [k, [place, turns]] of played.entries()) {
      const recompute = rule.order.oldLogProb === "recomputed";
      const old_ntl = recompute ? policy.evaluate(batch, undefined, turns).logProb_ntl : batch.oldLogProb_ntl;
      const { epochs, steps } = stepShare(rule, k, played.length);
      let taken = 0;
      for (let epoch = 0; epoch < epochs && taken < steps; epoch++) {
        const everyone = Array.from({ length: N }, (_, n) => n);
        const parts = minibatches(everyone, rule.update.minibatches, rng.split("minibatch", place, epoch));
        for (const rows of parts) {
          if (taken === steps || !rows.some((n) => turnCount_n[n]! > Math.min(...turns))) continue;
          const part = selectTrajectories(batch, rows);

          // 4. Surrogate gradient. Ratio of new to old probabilities, gate (such as PPO's clip), mean over tokens;
          //    then d loss / d log-prob of every token, and through the policy d loss / d parameters.
          const { logProb_ntl, entropy_ntl } = policy.evaluate(part, undefined, turns);
          const input = {
            ...part,
            logProb_ntl,
            entropy_ntl,
            oldLogProb_ntl: selectBlocks(old_ntl, rows, T * L),
            advantage_ntl: selectBlocks(advantage_ntl, rows, T * L),
            carry, // multiplies each trajectory's advantage
          };
          const gradient = policy.backward(part, surrogateGradient(input, rule, turns), undefined, turns);

          // 5. Optimizer. One step down the gradient, by SGD or Adam.
          optimizer.step(policy.parameters, gradient);
          optimizerSteps++;
          taken++;
        }
      }

      // 6. Carry. M <- M x (probability of these turns after their steps / before them), for each trajectory.
      if (played.length === 1) continue;
      const { logProb_ntl } = policy.evaluate(batch, undefined, turns);
      const moved = { shape, trajectoryId, turns, mask_ntl, logProb_ntl, oldLogProb_ntl: old_ntl, carry };
      ({ carry } = carryAfterTurn(rule, moved));
    }
    yield { update, samples, optimizerSteps, metrics: rolloutMetrics(batch) };
  }
}
