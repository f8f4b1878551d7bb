import assert from "node:assert/strict";
import {
  advantages,
  createRng,
  make,
  recipe,
  scriptedBatch,
  train,
  type Batch,
  type Checkpoint,
} from "turnwise";
import { acceptTask } from "turnwise-course/step-credit";
import { factual } from "turnwise/internal/train/stepReward/factual";
import { judgePush, Votes } from "turnwise/internal/train/stepReward/vote";
import { assertClose } from "../../rule/support";

const env = make("LookUp-v0");
/** A wrong answer at once, and a right one after a look; the last one writes nonsense twice. */
const batch = scriptedBatch(env, [
  [["ANSWER", "0"]],
  [
    ["LOOKUP", "0"],
    ["ANSWER", "3"],
  ],
  [
    ["2", "2"],
    ["2", "2"],
  ],
]);
const input = (of: Batch = batch, seed = 1) => ({
  batch: of,
  env,
  policy: undefined as never,
  rng: createRng(seed),
});
const twice = (xs: readonly number[]): number[] => xs.flatMap((x) => [x, x]);

describe("the verdict of a step", () => {
  it("is that of the world: true, false, or neither", () => {
    assert.deepEqual([...factual(input(), 0).step_nt], [-1, 0, 1, 1, -1, -1]);
    assert.equal(factual(input(), 0).metrics["stepReward/fracJudged"], 1);
  });

  it("tells a right thought from a wrong one in Calculator, and a calculation is right", () => {
    const world = make("Calculator-v0", { thinkNoise: 0.5 });
    const seen = new Set<string>();
    for (let seed = 0; seed < 40; seed++) {
      const [{ tokens }] = world.reset({ seed });
      const operator = world.spec.vocabulary[tokens[1]!]!;
      for (const tool of ["THINK", "CALL"]) {
        world.reset({ seed });
        const turn = [tool, operator].map((word) => world.spec.vocabulary.indexOf(word));
        while (turn.length < world.spec.maxTokens) turn.push(world.spec.endToken!);
        const [, , , , info] = world.step(turn.slice(0, 3));
        seen.add(`${tool} ${String(info["verdict"])}`);
      }
    }
    assert.deepEqual([...seen].sort(), ["CALL 1", "THINK -1", "THINK 1"]);
  });

  it("is reversed as often as the verifier errs", () => {
    const many = scriptedBatch(
      env,
      Array.from({ length: 2000 }, () => [["ANSWER", "0"]]),
    );
    const reversed = factual(input(many), 0.3).step_nt.reduce(
      (sum, s, nt) => sum + (nt % 2 === 0 ? s : 0),
      0,
    );
    // The mean of -1 and 1 with chance .7 and .3 is -.4; its standard error is .02.
    const right = [...factual(input(many), 0).step_nt].reduce((a, b) => a + b, 0);
    assert.ok(Math.abs(reversed / right - 0.4) < 0.08, `${reversed / right}`);
  });
});

describe("verdictSign", () => {
  it("turns the advantage of the trajectory towards the verdict, and leaves a turn without one alone", () => {
    const row = recipe("factualityFspo", { scale: "none" });
    const step_nt = Float64Array.of(-1, 0, 1, -1, 0, 1);
    // Returns -1/3, 1 and 0, mean 2/9: A is -5/9, 7/9 and -2/9.
    const { advantage_ntl } = advantages({ ...batch, step_nt }, row);
    assertClose(advantage_ntl, twice([-5 / 9, 0, 7 / 9, -7 / 9, -2 / 9, 2 / 9]), 1e-12);
    assertClose(
      advantages(batch, row).advantage_ntl,
      twice([-5 / 9, 0, 7 / 9, 7 / 9, -2 / 9, -2 / 9]),
      1e-12,
    );
  });
});

