import assert from "node:assert/strict";
import { lint, twin } from "turnwise-practice";
import { candidatesOf } from "turnwise-practice/internal/twin/changes";
import { courseOf, meanCourse } from "turnwise-practice/internal/twin/curves";
import { twinJob, type TwinCell, type TwinRun } from "turnwise-practice/internal/twin/job";
import { judgeChanges, judgeWorlds } from "turnwise-practice/internal/twin/judge";
import { likenessOf } from "turnwise-practice/internal/twin/likeness";
import { mappingOf, type Mapping } from "turnwise-practice/internal/twin/mapping";
import { measuredMismatch, noiseOf, type MeasuredMismatch } from "turnwise-practice/internal/twin/mismatch";
import { twinPicture } from "turnwise-practice/internal/twin/picture";
import { healthy } from "turnwise-practice/internal/twin/setting";
import { twinWorlds } from "turnwise-practice/internal/twin/worlds";
import { actor, manySteps, plain, script } from "../../../support/twinConfigs.js";

const mapped = async (text: string, mismatch?: MeasuredMismatch): Promise<Mapping> =>
  mappingOf((await lint(text)).subject, mismatch);

/** A run that ended so. */
const run = (seed: number, end: number, more: Partial<TwinRun> = {}): TwinRun => ({
  id: "x",
  seed,
  end,
  best: end,
  lost: end < 0.75,
  fell: null,
  stopped: null,
  events: [],
  course: [],
  ...more,
});
const runs = (ends: readonly number[]): TwinRun[] => ends.map((end, seed) => run(seed, end));
const event = (
  metric: "policy/entropy" | "policy/gradNorm",
  rose: boolean,
  from: number,
): TwinRun["events"][number] => ({
  metric,
  title: metric === "policy/entropy" ? "entropy" : "gradient norm",
  rose,
  from,
  to: from + 5,
  before: 1,
  extreme: 0,
  last: 0,
  chance: 0,
  recovered: false,
});

describe("twin()", () => {
  it("keeps what is done when it is stopped, and claims nothing of it", async () => {
    const stop = new AbortController();
    stop.abort();
    const report = await twin(plain, { seeds: 5, updates: 20, workers: 0, signal: stop.signal, bar: false });
    assert.match(
      report.headline,
      /^Stopped after 0 of 30 runs\. The twin is not shown to collapse in any of 3 worlds/,
    );
    assert.ok(report.worlds.every(({ verdict, says }) => verdict === undefined && says === "cannot be told"));
  });

  it("draws success over the updates: each run, and the mean of the healthy settings", () => {
    // 100 updates in stretches of three: 33 of three, and one that is left.
    const course = courseOf(Array.from({ length: 100 }, (_, i) => Number(i >= 50)));
    assert.deepEqual(course[0], { update: 3, success: 0 });
    assert.deepEqual([course.length, course.at(-1)], [34, { update: 100, success: 1 }]);
    // Updates 49 to 51, of which one is at 1.
    assert.deepEqual(course[16], { update: 51, success: 1 / 3 });
    const of = (success: number) => [{ update: 3, success }];
    assert.deepEqual(
      meanCourse([
        run(0, 1, { course: of(1) }),
        run(1, 0, { course: [...of(0), { update: 6, success: 1 }] }),
      ]),
      of(0.5),
    );
    assert.deepEqual(meanCourse([]), []);
    const picture = twinPicture(
      [{ world: "tools", own: [{ course, lost: true }], healthy: of(1), change: [] }],
      false,
    )!;
    assert.match(picture.svg, /1 of 1 runs lost, ends 1\.00 to 1\.00, healthy settings 1\.00/);
    assert.equal(twinPicture([{ world: "tools", own: [], healthy: [], change: [] }], false), undefined);
  });

  it("refuses what it does not know", async () => {
    await assert.rejects(twin(plain, { seed: 3 } as never), /unknown|must have only|seed/);
    await assert.rejects(
      twin(plain, { worlds: ["tool"] as never }),
      /worlds must be different ones of tools, costs, hidden, got \[tool\]\.\nDid you mean "tools"\?$/,
    );
    await assert.rejects(twin(plain, { seeds: 0 }), RangeError);
    await assert.rejects(twin(plain, { mismatch: -1 }), /mismatch must be a number >= 0, got -1\.$/);
    await assert.rejects(
      twin(script("algorithm.adv_estimator=hiper")),
      /Cannot train a twin: the configuration must have a rule that can be read/,
    );
  });
});

