import assert from "node:assert/strict";
import {
  compareGrains,
  drawBias,
  drawGrains,
  drawMismatch,
  drawOutsideTheClip,
  drawRatios,
  drawSafeRates,
  drawTogether,
  wornBatch,
} from "turnwise-course/off-policy-stability";
import { measured } from "turnwise-course";
import { storedRuns } from "turnwise-course/echo-trap";
import { storedGrains } from "turnwise-course/internal/05-off-policy-stability/grains";
import type { EstimatorError } from "turnwise-course/internal/05-off-policy-stability/estimatorError";

const one = { deviation: 0.1, outside: 0.25 };
const steps = [0, 4].map((step) => ({
  step,
  spread: Object.fromEntries(
    ["token", "turn, geometric", "turn, product", "trajectory, product"].map((name) => [name, one]),
  ),
  gradNorm: 1,
  clipBiasNorm: 0,
  clipFraction: 0,
}));
const judged: readonly EstimatorError[] = [
  ...["token", "turn, geometric", "turn, product", "trajectory, product"],
].flatMap((name) =>
  ["", ", clipped"].map((end) => ({
    ...{ name: `${name}${end}`, batches: 400, noise: 0.1, deviation: 2, error: 2, cosine: 1 },
    bias: end === "" ? 0.125 : 0.75,
  })),
);

