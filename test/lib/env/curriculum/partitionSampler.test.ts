import assert from "node:assert/strict";
import { curriculum, make, recipe, train, type TrainRecord } from "turnwise";
import { PartitionSampler } from "turnwise/search";

const played = (R: number, logRatio: number) => ({ info: {}, return: R, logRatio });

describe("PartitionSampler", () => {
  it("reads a level's accuracy off the log Z that fits its trajectories", () => {
    // beta = 1/2: of (R 1, log-ratio .4) and (R 0, log-ratio -.2), R / beta - log-ratio is 1.6 and .2, mean .9; beta .9 = .45.
    const sampler = new PartitionSampler({ levels: 2, beta: 0.5, rate: 1 });
    assert.deepEqual(
      [1, 2].map((level) => sampler.estimate(level)),
      [0.5, 0.5],
    );
    sampler.observe(1, played(1, 0.4));
    sampler.observe(1, played(0, -0.2));
    assert.equal(sampler.estimate(1), 0.5); // takes effect at advance()
    sampler.advance();
    assert.ok(Math.abs(sampler.estimate(1) - 0.45) < 1e-12);
    assert.equal(sampler.estimate(2), 0.5);
    // Drifted by 3 nats, a level that is always solved looks unsolved: 1 - 3/2 is cut to 0.
    sampler.observe(2, played(1, 3));
    sampler.advance();
    assert.equal(sampler.estimate(2), 0);
  });

  it("goes only so far towards a new mean", () => {
    const sampler = new PartitionSampler({ levels: 1, beta: 1, rate: 0.25 });
    sampler.observe(1, played(1, 0));
    sampler.advance();
    assert.equal(sampler.estimate(1), 0.5 + 0.25 * 0.5);
  });

  it("draws levels by the bell of LevelSampler", () => {
    const sampler = new PartitionSampler({ levels: 2, beta: 1, rate: 1, width: 0.25, floor: 0.1 });
    sampler.observe(2, played(1, 0));
    sampler.advance();
    // Accuracies 1/2 and 1: weights 1 and exp(-(.5 / .25)^2 / 2) = e^-2
    const share = 1 / (1 + Math.exp(-2));
    const expected = [0.9 * share + 0.05, 0.9 * (1 - share) + 0.05];
    sampler.probabilities().forEach((q, l) => assert.ok(Math.abs(q - expected[l]!) < 1e-12));
  });

  it("is told by train what was played, and goes on after a checkpoint with the same bits", async () => {
    const world = () => {
      const sampler = new PartitionSampler({ levels: 3 });
      const mazes = [1, 2, 3].map((length) => make("TMaze-v0", { length }));
      return { sampler, env: curriculum(mazes, sampler) };
    };
    const row = recipe("pacedRl");
    const [whole, half, rest] = [world(), world(), world()];
    const all: TrainRecord[] = [];
    const run = train({ env: whole.env, recipe: row, updates: 20, seed: 4 });
    for await (const record of run) all.push(record);
    assert.ok(whole.sampler.estimate(1) !== 0.5);
    const first = train({ env: half.env, recipe: row, updates: 10, seed: 4 });
    for await (const record of first) void record;
    const resume = JSON.parse(JSON.stringify(first.checkpoint()));
    const second = train({ env: rest.env, resume, updates: 20 });
    for await (const record of second) void record;
    assert.deepEqual(second.policy.parameters, run.policy.parameters);
    assert.deepEqual(rest.sampler.state(), whole.sampler.state());
  });

  it("refuses options out of range, levels that are not there, and the state of another", () => {
    const refused: [options: object, message: string][] = [
      [{ levels: 0 }, "levels must be an integer >= 1, got 0."],
      [{ beta: 0 }, "beta must be > 0, got 0."],
      [{ rate: 0 }, "rate must be above 0 and at most 1, got 0."],
      [{ target: 2 }, "target must be in [0, 1], got 2."],
      [{ floor: -1 }, "floor must be in [0, 1], got -1."],
      [{ width: 0 }, "width must be > 0, got 0."],
    ];
    for (const [options, message] of refused) {
      assert.throws(() => new PartitionSampler({ levels: 2, ...options }), {
        name: "RangeError",
        message: `Cannot make a partition sampler: ${message}`,
      });
    }
    const sampler = new PartitionSampler({ levels: 2 });
    assert.throws(() => sampler.estimate(3), {
      name: "RangeError",
      message: "Cannot use a level: it must be an integer from 1 to 2, got 3.",
    });
    assert.throws(() => sampler.restore({ successes: [1, 2] }), {
      name: "TypeError",
      message:
        "Cannot restore a partition sampler: the state must have log Z of 2 levels, but it has none, none, none.",
    });
  });
});