describe("the mapping of a twin", () => {
  it("takes the rule over with its steps, group size and staleness, and caps what small worlds cannot do", async () => {
    const { setting, adjusted, confidence } = await mapped(
      script(`${actor}ppo_mini_batch_size=4`, `${actor}ppo_epochs=5`, "actor_rollout_ref.rollout.n=32"),
    );
    // 128 / 4 = 32 minibatches of which 16 are taken, and so 32 / 16 = 2 epochs.
    assert.deepEqual(
      [setting.rule.update.epochs, setting.rule.update.minibatches, setting.groupSize],
      [2, 16, 16],
    );
    assert.deepEqual(adjusted, [
      "groups of 16, not 32: a batch has 64 trajectories",
      "32 steps on each batch, not 160",
    ]);
    assert.equal(confidence, "low");
    assert.equal((await mapped(plain)).setting.rule.gate.kind, "clip");
  });

  it("reads the mismatch of a log as it was before success fell", () => {
    const records = Array.from({ length: 30 }, (_, i) => ({
      update: i + 1,
      metrics: { "mismatch/logProbGap": i < 20 ? 0.1 : 3 },
    }));
    assert.ok(Math.abs(measuredMismatch(records, 21)!.logProbGap - 0.1) < 1e-12);
    assert.equal(measuredMismatch(records)!.logProbGap, 3);
    assert.equal(measuredMismatch([{ update: 1, metrics: { "reward/mean": 1 } }]), undefined);
    // KL = mean square / 2: with t of 3 degrees of freedom, noise s has mean square 3 s^2 and mean size 2 sqrt(3) / pi s.
    const { logProbGap } = measuredMismatch([
      { update: 1, metrics: { "mismatch/approxKl": (3 * 0.2 ** 2) / 2 } },
    ])!;
    assert.ok(Math.abs(logProbGap - (0.2 * 2 * Math.sqrt(3)) / Math.PI) < 1e-12);
    assert.ok(Math.abs(noiseOf(logProbGap, 1) - 0.2) < 1e-12);
  });

  it("compares with the trainer's own log-probs where the trainer does", async () => {
    const gap = { logProbGap: 0.3, from: "as given" };
    const verl = await mapped(script(), gap);
    assert.equal((verl.setting.rule.order as { oldLogProb?: string }).oldLogProb, "recomputed");
    assert.ok(verl.left.some((text) => text.startsWith("what a mismatch does without a correction")));
    assert.equal((await mapped(script())).setting.logProbGap, 0);
  });

  it("tries each change once, and says which it does not", async () => {
    const report = await lint(manySteps);
    const { setting } = mappingOf(report.subject, undefined);
    const { candidates, skipped } = candidatesOf(report, setting, undefined);
    const once = candidates.find(({ title }) => title === "One optimizer step on each batch")!;
    assert.deepEqual(once.written, [`${actor}ppo_epochs=1`, `${actor}ppo_mini_batch_size=128`]);
    assert.deepEqual([once.setting.rule.update.epochs, once.setting.rule.update.minibatches], [1, 1]);
    assert.equal(new Set(candidates.map((one) => JSON.stringify(one.setting))).size, candidates.length);
    assert.ok(candidates.length <= 8);
    assert.ok(skipped.some(({ why }) => why.includes("changes nothing that the small worlds have")));
  });
});

