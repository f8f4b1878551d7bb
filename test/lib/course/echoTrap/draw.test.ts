// Uses internals of turnwise/env, turnwise/policy.
import assert from "node:assert/strict";
import {
  drawAnatomy,
  drawEcho,
  drawEstimates,
  drawOneSymptom,
  drawResponses,
  drawSteps,
  drawThreeTraps,
  drawFixes,
  firstCollapse,
  liveRun,
  storedRuns,
  type StoredRun,
} from "turnwise-course/echo-trap";
import { make } from "turnwise";
import type { EnumerableEnv } from "turnwise/internal/env/env";
import { ANSWER, type ToolChainState } from "turnwise/internal/env/toolChain";
import type { Policy } from "turnwise/internal/policy/policy";
import { measured } from "turnwise-course";
import { answersGiven } from "turnwise-course/internal/04-echo-trap/drawEcho";
import type { LiveRun } from "turnwise-course/internal/04-echo-trap/liveRun";
import { storedRun } from "../storedRun";

const run = (success: readonly number[], more: Partial<LiveRun> = {}): LiveRun => ({
  trap: "reuse",
  seed: 2,
  metrics: success.map((x, i) => ({
    "success/mean": x,
    "reward/std": i < 3 ? 0.3 : 0,
    "policy/entropy": 1 / (i + 1),
    "policy/gradNorm": 0.1,
  })),
  moved: success.map((_, i) => (i === 20 ? 50 : 1)),
  fall: null,
  saidAt: 5,
  said: [{ response: "um SEARCH 1 / um ANSWER 2", share: 0.1, meanReturn: 1 }],
  says: [{ response: "um ANSWER 1", share: 0.6, meanReturn: 0.25 }],
  echoes: [
    {
      after: 0,
      answer: [
        [0.2, 0.2, 0.2, 0.2, 0.2],
        [0, 1, 0, 0, 0],
        [0, 0, 1, 0, 0],
        [0, 0, 0, 0, 1],
      ],
    },
    {
      after: 9,
      answer: [
        [0, 1, 0, 0, 0],
        [0, 1, 0, 0, 0],
        [0, 0.5, 0.5, 0, 0],
        [0, 1, 0, 0, 0],
      ],
    },
  ],
  ...more,
});