describe("the drawings of the lesson on off-policy stability", () => {
  it("let a product leave the clip as turns grow, and a mean come back", () => {
    // At 80 tokens the log of the product spreads by .1 * sqrt(80) = .89 nats, that of the mean by .011.
    assert.match(
      drawOutsideTheClip().summary,
      /product goes from 0\.045 at 1 to 0\.836 at 80\. geometric mean goes from 0\.045 at 1 to 0\.000 at 80/,
    );
  });

  it("hold a turn against three tokens that are independent", () => {
    // sqrt(3) * .1 = .173
    assert.match(drawTogether({ steps }).summary, /independent tokens goes from 0\.173 at 0 to 0\.173 at 4/);
  });

  it("show the bias with two standard errors, not below 0, with and without the clip", () => {
    const { summary } = drawBias(judged);
    assert.match(summary, /without a clip, token: 0\.125 \(0\.000 to 0\.325\)/);
    assert.match(summary, /clipped at \.2, trajectory, product: 0\.750 \(0\.550 to 0\.950\)/);
  });

  it("state their finding in the title, from the data", () => {
    const titleOf = ({ spec }: { readonly spec: unknown }): string =>
      (spec as { readonly title: { readonly text: string } }).title.text;
    // log(1.2) / (.1 * sqrt(40)) = .29 and the like; all of a normal's mass but .24 is outside.
    assert.equal(
      titleOf(drawOutsideTheClip()),
      "Outside at 40 tokens: 0.76 of the products, 0.00 of the means",
    );
    assert.equal(
      titleOf(drawOutsideTheClip({ spread: 0.01 })),
      "Outside at 40 tokens: 0.00 of the products, 0.00 of the means",
    );
    // Turn and token spread alike in these steps.
    assert.equal(
      titleOf(drawTogether({ steps })),
      "After 4 steps, a turn spreads 1.00 times as far as a token, not 1.73",
    );
    assert.equal(titleOf(drawTogether({ steps: wornBatch({ steps: 0 }).steps })), "No token has moved yet");
    assert.equal(
      titleOf(drawBias(judged)),
      "Clipped at .2, off by: token 0.75, turn's mean 0.75, trajectory 0.75",
    );
    const runs = storedRuns(measured("echo-trap"));
    assert.equal(
      titleOf(drawSafeRates(runs)),
      "Adam .3: 0.32 by GRPO, 0.70 in one step, 0.83 with our penalty",
    );
    const ended = runs.map((run) => (run.lever === "vanilla" ? { ...run, final: 1 } : run));
    assert.equal(
      titleOf(drawSafeRates(ended)),
      "Adam .3: 1.00 by GRPO, 0.70 in one step, 0.83 with our penalty",
    );
    assert.match(titleOf(drawMismatch(runs)), /^Success: 0\.43 by PPO's clip, 0\.18 in one step, 0\.94 /);
    assert.match(titleOf(drawMismatch(ended)), /^Success: 1\.00 by PPO's clip, 0\.18 in one step, 0\.94 /);
    const grains = new Map(
      ["sgd", "adam"].flatMap((kind) =>
        ["token", "turn", "trajectory"].map((ratio, i): [string, number[]] => [`${kind}, ${ratio}`, [i / 4]]),
      ),
    );
    assert.equal(
      titleOf(drawGrains(grains)),
      "By token, turn, trajectory: SGD 0.00, 0.25, 0.50; Adam 0.00, 0.25, 0.50",
    );
    assert.match(
      JSON.stringify(drawGrains(grains).spec),
      /"subtitle":"LOOP on LookUp-v0, 40 updates of 16 steps each, seeds: 1; dots: runs"/,
    );
  });

  it("put shares, biases and noise of four ratios on one slide", () => {
    const text = drawRatios({ steps }, judged).toString();
    assert.equal(text.split("\n").length, 5);
    assert.match(
      text,
      /a turn, mean: outside after 4 steps 25 %; bias, no clip 0\.13; bias, clipped 0\.75; noise of one batch 2\.00/,
    );
  });

  it("show at most eight rows, and every run of the stored grid", () => {
    const runs = storedRuns(measured("echo-trap"));
    assert.equal(drawMismatch(runs).summary.split(";").length, 8);
    assert.match(drawSafeRates(runs).summary, /turn's mean, our penalty when clipped, Adam \.1: 0\.99/);
    assert.equal(
      new Set([
        ...drawSafeRates(runs).summary.matchAll(/(?:GRPO|mean ratio|step per batch|clipped), SGD 32/g),
      ]).size,
      5,
    );
  });

  it("draw one seed", async () => {
    const grains = await compareGrains({ seeds: 1 });
    assert.equal(grains.size, 6);
    assert.match(drawGrains(grains).summary, /SGD, learning rate 8, token: 0\.\d+/);
  });
});

describe("a worn batch", () => {
  it("counts as silenced the tokens whose gradient the clip takes away", () => {
    const { silenced, steps: taken } = wornBatch({ steps: 5, seed: 3 });
    const { clipFraction, spread } = taken.at(-1)!;
    assert.ok(Math.abs(silenced["token"]! - clipFraction) < 1e-12);
    for (const [name, share] of Object.entries(silenced)) assert.ok(share <= spread[name]!.outside, name);
  });

  it("has ratios of 1 before any step, and takes exactly the steps that it was asked for", () => {
    const fresh = wornBatch({ steps: 0 });
    assert.ok([...fresh.ratio_ntl].every((ratio, i) => fresh.batch.mask_ntl[i] !== 1 || ratio === 1));
    assert.deepEqual([...fresh.now.parameters], [...fresh.old.parameters]);
    const { steps: measuredSteps, ratio_ntl, batch } = wornBatch({ steps: 2 });
    assert.deepEqual(
      measuredSteps.map(({ step }) => step),
      [0, 1, 2],
    );
    const ratios = [...ratio_ntl].filter((_, i) => batch.mask_ntl[i] === 1);
    const outside = ratios.filter((ratio) => Math.abs(ratio - 1) > 0.2).length / ratios.length;
    assert.ok(Math.abs(outside - measuredSteps[2]!.spread["token"]!.outside) < 1e-12);
  });
});

describe("storedGrains", () => {
  it("gathers the rewards of each optimizer and ratio, in the order of the table", () => {
    const csv = "optimiser,ratio,seed,reward\nsgd,token,0,0.5\nsgd,token,1,0.75\nadam,turn,0,1\n";
    assert.deepEqual(
      [...storedGrains(csv)],
      [
        ["sgd, token", [0.5, 0.75]],
        ["adam, turn", [1]],
      ],
    );
  });
});
