import assert from "node:assert/strict";
import {
  advantages,
  make,
  recipe,
  scriptedBatch,
  train,
  type Batch,
  type TrainOptions,
  tokenCredit,
} from "turnwise";
import { trainedTokens } from "turnwise/internal/rule/index";
import { assertClose } from "./support";

const handOver = make("HandOver-v0", { accuracy: 1 });
const [shown] = handOver.reset({ seed: 0 });
const door = Number(/\d/.exec(shown.text)![0]);
const other = (door % 3) + 1;
/** The way a key fits: one more than its number, and 1 after 3. */
const fit = (key: number): string => String((key % 3) + 1);
const jam = String(door);

const played = (...scripts: readonly (readonly string[])[]): Batch =>
  scriptedBatch(
    handOver,
    scripts.map((words) => words.map((word) => [word])),
  );
const rightAway = [String(door), fit(door)];
const jammedOnce = [String(door), jam, fit(door)];
const alone = ["DONE"];
const wrongKey = [String(other), fit(other)];

const lastReturn = async (options: TrainOptions): Promise<number> => {
  let J = NaN;
  for await (const { metrics } of train({ seed: 1, groups: 8, groupSize: 8, ...options })) {
    J = metrics["return/exact"] ?? J;
  }
  return J;
};

describe("drMas in HandOver-v0", () => {
  const plain = recipe("drMas", { scale: "none" });

  it("compares each agent's turns with its own: agent ids reach the advantage", () => {
    const batch = played(rightAway, jammedOnce, alone, wrongKey);
    assertClose(batch.return_n, [1, 0.9, 0.3, 0], 1e-12);
    // scout: 1, .9, .3, 0, mean .55. opener: 1, .9 twice, 0, mean .7. Four turns at most.
    assertClose(
      advantages(batch, plain).advantage_ntl,
      [0.45, 0.3, 0, 0, 0.35, 0.2, 0.2, 0, -0.25, 0, 0, 0, -0.55, -0.7, 0, 0],
      1e-12,
    );
  });

  it("without agent ids is one mean over all turns", () => {
    const { agentId_nt: _, ...batch } = played(rightAway, jammedOnce, alone, wrongKey);
    // 1 twice, .9 three times, .3, 0 twice: 5 / 8 = .625.
    assertClose(
      advantages(batch, plain).advantage_ntl,
      [0.375, 0.375, 0, 0, 0.275, 0.275, 0.275, 0, -0.325, 0, 0, 0, -0.625, -0.625, 0, 0],
      1e-12,
    );
  });

  it("gives an agent with one turn in a group mean 0 and deviation 1, as the released code does", () => {
    const { advantage_ntl } = advantages(played(rightAway, alone, alone), recipe("drMas"));
    // scout: 1, .3, .3: (2/3 .7) / (.7 / sqrt 3) = 2 / sqrt 3, and twice -1 / sqrt 3. opener: 1.
    const a = 1 / Math.sqrt(3);
    assertClose(advantage_ntl, [2 * a, 1, 0, 0, -a, 0, 0, 0, -a, 0, 0, 0], 1e-5);
  });

  it("learns it", async () => {
    const policy = { memory: "turnObservation" } as const;
    const J = await lastReturn({
      env: "HandOver-v0",
      policy,
      recipe: "drMas",
      updates: 100,
      exactEvery: 100,
    });
    assert.ok(J > 0.85, String(J));
  });
});

describe("drMas where only one scout of a group hands over", () => {
  const options = { env: "HandOver-v0", updates: 50 } as const;

  it("trains on, which a row that refuses groups of one cannot", async () => {
    await lastReturn({ ...options, recipe: "drMas" });
    const refusing = recipe("drMas", { advantage: { allowSingleton: false } });
    await assert.rejects(lastReturn({ ...options, recipe: refusing }), {
      name: "RangeError",
      message: /must have at least 2 members, but group \["\d+:door-\d","opener"\] has 1\.$/,
    });
  });
});

describe("hiper in SubGoals-v0", () => {
  const env = make("SubGoals-v0", { slip: 0 });
  const [start] = env.reset({ seed: 0 });
  const [here, there] = start.text.endsWith("left") ? ["LEFT", "RIGHT"] : ["RIGHT", "LEFT"];
  const batch = scriptedBatch(env, [
    [
      ["SWITCH", here, "STEP"],
      ["KEEP", here, "WORK"],
      ["SWITCH", there, "STEP"],
      ["KEEP", there, "STEP"],
      ["KEEP", there, "WORK"],
    ],
  ]);
  const row = recipe("hiper", {
    advantage: { gamma: 0.5, lambdaTurn: 1, lambdaSegment: 1, whitenRoles: false },
  });
  const zero = [0, 0, 0, 0, 0, 0];
  const values = { value_nt: zero, valueTerm_nt: zero, valueHigh_nt: [0, 9, 0.4, 9, 9, 9] };

  it("cuts segments where the manager switches, and credits each word for what it decides", () => {
    assertClose(batch.reward_nt, [-0.1, 0.3, -0.1, 0, 0.7, 0], 1e-12);
    // Words of a turn: switch, subgoal, action. V_low = V_term = 0; V_high = .4 at the second segment.
    // Turns 3 to 5: to the end .7, then .5 x .7 = .35, then -.1 + .5 x .35 = .075; subgoal .075 - .4 = -.325.
    // Turns 1 and 2: .3 + .5 x .4 = .5, then -.1 + .5 x .5 = .15; subgoal .15 + .25 x -.325 = .06875. A turn that keeps: 0.
    assertClose(
      advantages(batch, row, values).advantage_ntl,
      [
        ...[0.15, 0.06875, 0.15],
        ...[0.5, 0, 0.5],
        ...[0.075, -0.325, 0.075],
        ...[0.35, 0, 0.35],
        ...[0.7, 0, 0.7],
        ...[0, 0, 0],
      ],
      1e-12,
    );
  });

  it("sees one segment where nothing says that the manager switched", () => {
    const { switch_nt: _, ...unmarked } = batch;
    const { advantage_ntl } = advantages(unmarked, row, values);
    // The second subgoal is not credited, and the second turn's words reach to the end: .3 + .5 x .075 = .3375.
    assertClose(advantage_ntl.subarray(3, 9), [0.3375, 0, 0.3375, 0.075, 0, 0.075], 1e-12);
  });

  it("trains the subgoal's word where the manager switches, and not where it keeps", () => {
    // Words of a turn: switch, subgoal, action; five turns, of which the second, fourth and fifth keep.
    const expected = [1, 1, 1, 1, 0, 1, 1, 1, 1, 1, 0, 1, 1, 0, 1, 0, 0, 0];
    assert.deepEqual([...trainedTokens(batch, row)], expected);
    // A mean over the twelve: a kept subgoal neither moves nor counts.
    const credit = tokenCredit(batch, recipe(row, { regularizer: { klReference: null } }), values);
    const { advantage_ntl } = advantages(batch, row, values);
    assertClose(
      credit,
      Array.from(advantage_ntl, (a) => a / 12),
      1e-12,
    );
    assert.equal(trainedTokens(batch, recipe("ppo")), batch.mask_ntl);
  });

  it("learns it", async () => {
    const policy = { memory: "turnObservation", syntaxPrior: 3 } as const;
    const J = await lastReturn({
      env: "SubGoals-v0",
      policy,
      recipe: "hiper",
      updates: 100,
      exactEvery: 100,
    });
    // The optimum is .764; who takes the parcel up and no more gets .2.
    assert.ok(J > 0.5, String(J));
  }).timeout(20_000);
});
