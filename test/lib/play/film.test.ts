import assert from "node:assert/strict";
import { advantages, playground, recipe, type RecipeName } from "turnwise";
import { filmLength, filmPictures } from "turnwise/internal/play/filmPictures";
import type { Film } from "turnwise/internal/play/film";
import { until } from "../../support/process.js";

const display = Symbol.for("Jupyter.display");
const textOf = (x: object): string =>
  (x as Record<symbol, () => Record<string, string>>)[display]!()["text/plain"]!;

type Play = ReturnType<typeof playground>;

/** Shows an update to its end and returns its film. */
async function filmOf(p: Play): Promise<Film> {
  await p.step();
  return p.film!;
}

async function toNextUpdate(p: Play): Promise<void> {
  for (let picture = 1; picture < filmLength; picture++) await p.step();
}

function close(actual: number, expected: number, tolerance: number): void {
  assert.ok(Math.abs(actual - expected) <= tolerance, `${String(actual)} is not ${String(expected)}`);
}

const mean = (values: ArrayLike<number>): number =>
  Array.from(values).reduce((a, b) => a + b, 0) / values.length;

/** One step of gradient descent, and the same with everything in the loss that reaches the logits. */
const oneStep = { epochs: 1, minibatches: 1, optimizer: { kind: "sgd", learningRate: 1 } } as const;

