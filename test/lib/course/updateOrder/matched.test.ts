// Uses internals of turnwise/policy, turnwise/rollout, turnwise/train.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { createRng, make, train } from "turnwise";
import { collect } from "turnwise/internal/rollout/collect";
import { TabularPolicy } from "turnwise/internal/policy/tabular";
import type { Prepared } from "turnwise/internal/train/prepared";
import type { ObservedStep } from "turnwise/internal/train/witness";
import * as design from "turnwise-course/internal/03-update-order-ablation/matched/design";
import {
  matchedClaims,
  matchedEffectsOf,
} from "turnwise-course/internal/03-update-order-ablation/matched/claims";
import { drawMatchedOrders } from "turnwise-course/internal/03-update-order-ablation/matched/drawMatchedOrders";
import { drawMatchedRuns } from "turnwise-course/internal/03-update-order-ablation/matched/drawMatchedRuns";
import { studyPlan, tuningPlan } from "turnwise-course/internal/03-update-order-ablation/matched/plan";
import { preregisteredPlan } from "turnwise-course/internal/03-update-order-ablation/matched/preregistered";
import { matchedQuestions } from "turnwise-course/internal/03-update-order-ablation/matched/questions";
import {
  rateAtKl,
  tunedPoints,
  tunedRate,
  type TunedPoint,
} from "turnwise-course/internal/03-update-order-ablation/matched/rates";
import {
  matchedRun,
  ruleOf,
  worldOf,
  type MatchedRun,
} from "turnwise-course/internal/03-update-order-ablation/matched/run";
import {
  csvOf,
  matchedColumns,
  storedMatchedRuns,
} from "turnwise-course/internal/03-update-order-ablation/matched/stored";
import { matchedTable } from "turnwise-course/internal/03-update-order-ablation/matched/summary";
import {
  retunedClaims,
  retunedPlan,
  retunedWorlds,
  secondTuning,
  secondTuningPlan,
} from "turnwise-course/internal/03-update-order-ablation/matched/secondTuning";
import { UpdateMeter } from "turnwise-course/internal/03-update-order-ablation/matched/updateMeter";

const { matchedArm, matchedArms, matchedRates, matchedSeeds, matchedWorldNames, tunedArms } = design;

/** A run that was never made. */
const made = (cells: Partial<MatchedRun>): MatchedRun => ({
  world: "ladder",
  arm: "",
  rate: 1,
  seed: 1000,
  success: 1,
  failedAt: 0,
  samples: 19200,
  turns: 50000,
  optimizerSteps: 1200,
  passes: 2,
  klFirst: 0.1,
  kl: 0.01,
  ...cells,
});

/** A hundred runs of every arm of every world; success by world, arm and seed. */
const madeStudy = (success: (world: string, arm: string, seed: number) => number): MatchedRun[] =>
  matchedWorldNames.flatMap((world) =>
    matchedArms(world).flatMap(({ name: arm }) =>
      matchedSeeds.study.map((seed) => made({ world, arm, seed, success: success(world, arm, seed) })),
    ),
  );

const point = (rate: number, success: number, klFirst = rate ** 2): TunedPoint => ({
  ...{ world: "ladder", arm: "", seeds: 12, samples: 0, turns: 0, optimizerSteps: 0, passes: 0 },
  ...{ rate, success, klFirst },
});

