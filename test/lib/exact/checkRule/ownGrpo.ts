import { custom, recipe } from "turnwise";

/** GRPO as its paper writes it, with the log-ratio limited as this library limits it. */
export const ownGrpo = recipe("grpo", {
  loss: custom("my grpo", (tf, x) => {
    const ratio = tf.exp(tf.clipByValue(tf.sub(x.logProb_ntl, x.oldLogProb_ntl), -20, 20));
    const cut = tf.mul(tf.clipByValue(ratio, 0.8, 1.2), x.advantage_ntl);
    return tf.neg(x.sequenceMean(tf.minimum(tf.mul(ratio, x.advantage_ntl), cut)));
  }),
});
