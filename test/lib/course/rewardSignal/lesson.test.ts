import assert from "node:assert/strict";
import { checkEnv } from "turnwise";
import {
  drawCurriculum,
  drawDistance,
  drawGoodhart,
  drawPaidAndTrue,
  drawRoomToCheat,
  drawVerifiers,
  drawWhoPays,
  fallibleVerifier,
  trainOnVerifiers,
  verifierRun,
  verifiers,
} from "turnwise-course/reward-signal";
import { type StoredRecord } from "turnwise-course";

describe("a verifier that fails", () => {
  const outcomes = (
    name: keyof typeof verifiers,
    fact: number,
    ...words: string[]
  ): [number, number, unknown][] => {
    const env = fallibleVerifier(verifiers[name]);
    const state = env.start()[fact]!.state;
    const turn = words.map((word) => env.spec.vocabulary.indexOf(word));
    return env
      .transition(state, turn)
      .map(({ probability, reward, info }) => [probability, reward, info?.trueScore]);
  };

  it("turns its verdict round three times in sixteen, and never changes what is true", () => {
    assert.deepEqual(outcomes("errs at random", 1, "ANSWER", "1"), [
      [13 / 16, 1, 1],
      [3 / 16, -1 / 3, 1],
    ]);
    assert.deepEqual(outcomes("errs at random", 1, "ANSWER", "0"), [
      [13 / 16, -1 / 3, 0],
      [3 / 16, 1, 0],
    ]);
  });

  it("or accepts one answer, and is right about all the others", () => {
    assert.deepEqual(outcomes("always accepts 2", 1, "ANSWER", "2"), [[1, 1, 0]]);
    assert.deepEqual(outcomes("always accepts 2", 1, "ANSWER", "3"), [[1, -1 / 3, 0]]);
    assert.deepEqual(outcomes("always accepts 2", 1, "LOOKUP", "2"), [[1, 0, 0]]);
  });

  it("keeps the contract of a world", () => {
    for (const verifier of Object.values(verifiers)) checkEnv(fallibleVerifier(verifier));
  });

  it("is trained on for any number of updates, a point for each window of them", async () => {
    const seven = await verifierRun({ verifier: "never errs", seed: 0, updates: 7 });
    assert.deepEqual(seven.map(({ update }) => update), [1, 2, 3, 4, 5, 6, 7]); // prettier-ignore
    const fifty = await verifierRun({ verifier: "never errs", seed: 0, updates: 50 });
    assert.deepEqual([fifty.length, fifty[0]!.update, fifty.at(-1)!.update], [25, 2, 50]);
    const runs = await trainOnVerifiers(1, 7);
    assert.deepEqual(Object.keys(runs), Object.keys(verifiers));
    assert.match(drawVerifiers(runs).summary, /^Training on the word of a verifier, 1 seeds\./);
  });
});

describe("the figures of the lesson on the reward signal", () => {
  it("room to cheat: a point where all best agents score alike, a bar where they do not", () => {
    const chart = drawRoomToCheat({ outcome: { J: 1, low: 1, high: 1 }, proxy: { J: 1, low: 0, high: 1 } });
    assert.equal(
      chart.summary,
      "True score of the agents that are best for each reward. outcome: 1.00 to 1.00; proxy: 0.00 to 1.00.",
    );
    assert.match(JSON.stringify(chart.spec), /"reward":"outcome","low":1,"high":1,"is":"all alike"/);
    assert.match(JSON.stringify(chart.spec), /"reward":"proxy","low":0,"high":1,"is":"anything between"/);
    assert.throws(() => drawRoomToCheat({}), {
      message: "Cannot draw optima: there must be a reward, got none.",
    });
  });

  const climb: StoredRecord[] = [0, 1].flatMap((seed) => [
    { arm: "proxy", seed, update: 20, paid: 0.5, score: 0.6, kl: 0.1 },
    { arm: "proxy", seed, update: 40, paid: 0.9, score: 0.2 + seed * 0.4, kl: 0.3 },
  ]);

  it("Goodhart's curve: means over the seeds, and a dot where each of them ends", () => {
    const chart = drawGoodhart(climb);
    assert.match(chart.summary, /the proxy goes from 0\.500 at 20 to 0\.900 at 40/);
    // (.2 + .6) / 2 = .4, where no seed is.
    assert.match(chart.summary, /the true score goes from 0\.600 at 20 to 0\.400 at 40/);
    const spec = JSON.stringify(chart.spec);
    assert.match(spec, /"y":0\.2,/);
    assert.match(spec, /"y":0\.6000000000000001,/);
  });

  it("distance: the score by growing KL, whichever came first", () => {
    const arms = ["outcome", "proxy", "proxy, exact KL .1", "proxy, k3 .1"];
    const rows = arms.flatMap((arm) => climb.map((row) => ({ ...row, arm, kl: 1 - Number(row["kl"]) })));
    assert.match(drawDistance(rows).summary, /paid for the proxy goes from 0\.400 at 0\.7 to 0\.600 at 0\.9/);
  });

  it("who pays: a panel for each reward, a row for each credit", () => {
    const rows = ["outcome", "checklist"].flatMap((reward) =>
      ["trajectory", "reward"].map((credit) => ({ world: "Calculator-v0", reward, credit, score: 0.25 })),
    );
    const { summary } = drawWhoPays(rows, ["outcome", "checklist"]);
    assert.match(summary, /paid by outcome, credit: the whole return: 0\.250/);
    assert.match(summary, /paid by checklist, credit: the turn's own reward: 0\.250/);
  });

  it("the curriculum: a line for each choice of levels", () => {
    const rows = ["adaptive", "uniform", "hardest only"].flatMap((arm, i) =>
      [10, 20].map((update) => ({ arm, seed: 0, update, hardest: (i * update) / 100 })),
    );
    assert.match(drawCurriculum(rows).summary, /uniform goes from 0\.100 at 10 to 0\.200 at 20/);
  });

  it("the slide to take along tells both marks of each reward", () => {
    const chart = drawPaidAndTrue([{ reward: "proxy", paid: 0.9, score: 0.5 }]);
    assert.match(chart.summary, /At the end of training, proxy: paid 0\.90, true 0\.50\.$/);
  });
});