describe("the film of an update", function () {
  this.timeout(120_000);

  const names: RecipeName[] = ["grpo", "reinforce", "seeUpo", "gspo", "ppo", "dapo"];
  for (const name of names) {
    it(`changes no bit of the training with ${name}`, async () => {
      const start = { recipe: name, seed: 1 };
      const plain = playground({ start, updates: 6 });
      await plain.run();
      const filmed = playground({ start, updates: 6 });
      await filmed.run(2);
      for (let update = 3; update <= 6; update++) {
        const { record } = await filmOf(filmed);
        assert.equal(record.update, update);
        await toNextUpdate(filmed);
      }
      assert.deepEqual(
        filmed.records.map(({ metrics }) => metrics),
        plain.records.map(({ metrics }) => metrics),
      );
    });
  }

  it("holds what was sampled, and the advantages that the rule gives to what was kept", async () => {
    const p = playground({ start: { seed: 1 }, updates: 6 });
    const { sampled, kept, advantage_ntl, record } = await filmOf(p);
    assert.equal(sampled.shape[0], 64);
    assert.equal(mean(sampled.return_n), record.metrics["reward/mean"]);
    assert.deepEqual(advantage_ntl, advantages(kept!, recipe("grpo")).advantage_ntl);
    assert.ok(advantage_ntl.some((value) => value > 0) && advantage_ntl.some((value) => value < 0));
  });

  it("holds a group less where the filter drops it, and all that was sampled", async () => {
    const p = playground({ start: { recipe: "dapo", seed: 1, groups: 4, groupSize: 2 }, updates: 6 });
    const { sampled, kept, record } = await filmOf(p);
    assert.ok(sampled.shape[0] > 8, "dynamic sampling drew once");
    assert.equal(kept!.shape[0], 8);
    assert.equal(record.samples, sampled.shape[0]);
    // Every kept pair differs in its return.
    for (let n = 0; n < 8; n += 2) assert.notEqual(kept!.return_n[n], kept!.return_n[n + 1]);
  });

  for (const [name, tolerance] of [
    ["grpo", 1e-12],
    ["gspo", 1e-6],
  ] as const) {
    it(`has the ratios of the last step, pooled as ${name} pools them`, async () => {
      // The first of the two steps has ratios of 1, so the largest of the update is 1 or that of the second step.
      const row = recipe(name, { update: { ...oneStep, epochs: 2 } });
      const p = playground({ recipe: row, start: { recipe: name, seed: 1 }, updates: 6 });
      const { kept, ratio_ntl, record, steps } = await filmOf(p);
      assert.equal(steps, 2);
      const trained = Array.from(ratio_ntl).filter((_, i) => kept!.mask_ntl[i] === 1);
      close(Math.max(1, ...trained), record.metrics["policy/ratioMax"]!, tolerance);
      close(Math.min(1, ...trained), record.metrics["policy/ratioMin"]!, tolerance);
      assert.ok(Math.max(...trained) > 1.0001);
    });
  }

  it("has the gradient's norm of every step; the record has their mean", async () => {
    const p = playground({ start: { seed: 1 }, updates: 6 });
    const { gradientNorms, steps, record } = await filmOf(p);
    assert.equal(gradientNorms.length, steps);
    assert.equal(record.optimizerSteps, steps);
    close(mean(gradientNorms), record.metrics["policy/gradNorm"]!, 1e-12);
  });

  const regularized = [
    ["alone", {}],
    ["with an entropy bonus", { regularizer: { entropyCoef: 0.1 } }],
    ["with an exact KL", { regularizer: { klReference: { coef: 0.3, estimator: "exact" } } }],
  ] as const;
  for (const [what, more] of regularized) {
    it(`has the push that leads from the old to the new policy: ${what}`, async () => {
      const row = recipe("reinforce", { update: oneStep, ...more } as never);
      const p = playground({ recipe: row, start: { recipe: "reinforce", seed: 1 }, updates: 6 });
      // The reference and the policy are the same at first: then a KL pushes nowhere.
      await p.run(1);
      const { before, after, push } = (await filmOf(p)).decision!;
      // One step of size 1 in a table moves each logit by its push: softmax(log p + push).
      const unnormalized = before.map((share, v) => share * Math.exp(push[v]!));
      const sum = unnormalized.reduce((a, b) => a + b);
      after.forEach((share, v) => close(share, unnormalized[v]! / sum, 1e-12));
      assert.ok(Math.max(...push) > 1e-4);
      close(
        push.reduce((a, b) => a + b),
        0,
        1e-12,
      );
    });
  }

  it("tells the exact return before and after; the record agrees where it has one", async () => {
    const p = playground({ start: { seed: 1 }, updates: 12 });
    await p.run(4);
    const fifth = await filmOf(p);
    assert.equal(fifth.record.metrics["return/exact"], fifth.exact!.after);
    await toNextUpdate(p);
    const sixth = await filmOf(p);
    assert.equal(sixth.exact!.before, fifth.exact!.after);
  });

  it("shows five pictures in the order of the loop, with the numbers of the record", async () => {
    const p = playground({ start: { seed: 1 }, updates: 6 });
    const { record } = await filmOf(p);
    const pictures = filmPictures(p.film!, undefined, ["ANSWER", "LOOKUP", "0", "1", "2", "3"]);
    assert.deepEqual(
      pictures.map(({ title, lit }) => [title, ...lit]),
      [
        ["Rollout", "agent", "world"],
        ["Advantages", "rule"],
        ["Ratios", "rule"],
        ["Gradient", "rule", "trainer"],
        ["New policy", "trainer", "agent"],
      ],
    );
    const told = (name: keyof typeof record.metrics): string =>
      String(Number(record.metrics[name]!.toFixed(3))).replace("-", "−");
    assert.ok(pictures[0]!.words.includes(`Mean reward: ${told("reward/mean")}.`));
    assert.ok(
      pictures[2]!.words.includes(`between ${told("policy/ratioMin")} and ${told("policy/ratioMax")};`),
    );
    assert.ok(pictures[3]!.words.includes(`Norm of the gradient: ${told("policy/gradNorm")}.`));
    for (const { drawing } of pictures) assert.match(drawing!.svg, /^<svg /);
  });

  it("goes on and back picture by picture, then to the next update, and gives way to the chart when training runs", async () => {
    const p = playground({ start: { seed: 1 }, updates: 6 });
    const shown = (): string => /Update \d+, picture \d/.exec(textOf(p))?.[0] ?? "the chart";
    assert.equal(shown(), "the chart");
    await p.step();
    assert.equal(shown(), "Update 1, picture 1");
    await p.step();
    assert.equal(shown(), "Update 1, picture 2");
    p.back();
    p.back();
    assert.equal(shown(), "Update 1, picture 1");
    await toNextUpdate(p);
    assert.equal(shown(), "Update 1, picture 5");
    await p.step();
    assert.equal(shown(), "Update 2, picture 1");
    await p.run(1);
    assert.equal(shown(), "the chart");
    assert.equal(p.records.length, 3);
  });

  it("pauses a training that runs, and films its next update alone", async () => {
    const p = playground({ start: { seed: 1 }, updates: 100_000 });
    const going = p.run();
    await until("three updates", () => p.records.length >= 3);
    await p.step();
    await going;
    assert.equal(p.running, false);
    assert.equal(p.film!.record, p.records.at(-1));
    assert.equal(p.film!.gradientNorms.length, 4);
  });

  it("says that nothing is pushed where all groups agree, and that no step was taken where the filter keeps none", async () => {
    const solved = playground({ start: { seed: 1, learningRate: 30, optimizer: "sgd" }, updates: 200 });
    await solved.run(120);
    assert.equal(solved.records.at(-1)!.metrics["reward/fracZeroStd"], 1);
    await solved.step();
    await solved.step();
    assert.match(textOf(solved), /gives every token the advantage 0: each group agrees/);
    await solved.step();
    await solved.step();
    assert.match(textOf(solved), /Norm of the gradient: 0\. No token has an advantage/);
    const strict = playground({ start: { seed: 1, learningRate: 30, optimizer: "sgd" }, updates: 200 });
    await strict.run(120);
    strict.set("filter", "zeroVariance");
    await strict.step();
    assert.equal(strict.film!.kept, undefined);
    assert.equal(strict.film!.steps, 0);
    assert.match(textOf(strict), /The rule's filter kept no group/);
    for (let picture = 2; picture <= filmLength; picture++) await strict.step();
    assert.match(textOf(strict), /picture 5 of 5: New policy\nThe rule's filter kept no group/);
  });

  it("says when all updates are done", async () => {
    const p = playground({ updates: 1 });
    await p.run();
    await p.step();
    assert.match(textOf(p), /! All 1 updates are done: restart to begin again\./);
    assert.equal(p.film, undefined);
  });
});
