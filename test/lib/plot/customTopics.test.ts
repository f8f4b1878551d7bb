import assert from "node:assert/strict";
import { custom, make, optimalReturn, recipe, scriptedBatch, surrogateGradient } from "turnwise";
import { worldCard } from "turnwise/exact";
import "turnwise/plot";

interface Topic {
  readonly name: string;
  readonly also?: readonly string[];
  readonly page?: string;
}

const topic = (name: string): Topic => {
  const sources = (globalThis as Record<symbol, unknown>)[Symbol.for("Jupyter.help")] as Map<
    string,
    { topics(): Topic[] }
  >;
  return sources
    .get("turnwise")!
    .topics()
    .find((one) => one.name === name || (one.also ?? []).includes(name))!;
};

describe("help on custom functions", () => {
  const batch = scriptedBatch(make("LookUp-v0"), [[["ANSWER", "0"]], [["ANSWER", "3"]]]);
  const input = {
    ...batch,
    logProb_ntl: batch.oldLogProb_ntl,
    advantage_ntl: new Float64Array(batch.mask_ntl.length).fill(1),
    refLogProb_ntl: batch.oldLogProb_ntl,
    entropy_ntl: new Float64Array(batch.mask_ntl.length),
  };

  it("lists everything that a custom gate receives", () => {
    let fields: string[] = [];
    const gate = custom.gate("looks", (tf, x) => {
      fields = Object.keys(x);
      return tf.mul(x.ratio, x.advantage);
    });
    surrogateGradient(input, recipe("grpo", { gate }));
    assert.ok(fields.length > 0);
    for (const field of fields)
      assert.match(topic("custom.gate").page!, new RegExp(`\\| \`${field}\``), field);
    assert.equal(topic("TensorGateInput").name, "custom.gate");
  });

  it("lists everything that a custom loss receives", () => {
    let fields: string[] = [];
    const loss = custom.loss("looks", (tf, x) => {
      fields = Object.keys(x).filter((name) => /_nt|shape/.test(name));
      return tf.neg(x.tokenMean(tf.mul(x.logProb_ntl, x.advantage_ntl)));
    });
    surrogateGradient(input, recipe("grpo", { loss }));
    assert.ok(fields.length > 0);
    for (const field of fields)
      assert.match(topic("LossInput").page!, new RegExp(`\\| \`${field}[\`(]`), field);
  });
});

describe("the optimum of a world with several agents", () => {
  it("is said to be that of full information", () => {
    assert.equal(optimalReturn(make("HandOver-v0")).fullInformation, true);
    assert.match(
      String(worldCard("HandOver-v0")),
      /optimum of full information: of one agent that sees what each of the 2 agents/,
    );
    assert.equal(optimalReturn(make("LookUp-v0")).fullInformation, false);
  });
});
