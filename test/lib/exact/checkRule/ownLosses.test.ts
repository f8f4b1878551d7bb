import assert from "node:assert/strict";
import { checkRule, custom, recipe } from "turnwise";
import { cosineOf } from "./cosineOf.js";
import { ownGrpo } from "./ownGrpo.js";

describe("checkRule() on whole losses that are right", () => {
  it("finds in GRPO, written as a loss, what it finds in the row", () => {
    const card = checkRule(ownGrpo);
    assert.deepEqual(card.failed, [], String(card));
    const row = checkRule("grpo");
    assert.deepEqual(cosineOf(card), cosineOf(row));
    assert.deepEqual(card.of("one step").figures["J fell"], row.of("one step").figures["J fell"]);
    assert.equal(card.of("push").sentence, row.of("push").sentence);
  });

  it("holds stop-gradients while it takes differences: CISPO passes", () => {
    const card = checkRule(
      recipe("grpo", {
        loss: custom("my cispo", (tf, x) => {
          const logRatio = tf.clipByValue(tf.sub(x.logProb_ntl, x.oldLogProb_ntl), -20, 20);
          const weight = x.stopGradient(tf.minimum(tf.exp(logRatio), 1.28));
          return tf.neg(x.tokenMean(tf.mul(tf.mul(weight, x.advantage_ntl), x.logProb_ntl)));
        }),
      }),
    );
    assert.deepEqual(card.failed, [], String(card));
    assert.ok(card.of("gradient").figures["largest relative error"]! < 1e-5);
  });

  it("follows entropies and values: a bonus and a critic's loss beside the surrogate pass", () => {
    const card = checkRule(
      recipe("ppo", {
        loss: custom("my ppo", (tf, x) => {
          const logRatio = tf.clipByValue(tf.sub(x.logProb_ntl, x.oldLogProb_ntl), -20, 20);
          const surrogate = x.tokenMean(tf.mul(tf.exp(logRatio), x.advantage_ntl));
          const bonus = tf.mul(0.01, x.tokenMean(x.entropy_ntl));
          const error = x.turnMean(tf.squaredDifference(x.value_nt, x.valueTarget_nt));
          return tf.sub(error, tf.add(surrogate, bonus));
        }),
      }),
    );
    assert.deepEqual(card.failed, [], String(card));
    assert.match(card.of("critic").sentence, /pulls the values/);
    assert.match(card.of("regularizers").sentence, /rewards entropy by 0\.01/);
  });

  it("reports a loss that makes its own advantages", () => {
    const card = checkRule(
      recipe("ppo", {
        loss: custom("my baseline", (tf, x) => {
          const advantage = tf.expandDims(x.stopGradient(tf.sub(x.valueTarget_nt, x.value_nt)), 2);
          return tf.neg(x.tokenMean(tf.mul(x.logProb_ntl, advantage)));
        }),
      }),
    );
    assert.deepEqual(card.failed, [], String(card));
    assert.equal(card.of("push").verdict, "told");
    assert.equal(card.of("regularizers").verdict, "told");
  });
});