describe("the verdicts of a twin", () => {
  it("says that it collapses only where the interval does", () => {
    const [clear, open, same, blind] = judgeWorlds([
      {
        world: "tools",
        own: [0.1, 0.2, 0.1, 0.2, 0.1].map((end, seed) => run(seed, end, { fell: 50 })),
        healthy: runs([1, 1, 1, 1, 1]),
      },
      { world: "costs", own: runs([1, 1, 1, 1, 0.2]), healthy: runs([1, 1, 1, 1, 1]) },
      { world: "hidden", own: runs([1, 0.99, 1, 0.99, 1]), healthy: runs([1, 1, 1, 1, 1]) },
      { world: "hidden", own: runs([0.1, 0.1, 0.1, 0.1, 0.1]), healthy: runs([0.1, 0.1, 0.1, 0.1, 0.1]) },
    ]);
    assert.equal(clear!.says, "collapses");
    assert.equal(open!.says, "cannot be told");
    assert.equal(same!.says, "holds");
    // Where the healthy settings are lost too, the world judges nobody.
    assert.equal(blind!.says, "says nothing");
    assert.match(clear!.verdict!.family!, /Holm over 4/);
  });

  it("gives no verdict on fewer than five seeds", () => {
    const [one] = judgeWorlds([{ world: "tools", own: runs([0, 0]), healthy: runs([1, 1]) }]);
    assert.equal(one!.verdict!.kind, "too few seeds");
    assert.equal(one!.says, "cannot be told");
  });

  it("pairs changes by seed over all worlds, and corrects for their number", () => {
    const own = runs([0.2, 0.3, 0.2, 0.3, 0.2]);
    const better = runs([0.9, 1, 0.9, 1, 0.9]);
    const [helps, idle] = judgeChanges([
      [
        { world: "tools", better, other: own },
        { world: "costs", better, other: own },
      ],
      [{ world: "tools", better: own, other: own }],
    ]);
    // Every pair is 0.7 apart.
    assert.ok(Math.abs(helps!.gain - 0.7) < 1e-12);
    assert.equal(helps!.verdict!.kind, "holds");
    assert.match(helps!.verdict!.family!, /Holm over 2/);
    assert.equal(idle!.verdict!.kind, "no effect that matters");
  });

  it("compares what moved with the run, and sets aside what moves in healthy runs", () => {
    const lost = [0, 1, 2].map((seed) =>
      run(seed, 0.1, {
        fell: 60,
        events: [event("policy/entropy", false, 20), event("policy/gradNorm", true, 40)],
      }),
    );
    const fine = [0, 1].map((seed) => run(seed, 1, { events: [event("policy/entropy", false, 15)] }));
    const likeness = likenessOf("tools", [...lost, run(3, 1)], fine, {
      events: [event("policy/entropy", false, 100), event("policy/gradNorm", false, 150)],
      fellAt: 200,
      logged: new Set(["policy/entropy", "policy/gradNorm"]),
    })!;
    assert.equal(likeness.of, 3);
    assert.deepEqual(
      likeness.moves.map(({ title, usual }) => [title, usual]),
      [
        ["entropy", true],
        ["gradient norm", false],
        ["success", false],
      ],
    );
    assert.deepEqual(likeness.both, ["entropy falls"]);
    assert.deepEqual(likeness.opposite, ["gradient norm"]);
    // Entropy and then success, in both.
    assert.deepEqual([likeness.sameOrder, likeness.pairs], [1, 1]);
  });
});

describe("a run of a twin", () => {
  it("counts a run that stops on a number that is not finite as lost", async () => {
    const base = healthy();
    const cell: TwinCell = {
      ...{ id: "a", world: "hidden", updates: 4, firstSeed: 3, events: false },
      setting: { ...base, temperature: 0.2 },
    };
    const { seed, end, lost } = await twinJob({ cell, seed: 1 }, { report: () => undefined });
    assert.deepEqual([seed, lost], [4, end < 0.75 * twinWorlds.hidden.reached]);
  });
});