describe("outcomePlusStep", () => {
  it("compares outcome plus vote at the same turn", () => {
    const row = recipe("rlAnything", { scale: "none", filter: "none" });
    const step_nt = Float64Array.of(-1, 0, 1 / 3, 1, -1, 1);
    // First turn: -4/3, 4/3, -1, mean -1/3; second: 2 and 1, mean 3/2.
    const { advantage_ntl } = advantages({ ...batch, step_nt }, row);
    assertClose(advantage_ntl, twice([-1, 0, 5 / 3, 0.5, -2 / 3, -0.5]), 1e-12);
  });

  it("leaves a turn that one trajectory alone reaches its credit, as the released code does", () => {
    const alone = scriptedBatch(env, [
      [["ANSWER", "0"]],
      [
        ["LOOKUP", "0"],
        ["ANSWER", "3"],
      ],
    ]);
    const row = recipe("rlAnything", { filter: "none" });
    // First turn: -1/3 and 1 are one deviation from their mean; the second has 1 + .5.
    const { advantage_ntl } = advantages({ ...alone, step_nt: Float64Array.of(0, 0, 0, 0.5) }, row);
    assertClose(advantage_ntl, twice([-1, 0, 1, 1.5]), 1e-7);
  });
});

describe("votes", () => {
  const settings = { votes: 3, error: 0.2, learningRate: 0 };

  it("are the verdict where judges do not err, and are right as often as they should be", () => {
    assert.deepEqual([...new Votes({ ...settings, error: 0 }).judge(input()).step_nt], [-1, 0, 1, 1, -1, -1]);
    let sum = 0;
    for (let seed = 0; seed < 500; seed++) sum += new Votes(settings).judge(input(batch, seed)).step_nt[2]!;
    // Each vote is .8 - .2 = .6 on average; the standard error of 1500 votes is .02.
    assert.ok(Math.abs(sum / 500 - 0.6) < 0.08, `${sum / 500}`);
  });

  it("teach the judge to agree with the sign of outcome plus mean, whatever the truth", () => {
    // Votes 1, 1, -1, mean 1/3, outcome 1: rewards 4/3, 4/3, -4/3; normalized .7071, .7071, -1.4142.
    // At p = .5: (.7071 x .5 x 2 + 1.4142 x .5) / 3 = .4714.
    assertClose([judgePush([1, 1, -1], 1, 0.5)], [Math.SQRT2 / 3], 1e-12);
    // A failure turns it round only if most votes were against: outcome 0, mean 1/3 still rewards a vote for the turn.
    assertClose([judgePush([1, 1, -1], 0, 0.5)], [Math.SQRT2 / 3], 1e-12);
    assertClose([judgePush([-1, -1, 1], 0, 0.5)], [-Math.SQRT2 / 3], 1e-12);
    assert.equal(judgePush([1, 1, 1], 1, 0.5), 0);
  });

  it("keep what the judge has learned in a checkpoint, to the same bits", async () => {
    const row = recipe("rlAnything", { reward: { step: { kind: "vote", learningRate: 1 } } });
    const settings = { env: "LookUp-v0", recipe: row, groups: 4, groupSize: 4, seed: 3 } as const;
    const whole = train({ ...settings, updates: 6 });
    for await (const _ of whole);
    const half = train({ ...settings, updates: 3 });
    for await (const _ of half);
    const stored = JSON.parse(JSON.stringify(half.checkpoint())) as Checkpoint;
    const resumed = train({ resume: stored, updates: 6 });
    for await (const _ of resumed);
    assert.ok(Object.keys(resumed.checkpoint().stepReward as object).length > 0);
    assert.deepEqual(resumed.checkpoint().stepReward, whole.checkpoint().stepReward);
    assert.deepEqual([...resumed.policy.parameters], [...whole.policy.parameters]);
  });
});

describe("acceptTask()", () => {
  it("keeps a harder task that is not hopeless, and an easier one that is not trivial", () => {
    const share = (goal: "harder" | "easier", before: number, after: number): boolean =>
      acceptTask(goal, { before, after });
    assert.deepEqual(
      [
        share("harder", 0.9, 0.5),
        share("harder", 0.9, 0.2),
        share("harder", 0.9, 0.19),
        share("harder", 0.5, 0.5),
      ],
      [true, true, false, false],
    );
    assert.deepEqual(
      [
        share("easier", 0.1, 0.5),
        share("easier", 0.1, 0.8),
        share("easier", 0.1, 0.9),
        share("easier", 0, 0),
      ],
      [true, true, false, false],
    );
    assert.throws(() => share("harder", 0.5, 1.5), {
      name: "RangeError",
      message: "Cannot accept a task: after must be from 0 to 1, got 1.5.",
    });
  });
});
