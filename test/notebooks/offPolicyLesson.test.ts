// Uses internals of turnwise-course.
import assert from "node:assert/strict";
import { bootstrapInterval, difference, drawTrajectory } from "turnwise";
import { compareGrains, learningRates, walkSpread, wornBatch } from "turnwise-course/off-policy-stability";
import { leverSweep, storedRuns, traps, type LeverName, type Trap } from "turnwise-course/echo-trap";
import { measured } from "turnwise-course";
import { storedGrains } from "turnwise-course/internal/05-off-policy-stability/grains";
import type { WornBatch } from "turnwise-course/internal/05-off-policy-stability/wornBatch";
import { claimOf, storedLedger } from "./storedLedger";

const shown = (e: { mean: number; low: number; high: number }): string =>
  `${e.mean.toFixed(2)} [${e.low.toFixed(2)}, ${e.high.toFixed(2)}]`;

describe("lesson 05, off-policy stability", function () {
  this.timeout(60_000);
  const rows = storedLedger("05-off-policy-stability");
  const runs = storedRuns(measured("echo-trap"));
  const finals = (trap: string, lever: LeverName, change = ""): number[] =>
    runs
      .filter((run) => run.trap === trap && run.lever === lever && run.change === change)
      .map(({ final }) => final);
  let worn: WornBatch;

  before(() => {
    worn = wornBatch({ steps: 16 });
  });

  const has = (words: string, expected: string): void => {
    const { measured: text } = claimOf(rows, words);
    assert.ok(text.includes(expected), `${expected} in: ${text}`);
  };

  it("shows verdicts of the whole ledger", () => {
    const whole = storedLedger("appendix/05-off-policy-stability").map(({ verdict }) => String(verdict));
    for (const { verdict } of rows) assert.ok(whole.includes(String(verdict)), String(verdict));
  });

  it("gives each claim one figure, from the data", () => {
    const growth = Array.from({ length: 20 }, (_, seed) => {
      const { spread } = wornBatch({ steps: 16, seed }).steps.at(-1)!;
      return spread["turn, product"]!.deviation / spread["token"]!.deviation;
    });
    has("The longer the unit", `spreads ${shown(bootstrapInterval(growth))} times`);
    assert.ok(Math.min(...growth) > Math.sqrt(3));
    assert.deepEqual(
      [growth[0]!, bootstrapInterval(growth).mean].map((x) => x.toFixed(2)),
      ["2.16", "2.08"],
    );
    const grain = difference(finals("sane", "LOOP, token", "sgd=8"), finals("sane", "LOOP, turn", "sgd=8"));
    has("Token ratios train better", shown(grain));
    for (const [words, lever] of [
      ["A turn's mean ratio widens", "turn ratio geometric"],
      ["Our penalty", "SO-GRPO, KL"],
    ] as const)
      has(
        words,
        `gain ${shown(difference(finals("sane", lever, "adam=0.1"), finals("sane", "vanilla", "adam=0.1")))}`,
      );
    has(
      "It takes a new ratio",
      `gain ${shown(difference(finals("mismatch", "dual clip 3"), finals("mismatch", "vanilla")))}`,
    );
  });

  it("says how many ratios leave the clip's range after sixteen steps", () => {
    const { spread } = worn.steps.at(-1)!;
    assert.equal(spread["token"]!.outside.toFixed(2), "0.34");
    assert.ok(spread["trajectory, product"]!.outside > 0.9);
    // The drawn ratios are those of the table.
    const { mask_ntl } = worn.batch;
    const ratios = [...worn.ratio_ntl].filter((_, i) => mask_ntl[i] === 1);
    const outside = ratios.filter((ratio) => Math.abs(ratio - 1) > 0.2).length / ratios.length;
    assert.equal(outside.toFixed(6), spread["token"]!.outside.toFixed(6));
    assert.match(drawTrajectory(worn.batch, { trajectory: 0, ratio: worn.ratio_ntl }).toString(), /turn 1/);
  });

  it("says that of the batch nothing would be left if whole trajectories were clipped at .2", () => {
    const { batch, silenced } = worn;
    assert.equal(silenced["token"]!.toFixed(2), "0.28");
    assert.equal(silenced["trajectory, product"], 7 / 8);
    // The eighth: groups whose members all earn the same.
    const rewards = new Map<string, Set<number>>();
    batch.groupId.forEach((group, n) =>
      rewards.set(group, (rewards.get(group) ?? new Set()).add(batch.return_n[n]!)),
    );
    const alike = batch.groupId.filter((group) => rewards.get(group)!.size === 1);
    assert.equal(alike.length / batch.groupId.length, 1 / 8);
  });

  it("says that of turns of 40 tokens three quarters of the products and none of the means are outside", () => {
    assert.equal(walkSpread(40, 0.1, "product").outside.toFixed(2), "0.76");
    assert.ok(walkSpread(40, 0.1, "geometric").outside < 1e-6);
    // Not so of the worn batch's turns of three.
    assert.ok(Math.abs(worn.steps.at(-1)!.spread["turn, geometric"]!.outside - 1 / 5) < 0.02);
  });

  it("says that more than half of the way is gone after two steps", () => {
    const at = (step: number): number => worn.steps[step]!.spread["turn, product"]!.deviation;
    assert.ok(at(2) > at(16) / 2);
  });

  it("says that LOOP's order shows under SGD and not under Adam", () => {
    const grains = storedGrains(measured("off-policy-grains"));
    const of = (optimizer: string): number[] =>
      ["token", "turn", "trajectory"].map(
        (ratio) => bootstrapInterval(grains.get(`${optimizer}, ${ratio}`)!).mean,
      );
    const [token, turn, trajectory] = of("sgd") as [number, number, number];
    assert.ok(token > turn && turn > trajectory);
    const [first, , last] = of("adam") as [number, number, number];
    assert.ok(last > first);
  });

  it("trains what is stored", async () => {
    const [stored, now] = [storedGrains(measured("off-policy-grains")), await compareGrains({ seeds: 1 })];
    for (const [name, [reward]] of now)
      assert.equal(Number(reward!.toPrecision(6)), stored.get(name)![0], name);
    assert.deepEqual([...now.keys()], [...stored.keys()]);
  });

  it("says which runs of the last lesson are not the same: their start, steps and updates", () => {
    const setting = ({ beta, epochs, minibatches, updates }: Trap) => [beta, epochs * minibatches, updates];
    assert.deepEqual([setting(traps.sane), setting(traps.reuse)], [[2, 16, 300], [4, 24, 500]]); // prettier-ignore
    const one = (trap: string, change?: string): string =>
      bootstrapInterval(finals(trap, "1 step per batch", change)).mean.toFixed(2);
    assert.deepEqual([one("sane", "adam=0.3"), one("reuse")], ["0.70", "0.99"]);
  });

  it("says that the ledger finds tokens best in ToolChain under SGD, and not in LookUp", () => {
    const { verdict } = claimOf(rows, "Token ratios train better");
    assert.match(String(verdict), /^holds if world = ToolChain, steps = SGD 8, .*2 of 8 settings\)$/);
    assert.ok(!String(verdict).includes("LookUp"));
  });

  it("says of learning rates and of engines what the charts show", () => {
    const sweep = leverSweep(runs, "sane", learningRates);
    const at = (lever: LeverName, setting: string): number =>
      sweep.find((one) => one.lever === lever && one.setting === setting)!.final.mean;
    for (const lever of ["SO-GRPO, KL", "1 step per batch"] as const)
      assert.ok(at(lever, "Adam .1") > 0.95, lever);
    for (const lever of ["vanilla", "turn ratio geometric", "SO-GRPO, gradient"] as const)
      assert.ok(at(lever, "Adam .1") < 0.7 && at(lever, "Adam .3") < 0.4, lever);
    // Ahead of one step per batch at Adam .3, by a gap that 40 seeds leave open.
    const ahead = difference(
      finals("sane", "SO-GRPO, KL", "adam=0.3"),
      finals("sane", "1 step per batch", "adam=0.3"),
    );
    assert.ok(ahead.low > 0 && ahead.high > 0.2, shown(ahead));
    assert.ok(at("1 step per batch", "SGD 2") < at("vanilla", "SGD 2") - 0.2);
    // Under SGD, GRPO needs no penalty at 2 and 8.
    for (const setting of ["SGD 2", "SGD 8"])
      assert.ok(Math.abs(at("vanilla", setting) - at("SO-GRPO, KL", setting)) < 0.05, setting);
    assert.ok(at("1 step per batch", "SGD 8") < at("vanilla", "SGD 8") - 0.1);
    const { verdict } = claimOf(rows, "Our penalty, switched on");
    assert.match(String(verdict), /^holds if steps = Adam \.1 or Adam \.3 of/);
    const end = (lever: LeverName): number => bootstrapInterval(finals("mismatch", lever)).mean;
    const order = [
      "1 step per batch",
      "turn ratio arithmetic",
      "vanilla",
      "turn ratio geometric",
      "GSPO",
      "gradient clip",
      "dual clip 3",
    ];
    const ends = order.map((lever) => end(lever as LeverName));
    assert.deepEqual(
      ends,
      [...ends].sort((a, b) => a - b),
    );
    assert.ok(end("SO-GRPO, KL") > end("gradient clip"));
    // "about a third do not": of the runs of a turn's geometric mean and of GSPO.
    const runsOfMeans = [...finals("mismatch", "turn ratio geometric"), ...finals("mismatch", "GSPO")];
    const lost = runsOfMeans.filter((final) => final < 0.7).length / runsOfMeans.length;
    assert.ok(Math.abs(lost - 1 / 3) < 0.05, String(lost));
  });
});