describe("the preregistered order study", () => {
  it("runs the worlds, arms, rates, seeds and questions that its preregistration lists", () => {
    const file = path.join(
      "lib",
      "course",
      "src",
      "03-update-order-ablation",
      "matched",
      "PREREGISTRATION.md",
    );
    const text = readFileSync(file, "utf8");
    const [, listed] = /<!-- plan:start -->([\s\S]*)<!-- plan:end -->/.exec(text)!;
    // The formatter pads tables.
    const plain = (given: string): string => given.replace(/ +/g, " ").replace(/-{3,}/g, "---").trim();
    assert.equal(plain(listed!), plain(preregisteredPlan()));
  });

  it("tunes every arm over the same rates and seeds, none of which the study uses", () => {
    for (const world of matchedWorldNames) {
      const { grid, seeds } = tuningPlan(world);
      for (const { name } of tunedArms(world)) {
        const rates = grid.cell.filter(({ arm }) => arm === name).map(({ rate }) => rate);
        assert.deepEqual(rates, matchedRates(world), name);
      }
      assert.deepEqual(seeds, matchedSeeds.tuning);
    }
    assert.equal(matchedSeeds.study.length, 100);
    assert.equal(matchedSeeds.study.filter((seed) => seed < matchedSeeds.confirmFrom).length, 50);
    assert.ok(matchedSeeds.tuning.every((seed) => !matchedSeeds.study.includes(seed)));
  });

  it("runs every arm once for each seed, at the rate that its tuning chose", () => {
    const points = tunedArms("ladder").flatMap(({ name }) =>
      // Success has its peak at rate 4; the KL of an update is the square of the rate.
      matchedRates("ladder").map((rate) => ({ ...point(rate, rate === 4 ? 1 : 0.5), arm: name })),
    );
    const { grid, seeds } = studyPlan("ladder", points);
    assert.deepEqual(
      grid.cell.map(({ arm }) => arm),
      matchedArms("ladder").map(({ name }) => name),
    );
    // At equal KL too: all at once moves 16 at its rate 4, as does every arm here.
    assert.deepEqual(new Set(grid.cell.map(({ rate }) => rate)), new Set([4]));
    assert.equal(seeds, matchedSeeds.study);
  });

  it("compares arms that exist", () => {
    for (const { comparisons } of Object.values(matchedQuestions)) {
      for (const { world, better, than } of comparisons) {
        matchedArm(world, better);
        matchedArm(world, than);
      }
    }
    assert.throws(() => matchedArm("ladder", "sideways"), {
      name: "RangeError",
      message: /^Cannot find an arm: Ladder of four rungs, a table has none of the name "sideways"\.$/,
    });
  });

  it("takes the middle one of the rates that do best, and the smaller of two", () => {
    // .955 and .96 are within .01 of the best, .95 is not: the middle of 2, 4 and 8.
    const points = [point(1, 0.94), point(2, 0.955), point(4, 0.96), point(8, 0.955), point(16, 0.2)];
    assert.deepEqual(tunedRate(points), { rate: 4, atEdge: false });
    assert.deepEqual(tunedRate([point(1, 0.9), point(2, 0.9)]), { rate: 1, atEdge: true });
    assert.throws(() => tunedRate([]), { name: "RangeError", message: /^Cannot choose a learning rate: / });
  });

  it("finds the rate of a KL on the line through two logarithms, and stays in the grid", () => {
    // The KL is the square of the rate, so 8 lies at the root of 8, between 2 and 4.
    const points = [point(4, 0), point(1, 0), point(2, 0)];
    assert.deepEqual(rateAtKl(points, 8), { rate: 2.828, atEdge: false });
    assert.deepEqual(rateAtKl(points, 0.5), { rate: 1, atEdge: true });
    assert.deepEqual(rateAtKl(points, 17), { rate: 4, atEdge: true });
  });

  it("averages the runs of an arm and a rate", () => {
    const runs = [0.25, 0.75].map((success, seed) => made({ arm: "a", rate: 2, seed, success }));
    const [only, ...others] = tunedPoints([...runs, made({ arm: "a", rate: 4 })]);
    assert.deepEqual([only!.success, only!.rate, only!.seeds, others.length], [0.5, 2, 2, 1]);
  });
});