describe("the drawings of the lesson on echo traps", () => {
  it("mark when entropy and std collapse, and the fall only where it is drawn", () => {
    // Entropy is 1 / n, below a quarter of its start from update 5 on; the std is 0 from update 4 on.
    const fallen = run(Array<number>(30).fill(1), { fall: 25 });
    assert.match(
      drawAnatomy(fallen).summary,
      /start, update 5; 2 in-group std below .05, update 4; 3 success, mean of ten updates, below 75 % of its best, update 25\.$/,
    );
    assert.match(
      drawAnatomy(fallen, { until: 20 }).summary,
      /20 updates.*update 5; 2 in-group std below .05, update 4\.$/,
    );
  });

  it("mark the longest move before a fall, and none where there is no fall or it came at once", () => {
    const values = Array<number>(30).fill(1);
    assert.match(drawSteps(run(values, { fall: 25 })).summary, /Events: 1 the longest move, update 21\.$/);
    assert.match(drawSteps(run(values)).summary, /Events: none\.$/);
    assert.match(drawSteps(run(values, { fall: 10 })).summary, /Events: none\.$/);
  });

  it("mark where a silence before the longest move ends, unless that update makes the move", () => {
    const silent = (from: number, to: number): string => {
      const fallen = run(Array<number>(30).fill(1), { fall: 25 });
      const metrics = fallen.metrics.map((one, i) =>
        i >= from && i < to
          ? { ...one, "policy/gradNorm": 0 }
          : i === to
            ? { ...one, "policy/gradNorm": 0.03 }
            : one,
      );
      return drawSteps({ ...fallen, metrics, moved: fallen.moved.map((x, i) => (i === to ? x + 1 : x)) })
        .summary;
    };
    // The gradient of update 18 is .03 / .1 of the first, and its move twice as long.
    assert.match(
      silent(12, 17),
      /Events: 1 the gradient is back: 0\.30 times the first gradient, 2\.00 times the first move, update 18; 2 the longest move, update 21\.$/,
    );
    assert.match(silent(12, 20), /Events: 1 the longest move, update 21\.$/);
  });

  it("show which answer is given to every task at the end, and how often it was the right one", () => {
    // Right: (.2 + 1 + 1 + 0) / 4 = .55, then (0 + 1 + .5 + 0) / 4 = .375. Says 1: (.2 + 1) / 4 = .3, as 2; then 3.5 / 4 = .875.
    const { summary } = drawEcho(run([1]));
    assert.equal(
      summary,
      "At the end, 88% of all answers are 1, whatever the task. after 0: 55% right, 30% say 1; after 9: 38% right, 88% say 1.",
    );
  });

  it("count the answers of an agent that draws its words evenly, and of one that says ANSWER 1 to everything", () => {
    const env = make("ToolChain-v0") as EnumerableEnv<ToolChainState>;
    const says = (logProb: (token: number, place: number) => number): Policy =>
      ({
        contextOf: (): unknown => "anything",
        nextTokenLogProb: (_: unknown, prefix: readonly number[]) =>
          Float64Array.from({ length: 10 }, (_word, token) => logProb(token, prefix.length)),
      }) as unknown as Policy;
    const even = says(() => Math.log(0.1));
    // One turn in ten answers, one in a hundred with a given value: (1 - .9^4) / 10 in four turns.
    const each = (1 - 0.9 ** 4) / 10;
    for (const row of answersGiven(env, even)) {
      for (const share of row.slice(0, 4)) assert.ok(Math.abs(share - each) < 1e-12);
      assert.ok(Math.abs(row[4]! - (1 - 4 * each)) < 1e-12);
    }
    const echo = says((token, place) => (token === [7, ANSWER, 1][place] ? 0 : -Infinity));
    for (const row of answersGiven(env, echo)) assert.deepEqual(row, [0, 1, 0, 0, 0]);
  });

  it("say how often each answer is given, and what it earns", () => {
    assert.match(
      drawResponses(run([1, 1])).summary,
      /after 5 updates: um SEARCH 1 \/ um ANSWER 2, 10 %, reward 1\.00\. after 2 updates: um ANSWER 1, 60 %, reward 0\.25\./,
    );
  });

  it("give each cause its lever, with the success that the stored runs have", () => {
    const text = drawOneSymptom(storedRuns(measured("echo-trap"))).toString();
    assert.match(text, /A {2}reuse.*fewer steps on each batch; success 0\.69 → 0\.99/);
    assert.match(text, /B {2}cost.*no division by the std; success 0\.39 → 0\.91/);
    assert.match(text, /C {2}mismatch.*dual clip.*; success 0\.43 → 0\.94/);
  });

  it("state in their titles what happens to the run", () => {
    const success = Array.from({ length: 30 }, (_, i) => (i < 24 ? 1 : 0.5));
    const fallen = run(success, { fall: 25 });
    // Of the last ten, four are 1 and six .5.
    assert.match(
      drawAnatomy(fallen).summary,
      /^Reuse, seed 2: success falls at update 25; last ten updates: 0\.70, 30 updates/,
    );
    assert.match(
      drawAnatomy(fallen, { until: 20 }).summary,
      /^Reuse, seed 2: success is 1\.00 after 20 updates, /,
    );
    assert.match(
      drawSteps(fallen).summary,
      /^Update 21: 1\.00 times the first gradient, 50\.00 times the first move, /,
    );
    assert.match(drawSteps(run(success)).summary, /^What the gradient asked for, and what Adam did, /);
    assert.match(
      drawResponses(run([1, 1])).summary,
      /^Share of the most frequent answer: 10% after 5 updates, 60% after 2 updates, /,
    );
  });

  it("state in their titles how the stored runs end", () => {
    const runs = storedRuns(measured("echo-trap"));
    const titleOf = (rows: readonly StoredRun[], draw: (rows: readonly StoredRun[]) => { spec: unknown }) =>
      (draw(rows).spec as { readonly title: { readonly text: string } }).title.text;
    assert.equal(
      titleOf(runs, drawThreeTraps),
      "GRPO ends at 0.99 with nothing wrong, at 0.69, 0.39 and 0.43 in the traps",
    );
    assert.equal(
      titleOf(runs, drawEstimates),
      "Success ends at 0.99 with the KL itself, 0.18 with k3, 0.69 with no penalty",
    );
    const solved = runs.map((one) => ({ ...one, final: 1 }));
    assert.equal(
      titleOf(solved, drawThreeTraps),
      "GRPO ends at 1.00 with nothing wrong, at 1.00, 1.00 and 1.00 in the traps",
    );
    assert.match(titleOf(solved, drawEstimates), /^Success ends at 1\.00 .*1\.00 with k3, 1\.00 with no/);
  });

  it("show at most eight rows", () => {
    const runs = storedRuns(measured("echo-trap"));
    const rows = new Set(
      [...drawFixes(runs).summary.matchAll(/([^;.]+), [ABC]: /g)].map(([, row]) => row!.trim()),
    );
    assert.equal(rows.size, 8);
    assert.equal(drawThreeTraps(runs).summary.split(";").length, 4);
  });
});

describe("a live run", () => {
  it("keeps what each update moved, and what the agent said halfway and at the end", async () => {
    const { metrics, moved, saidAt, said, says, fall } = await liveRun({
      trap: "reuse",
      seed: 0,
      updates: 7,
    });
    assert.deepEqual([metrics.length, moved.length, saidAt, fall], [7, 7, 3, null]);
    assert.ok(moved.every((x) => x > 0));
    assert.equal(said.length, 4);
    assert.notDeepEqual(said, says);
  });

  it("of one update can be drawn", async () => {
    const one = await liveRun({ trap: "reuse", seed: 0, updates: 1 });
    for (const draw of [drawAnatomy, drawSteps, drawResponses]) assert.ok(draw(one).summary.length > 0);
  });
});

describe("firstCollapse", () => {
  it("is the lowest seed whose stored run collapsed", () => {
    const of = (seed: number, collapsed: boolean) => ({ ...storedRun({ trap: "reuse", seed }), collapsed });
    assert.equal(firstCollapse([of(7, true), of(2, false), of(4, true)], "reuse"), 4);
  });

  it("says that there must be one", () => {
    assert.throws(() => firstCollapse([{ ...storedRun({ trap: "reuse" }), collapsed: false }], "reuse"), {
      name: "RangeError",
      message:
        'Cannot find a collapse: a stored run of "A: heavy reuse under Adam" must have one, but none of 1 has.',
    });
  });
});
