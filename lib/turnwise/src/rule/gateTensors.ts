import { tf } from "../tensor/backend";
import { gateOf } from "./gate";
import type { GateTensors } from "./gate/contract";
import { ratioOf, type RatioChoice, type RatioLevel } from "./ratio";
import { pooledRatio } from "./ratio/importanceRatio";
import { poolingRule, type Pooling } from "./ratio/pooling";
import type { Recipe } from "./recipe";

/** All [N, T, L], and 0 where masked. */
interface Tokens {
  readonly logProb: tf.Tensor3D;
  readonly oldLogProb: tf.Tensor3D;
  readonly advantage: tf.Tensor3D;
  /** 1 where a token takes part. */
  readonly active: tf.Tensor3D;
  /** 1 where a token is of a trajectory that a teacher played. */
  readonly demonstration: tf.Tensor3D | undefined;
  /** Where the rollout engine is not the trainer's policy. */
  readonly rolloutLogProb: tf.Tensor3D | undefined;
}

/** What a row's gate reads of a batch, and what a cell counts for in its sum: 1, or its share of a unit that counts once. */
export function gateTensors(
  { gate: choice, ratio }: Recipe,
  { logProb, oldLogProb, advantage, active, demonstration, rolloutLogProb }: Tokens,
): { readonly x: GateTensors; readonly share: tf.Tensor } {
  const { needsRatio, beforePooling } = gateOf(choice);
  const unit = unitOf(ratio);
  const axes = [...ratioOf({ level: unit.level }).axes];
  const averaged = poolingRule(unit.pooling).averaged;
  const before = beforePooling && ((d: tf.Tensor) => beforePooling.tensor(choice, d, advantage));
  const ones = tf.onesLike(active);
  const unitTokens = axes.length === 0 ? ones : tf.mul(tf.sum(active, axes, true), ones);
  const rowTokens = tf.maximum(tf.sum(active, [1, 2], true), 1);
  const x = {
    ratio: needsRatio ? pooledRatio(logProb, oldLogProb, active, unit, before) : ones,
    logProb: axes.length === 0 ? logProb : tf.mul(pooledLogProb(logProb, active, axes, averaged), active),
    advantage,
    active,
    demonstration,
    logRatio: tf.sub(logProb, oldLogProb),
    samplerLogRatio: tf.sub(logProb, rolloutLogProb ?? oldLogProb),
    unitTokens,
    rowMean: (values: tf.Tensor) =>
      tf.mul(tf.div(tf.sum(tf.mul(values, active), [1, 2], true), rowTokens), ones),
  };
  return { x, share: axes.length === 0 || averaged ? ones : tf.divNoNan(active, unitTokens) };
}

interface Unit {
  readonly level: RatioLevel;
  readonly pooling: Pooling;
}

/** Of a token's ratio any pooling is the ratio itself; as a product it shares its unit with none. */
function unitOf(ratio: RatioChoice): Unit {
  return { level: ratio.level as RatioLevel, pooling: "pooling" in ratio ? ratio.pooling : "product" };
}

/** The log-prob of each unit, pooled as its ratio is. */
function pooledLogProb(
  logProb: tf.Tensor3D,
  active: tf.Tensor3D,
  axes: number[],
  averaged: boolean,
): tf.Tensor {
  const sum = tf.sum(logProb, axes, true);
  return averaged ? tf.div(sum, tf.maximum(tf.sum(active, axes, true), 1)) : sum;
}