describe("matchedRun()", () => {
  const short = (arm: string, world: design.MatchedWorld = "ladder"): Promise<MatchedRun> =>
    matchedRun({ world, arm, rate: 16, seed: 9990, updates: 8 });
  const { crossArm, allAtOnce } = design;

  it("takes equally many optimizer steps on every batch, also where episodes end early", async () => {
    const arms = [
      crossArm("reverse", "product", "exact", "steps"),
      crossArm("random", "product", "exact", "steps"),
      allAtOnce("product", "steps"),
    ];
    for (const arm of arms) {
      const { samples, turns, optimizerSteps } = await short(arm);
      // 8 batches of 64; 4 steps for each of 4 turns.
      assert.deepEqual([samples, optimizerSteps], [512, 128], arm);
      assert.ok(turns < 4 * 512, "some episodes end early");
    }
  });

  it("uses every token equally often at equal passes, and takes fewer steps with all turns at once", async () => {
    const reverse = await short(crossArm("reverse", "geometric", "clipped", "passes"), "toolChain");
    const atOnce = await short(allAtOnce("geometric", "passes"), "toolChain");
    assert.deepEqual([reverse.passes, atOnce.passes], [2, 2]);
    // 2 epochs of 2 minibatches for each of 8 batches.
    assert.equal(atOnce.optimizerSteps, 32);
    assert.ok(reverse.optimizerSteps > 96);
  });

  it("counts without changing a bit of the training", async () => {
    const arm = matchedArm("ladder", crossArm("reverse", "product", "exact", "passes"));
    const [env, policy] = worldOf("ladder", 9990);
    const recipe = ruleOf(arm, "ladder", 16);
    let sum = 0;
    for await (const { metrics } of train({
      env,
      policy,
      recipe,
      updates: 8,
      groups: 8,
      groupSize: 8,
      seed: 9990,
    }))
      sum += metrics["reward/mean"]!;
    assert.equal((await short(arm.name)).success, sum / 8);
  });

  it("plays RTPO for as many rollouts as the others have", async () => {
    const { samples, optimizerSteps, success } = await short("RTPO, equal rollouts");
    // One update has at most 8 trunks and two siblings at each of four turns: 72.
    assert.ok(samples >= 512 && samples < 512 + 72, String(samples));
    assert.ok(optimizerSteps > 0 && success > 0);
  });

  it("gives each arm the rule of its name", () => {
    const rule = (name: string): ReturnType<typeof ruleOf> =>
      ruleOf(matchedArm("toolChain", name), "toolChain", 0.5);
    assert.deepEqual(rule(crossArm("forward", "geometric", "clipped", "steps")).order, {
      kind: "forward",
      oldLogProb: "rollout",
      carry: { kind: "clipped", pooling: "geometric", low: 0.8, high: 1.2 },
      steps: "shared",
    });
    assert.deepEqual(rule(crossArm("reverse", "product", "exact", "kl")).ratio, {
      level: "turn",
      pooling: "product",
    });
    const released = rule("reverse, geometric ratio, carry clipped, as released, equal rollouts");
    assert.deepEqual([released.name, released.update.epochs], ["seeUpoAuthors", 1]);
    assert.equal(
      rule("all at once, geometric ratio, as released, equal rollouts").order.kind,
      "simultaneous",
    );
  });
});

describe("UpdateMeter", () => {
  it("measures the KL of an update per episode, and the passes over what was written", () => {
    const env = make("MatrixChain-v0", { game: "ladder", turns: 1 });
    const policy = new TabularPolicy(env.spec);
    const batch = collect(env, policy, { groups: 1, groupSize: 4, rng: createRng(1) });
    const meter = new UpdateMeter(policy);
    meter.sampled(batch);
    meter.prepared({ batch } as Prepared);
    // Three of four episodes, one turn of one token each, twice.
    meter.stepped({ rows: [0, 1, 2], turns: [0] } as unknown as ObservedStep);
    meter.stepped({ rows: [0, 1, 2], turns: [0] } as unknown as ObservedStep);
    // From a third each to 1/2, 1/4, 1/4: ln(1/3) - (ln(1/2) + 2 ln(1/4)) / 3 = 0.0566.
    policy.parameters[0]! += Math.log(2);
    meter.updated();
    const { passes, klFirst, turns } = meter.totals();
    assert.equal(passes, 1.5);
    assert.equal(turns, 4);
    assert.equal(klFirst.toFixed(4), "0.0566");
  });
});

