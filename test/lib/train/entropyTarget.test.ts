import assert from "node:assert/strict";
import { createPolicy, make, recipe, train, type Checkpoint, type Recipe, type TrainRecord } from "turnwise";

const options = { env: "LookUp-v0", groups: 4, groupSize: 4, seed: 3 } as const;
const target = { target: 5, step: 0.05, min: 0, max: 0.12 };
const steered = recipe("adaptiveEntropy", { filter: "none", regularizer: { entropyTarget: target } });

async function records(
  row: Recipe,
  updates: number,
  resume?: Checkpoint,
): Promise<Omit<TrainRecord, "seconds">[]> {
  const run = train(resume ? { resume, updates } : { ...options, recipe: row, updates });
  const all = [];
  for await (const { seconds: _, ...record } of run) all.push(record);
  return all;
}

describe("training towards an entropy", () => {
  it("raises the weight after every update whose batch lies below the target", async () => {
    const all = await records(steered, 4);
    // Five nats are out of reach of LookUp's vocabulary: 0, .05, .1, and .12 instead of .15.
    assert.deepEqual(
      all.map(({ metrics }) => metrics["policy/entropyCoef"]),
      [0, 0.05, 0.1, 0.12],
    );
  });

  it("goes on from a checkpoint with the same weight, to the last bit of every record", async () => {
    const whole = await records(steered, 6);
    const first = train({ ...options, recipe: steered, updates: 6 });
    for (let k = 0; k < 3; k++) await first.next();
    const stored = JSON.parse(JSON.stringify(first.checkpoint())) as Checkpoint;
    assert.deepEqual(stored.entropy, { coef: 0.12, paid: true });
    assert.deepEqual(await records(steered, 6, stored), whole.slice(3));
    // What would be lost without it.
    const { entropy: _, ...forgotten } = stored;
    assert.notDeepEqual(await records(steered, 6, forgotten), whole.slice(3));
  });

  it("is a constant bonus with step 0 below the target, and none above it after the first update", async () => {
    const constant = recipe(steered, { regularizer: { entropyTarget: null, entropyCoef: 0.1 } });
    const still = recipe(steered, { regularizer: { entropyTarget: { step: 0 }, entropyCoef: 0.1 } });
    const without = ({ metrics, ...rest }: Omit<TrainRecord, "seconds">): unknown => {
      const { "policy/entropyCoef": _, ...others } = metrics;
      return { ...rest, metrics: others };
    };
    assert.deepEqual((await records(still, 4)).map(without), (await records(constant, 4)).map(without));
    const above = recipe(still, { regularizer: { entropyTarget: { target: 0 } } });
    assert.deepEqual(
      (await records(above, 3)).map(({ metrics }) => metrics["policy/entropyCoef"]),
      [0.1, 0, 0],
    );
  });

  it("goes back to the weight before an update that failed", async () => {
    const policy = createPolicy(make("LookUp-v0").spec, { seed: 3 });
    const run = train({ ...options, policy, recipe: steered, updates: 6 });
    for (let k = 0; k < 2; k++) await run.next();
    const before = run.checkpoint().entropy;
    policy.parameters.fill(NaN);
    await assert.rejects(() => run.next());
    assert.deepEqual(run.checkpoint().entropy, before);
  });
});

describe("training with Clip-Cov", () => {
  const wide = { covariance: { kind: "clip", share: 0.2, min: -50, max: 50 } } as const;
  const row = recipe("clipCov", { filter: "none", regularizer: wide });

  it("draws whom it leaves out from the run's own seed", async () => {
    const [one, again] = [await records(row, 3), await records(row, 3)];
    assert.deepEqual(one, again);
    for (const { metrics } of one) assert.ok(metrics["policy/fracDropped"]! > 0.1);
  });

  it("goes on from a checkpoint with the same draws", async () => {
    const run = train({ ...options, recipe: row, updates: 4 });
    for (let k = 0; k < 2; k++) await run.next();
    const stored = JSON.parse(JSON.stringify(run.checkpoint())) as Checkpoint;
    assert.equal(stored.entropy, undefined);
    assert.deepEqual(await records(row, 4, stored), (await records(row, 4)).slice(2));
  });
});