describe("the verdicts of the order study", () => {
  const verdictsOf = (runs: readonly MatchedRun[]): ((claim: string) => string) => {
    const claims = matchedClaims(runs);
    return (claim) => claims.find((one) => one.claim === claim)!.verdict.text;
  };
  /** Success that varies a little from seed to seed. */
  const about = (mean: number, seed: number): number => mean + 0.02 * ((seed % 5) - 2);

  it("hold where an arm does better in both halves, and name the ratio where it does in one alone", () => {
    const { claim } = matchedQuestions.passes;
    const runs = madeStudy((_, arm, seed) => about(arm.startsWith("all at once") ? 0.4 : 0.9, seed));
    assert.equal(verdictsOf(runs)(claim), "holds");
    const byRatio = madeStudy((_, arm, seed) =>
      about(arm.startsWith("all at once, product") ? 0.4 : 0.9, seed),
    );
    const verdictOf = verdictsOf(byRatio);
    assert.match(verdictOf(claim), /^holds if .*ratio = product/);
    assert.equal(verdictOf(matchedQuestions.forward.claim), "no effect that matters");
  });

  it("are not shown where the second half does not confirm", () => {
    const runs = madeStudy((_, arm, seed) =>
      about(arm.startsWith("all at once") && seed < matchedSeeds.confirmFrom ? 0.2 : 0.9, seed),
    );
    assert.equal(verdictsOf(runs)(matchedQuestions.passes.claim), "not shown");
  });

  it("count stuck seeds by each world's threshold, and fewer is better", () => {
    // .72 has learned ToolChain (.7), and is stuck on the ladder (.775).
    const runs = madeStudy((_, arm) => (arm.startsWith("all at once") ? 0.72 : 0.99));
    const [comparison] = matchedEffectsOf(matchedQuestions.stuckPasses, runs);
    assert.equal(comparison!.effect.mean, 0);
    const ladder = matchedEffectsOf(matchedQuestions.stuckPasses, runs).find(
      ({ comparison: { world } }) => world === "ladder",
    )!;
    assert.equal(ladder.effect.mean, 1);
  });

  it("show real steps, passes and stuck seeds beside each effect", () => {
    const { measured } = matchedClaims(madeStudy(() => 0.9))[0]!;
    assert.match(
      measured,
      /toolChain product 0\.000 \[.*\] \(stuck 0 of 100 : 0 of 100, steps 1200 : 1200, passes 2\.0 : 2\.0\)/,
    );
  });

  it("refuse a study with an arm missing", () => {
    const runs = madeStudy(() => 0.9).filter(({ arm }) => !arm.startsWith("RTPO"));
    assert.throws(() => matchedClaims(runs), {
      name: "RangeError",
      message:
        /^Cannot decide the order study: every arm must have runs, and "RTPO, equal rollouts" has none in toolChain\.$/,
    });
  });

  it("are drawn in one figure, with the real steps and passes of both arms", () => {
    const runs = madeStudy((_, arm) => (arm.startsWith("all at once") ? 0.4 : 0.9)).map((run) =>
      run.arm.endsWith("equal steps") ? { ...run, optimizerSteps: 4800, passes: 8 } : run,
    );
    const { summary } = drawMatchedOrders(runs);
    // Six comparisons in each of eight worlds and ratios.
    assert.equal(summary.split("; ").length, 48);
    const steps =
      "Ladder, a table, against all at once, equal steps: +0.50 [+0.500, +0.500] (4800 : 4800 steps, 8 : 8 passes)";
    assert.ok(summary.includes(steps), summary);
    assert.match(summary, /^At equal steps, the last turn first leads all at once in 8 of 8 settings /);
    const two = drawMatchedOrders(runs, ["passes", "steps"]).summary;
    assert.equal(two.split("; ").length, 16);
    assert.ok(two.includes(steps), two);
    assert.throws(() => drawMatchedOrders([]), { name: "RangeError", message: /every arm must have runs/ });
  });

  it("draws every run of a world, with the stuck runs, steps and passes of each way", () => {
    const runs = madeStudy((_, arm) => (arm.startsWith("all at once") ? 0.7 : 0.9));
    const { summary } = drawMatchedRuns(runs, "ladder", ["last turn first", "all at once"]);
    // .7 is below the ladder's .775.
    assert.match(summary, /last turn first: 0\.900; all at once: 0\.700/);
    assert.match(
      summary,
      /last turn first: 0 stuck; 1200 steps, 2 passes; all at once: 100 stuck; 1200 steps/,
    );
    assert.throws(() => drawMatchedRuns([], "ladder", ["all at once"]), {
      name: "RangeError",
      message: /^Cannot draw runs: Ladder of four rungs, a table must have a run of "all at once, /,
    });
  });

  it("of the second tuning are decided where the last turn first led, on seeds of their own", () => {
    const worlds = ["toolChain", "toolChainApart", "ladder"] as const;
    assert.deepEqual(retunedWorlds, worlds);
    const tuning = design.matchedWorldNames.flatMap((world) =>
      tunedArms(world).map(({ name: arm }) => ({ ...point(2, 0.5), world, arm })),
    );
    const cells = worlds.flatMap((world) => secondTuningPlan(world, tuning).grid.cell);
    // Two sides and two things held equal, for five pairs of world and ratio, at three rates.
    assert.equal(cells.length, 2 * 2 * 5 * 3);
    assert.deepEqual([...new Set(cells.map(({ rate }) => rate))], [1, 2, 4]);
    const { choose, compare, confirmFrom } = secondTuning.seeds;
    const before = [...matchedSeeds.study, ...matchedSeeds.tuning];
    for (const seed of choose) assert.ok(!compare.includes(seed) && !before.includes(seed));
    for (const seed of compare) assert.ok(!before.includes(seed));
    // The double of each rate does best.
    const second = cells.map(({ world, arm, rate }) => ({ ...point(rate, rate / 8), world, arm }));
    const runs = worlds.flatMap((world) => {
      const plan = retunedPlan(world, second);
      assert.ok(plan.grid.cell.every(({ rate }) => rate === 4));
      return plan.grid.cell.flatMap(({ arm, rate }) =>
        plan.seeds.map((seed) => {
          const fails = arm.startsWith("all at once") && (arm.endsWith("passes") || seed < confirmFrom);
          return made({ world, arm, rate, seed, success: about(fails ? 0.4 : 0.9, seed) });
        }),
      );
    });
    const verdictOf = Object.fromEntries(
      retunedClaims(runs).map(({ claim, verdict }) => [claim, verdict.text]),
    );
    assert.deepEqual(Object.values(verdictOf), ["holds", "not shown"]);
  });

  it("come with a table that survives a file", () => {
    const runs = madeStudy(() => 0.5).filter(({ world }) => world === "ladder");
    const again = storedMatchedRuns(csvOf(matchedColumns, runs));
    assert.deepEqual(again, runs);
    const [line, ...others] = matchedTable("ladder", again);
    assert.equal(others.length + 1, matchedArms("ladder").length);
    // Clopper and Pearson of 100 in 100: [.025^(1/100), 1].
    assert.equal(line!.stuck, "100 of 100, 1.00 [0.96, 1.00]");
    assert.equal(line!.halves, "0.500 : 0.500");
    assert.deepEqual([line!.optimizerSteps, line!.passes, line!.samples], [1200, 2, 19200]);
  });
});
