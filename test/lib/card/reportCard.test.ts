import assert from "node:assert/strict";
import { createPolicy, make, recipe, recipeNames, reportCard, type Env, type Recipe } from "turnwise";

import { cardWorlds } from "turnwise/internal/card/worlds";
import type { CardRecord } from "turnwise/internal/card/figures";
import type { ReportCardOptions } from "turnwise/internal/card/settings";
import { figureNames } from "turnwise/internal/card/tally";
import { twoArms } from "turnwise/internal/card/worlds";

const near = (actual: number, expected: number, tolerance = 1e-9, what = ""): void => {
  assert.ok(Math.abs(actual - expected) <= tolerance, `${what} ${actual}, expected ${expected}`);
};
const value = (record: CardRecord, name: (typeof figureNames)[number]): number => record[name].value;

/** One setting, enumerated. */
async function at(row: Recipe | (typeof recipeNames)[number], o: ReportCardOptions): Promise<CardRecord> {
  const point = { groupSizes: [2], staleness: [0], mismatch: [0] };
  const { records } = await reportCard(row, { ...point, ...o });
  assert.equal(records.length, 1);
  return records[0]!;
}

/** The logits of seed 0 on two arms, and P(the arm that pays). */
function drawn(env: Env): { p: number; logits: readonly number[] } {
  const policy = createPolicy(env.spec, { initialScale: 1, seed: 0 });
  const context = policy.contextOf({ observations: [env.reset({ seed: 0 })[0]], actions: [] });
  const logits = policy.nextTokenLogProb(context, []);
  return { p: Math.exp(logits[0]!), logits: [...logits] };
}

describe("the report card on two arms, of which one pays 1", () => {
  const env = twoArms();
  const worlds = [{ env }];
  const { p } = drawn(env);
  const q = 1 - p;

  for (const G of [1, 2, 5]) {
    it(`gives REINFORCE the figures that one works out by hand, with ${G} trajectories`, async () => {
      // g = 1/G sum R (e_a - pi): (q, -q) for each win, 0 for each loss. With w wins: w/G (q, -q).
      const record = await at("reinforce", { worlds, groupSizes: [G] });
      assert.equal(record.method, "enumerated");
      assert.equal(record.batches, G + 1);
      near(value(record, "bias"), 0);
      near(value(record, "scale"), 1);
      near(value(record, "expectedCosine"), 1);
      // Each of both parameters: Var(w) q^2 / G^2 = p q^3 / G.
      near(value(record, "variance"), (p * q ** 3) / G);
      // |E g|^2 = 2 p^2 q^2, total variance 2 p q^3 / G.
      near(value(record, "signalToNoise"), (p * G) / q);
      near(value(record, "silent"), q ** G);
      near(value(record, "cosine"), 1);
      near(value(record, "wrongSign"), 0);
      near(value(record, "wrongSignBatch"), 0);
      // What moves at all moves along the gradient.
      near(value(record, "gain"), 1 - q ** G);
      near(value(record, "falls"), 0);
    });
  }

  it("gives RLOO with pairs the figures that one works out by hand", async () => {
    // Unequal pairs, of probability 2 p q, give (1/2, -1/2); equal ones give 0.
    const record = await at("rloo", { worlds });
    near(value(record, "scale"), 1);
    near(value(record, "bias"), 0);
    near(value(record, "variance"), (p * q) / 2 - (p * q) ** 2);
    near(value(record, "silent"), 1 - 2 * p * q);
    near(value(record, "gain"), 2 * p * q);
  });

  it("gives GRPO with pairs a scale of 1 / sqrt 2", async () => {
    // (1 - 1/2) / std = .5 / sqrt(.5), where RLOO has 1.
    const record = await at("grpo", { worlds });
    near(value(record, "scale"), Math.SQRT1_2, 1e-3);
    near(value(record, "bias"), 0);
  });

  it("judges dynamic sampling on the groups that it keeps: each of DAPO's pairs is unequal and moves", async () => {
    const record = await at("dapo", { worlds });
    near(value(record, "silent"), 0);
    near(value(record, "gain"), 1);
    near(value(record, "variance"), 0);
  });

  it("knows what trajectories of an old policy are worth to a rule without a ratio", async () => {
    // E g = sum p_old (R - V_old) grad log pi = p_old q_old (1, -1), whatever pi is; the exact gradient has p q.
    const record = await at("rloo", { worlds, staleness: [3], step: 0.5 });
    // Each step of length .5 along (1, -1) / sqrt 2 moves the difference of logits by sqrt(2) / 2.
    const odds = (p / q) * Math.exp(3 * Math.SQRT1_2);
    const now = odds / (1 + odds);
    near(value(record, "scale"), (p * q) / (now * (1 - now)));
  });
});

describe("the report card", function () {
  this.timeout(60_000);

  for (const world of ["recovery", "stopOrGo"]) {
    for (const G of [2, 4]) {
      it(`finds REINFORCE and RLOO unbiased, exactly, on ${world} in groups of ${G}`, async () => {
        for (const name of ["reinforce", "rloo"] as const) {
          const record = await at(name, { worlds: [world], groupSizes: [G] });
          assert.equal(record.method, "enumerated");
          near(value(record, "bias"), 0, 1e-7, name);
          near(value(record, "scale"), 1, 1e-9, name);
          near(value(record, "wrongSign"), 0);
        }
      });
    }
  }

  it("finds the division by the group's standard deviation biased where there are three returns, and not where there are two", async () => {
    const scaled = recipe("rloo", { advantage: "mean", scale: "group" });
    const two = await at(scaled, { worlds: ["recovery"], groupSizes: [4] });
    const four = await at(scaled, { worlds: ["stopOrGo"], groupSizes: [4] });
    near(value(two, "bias"), 0, 1e-7);
    assert.ok(value(four, "bias") > 0.005, `${value(four, "bias")}`);
    assert.ok(value(four, "expectedCosine") < 1 - 1e-5);
  });

  it("agrees with a plain computation of GRPO without std, every pair and every step by hand", async () => {
    const row = recipe("drGrpo", { update: { epochs: 1, minibatches: 1, optimizer: { learningRate: 0.1 } } });
    const record = await at(row, { worlds: ["recovery"], step: 0.25 });
    const world = cardWorlds.find(({ name }) => name === "recovery")!;
    const env = world.env(2);
    const policy = createPolicy(env.spec, { ...world.policy, seed: 0 });
    // The table of the first state comes first, then that of the mistake: [GOOD, BAD, RECOVER, GIVE-UP].
    const seen = (turn: number, token: number): Float64Array => {
      const observations = [
        { tokens: [2], text: "start" },
        { tokens: [3], text: "mistake" },
      ].slice(0, turn + 1);
      return policy.nextTokenLogProb(
        policy.contextOf({ observations, actions: turn === 0 ? [] : [[token]] }),
        [],
      );
    };
    const logits = [...seen(0, 1), ...seen(1, 1)];
    const softmax = ([a, b]: number[]): number[] => [
      1 / (1 + Math.exp(b! - a!)),
      1 / (1 + Math.exp(a! - b!)),
    ];
    const J = (x: readonly number[]): number =>
      softmax(x.slice(0, 2))[0]! + softmax(x.slice(0, 2))[1]! * softmax(x.slice(2))[0]!;
    const [good, bad] = softmax(logits.slice(0, 2)) as [number, number];
    const [recover, giveUp] = softmax(logits.slice(2)) as [number, number];
    const paths = [
      { p: good, R: 1, score: [1 - good, -bad, 0, 0] },
      { p: bad * recover, R: 1, score: [-good, 1 - bad, 1 - recover, -giveUp] },
      { p: bad * giveUp, R: 0, score: [-good, 1 - bad, -recover, 1 - giveUp] },
    ];
    const add = (x: readonly number[], y: readonly number[], s: number): number[] =>
      x.map((v, i) => v + s * y[i]!);
    const norm = (x: readonly number[]): number => Math.hypot(...x);
    const gradient = paths.reduce((sum, { p, R, score }) => add(sum, score, p * R), [0, 0, 0, 0]);
    const best = J(add(logits, gradient, 0.25 / norm(gradient))) - J(logits);
    let expected = [0, 0, 0, 0];
    let squares = 0;
    let [gain, falls, own] = [0, 0, 0];
    for (const one of paths) {
      for (const other of paths) {
        const w = one.p * other.p;
        const A = (one.R - other.R) / 2;
        // 1 / (N L_max) = 1 / (2 trajectories x 2 turns).
        const g = add(one.score, other.score, -1).map((x) => (A * x) / 4);
        expected = add(expected, g, w);
        squares += w * norm(g) ** 2;
        if (norm(g) === 0) continue;
        const moved = J(add(logits, g, 0.25 / norm(g))) - J(logits);
        gain += w * moved;
        if (moved < 0) falls += w;
        // Adam's first step: the learning rate along each sign.
        own += w * (J(logits.map((x, i) => x + (0.1 * g[i]!) / (Math.abs(g[i]!) + 1e-8))) - J(logits));
      }
    }
    const along = expected.reduce((sum, x, i) => sum + x * gradient[i]!, 0);
    const scale = along / norm(gradient) ** 2;
    near(value(record, "scale"), scale);
    near(
      value(record, "bias"),
      norm(
        add(
          expected.map((x) => x / scale),
          gradient,
          -1,
        ),
      ) / norm(gradient),
      1e-7,
    );
    near(value(record, "variance"), (squares - norm(expected) ** 2) / 4);
    near(value(record, "gain"), gain / best);
    near(value(record, "falls"), falls);
    near(value(record, "ownChange"), own, 1e-7);
  });

  it("samples what it can also enumerate, within its standard errors", async () => {
    const rows = ["grpo", "gspo", "seeUpoAuthors"] as const;
    const o = { worlds: ["stopOrGo"], groupSizes: [4], staleness: [1], mismatch: [0] };
    const exact = (await reportCard(rows, o)).records;
    const sampled = (await reportCard(rows, { ...o, enumerate: 0, batches: 600 })).records;
    exact.forEach((record, r) => {
      for (const name of [
        "scale",
        "variance",
        "cosine",
        "gain",
        "falls",
        "ownChange",
        "silent",
        "wrongSignBatch",
      ] as const) {
        const { value: mean, error } = sampled[r]![name];
        assert.equal(record[name].error, null);
        const wide = 5 * error! + 1e-3 * Math.abs(record[name].value) + 1e-9;
        near(mean, record[name].value, wide, `${record.row} ${name}`);
      }
    });
  });

  it("takes the luck of sampled batches out of expected updates: RLOO, of which it is made, has none left", async () => {
    const o = {
      worlds: ["stopOrGo"],
      groupSizes: [4],
      staleness: [0],
      mismatch: [0],
      enumerate: 0,
      batches: 40,
    };
    const [rloo, grpo] = (await reportCard(["rloo", "grpo"], o)).records;
    near(value(rloo!, "scale"), 1);
    near(rloo!.scale.error!, 0);
    // Without it, the scale of forty batches would be off by a tenth; see `variance` and `signalToNoise`.
    const [exact] = (await reportCard("grpo", { ...o, enumerate: 100 })).records;
    assert.equal(exact!.method, "enumerated");
    near(value(grpo!, "scale"), value(exact!, "scale"), 0.05 * value(exact!, "scale"));
  });

  it("gives rules with a critic the exact values: one-step GAE is then the advantage itself", async () => {
    const row = recipe("ppo", {
      scale: "none",
      advantage: { gamma: 1, lambda: 0 },
      aggregate: { kind: "constant", length: 1 },
    });
    for (const world of ["recovery", "stopOrGo"]) {
      const record = await at(row, { worlds: [world] });
      near(value(record, "bias"), 0, 1e-7);
      near(value(record, "scale"), 1);
      const rloo = await at("rloo", { worlds: [world] });
      assert.ok(value(record, "variance") < value(rloo, "variance"));
    }
  });

  it("shows all rows the same batches", async () => {
    const rows = { first: "rloo", second: recipe("rloo") } as const;
    const { records } = await reportCard(rows, {
      worlds: ["tiger"],
      groupSizes: [4],
      staleness: [0],
      mismatch: [0.2],
      batches: 20,
    });
    const [first, second] = records;
    assert.equal(first!.method, "sampled");
    assert.deepEqual({ ...second, row: "first" }, first);
  });

  it("leaves a row without a ratio alone when log-probs disagree, but not one with a clip", async () => {
    const o = {
      worlds: ["recovery"],
      groupSizes: [4],
      staleness: [0],
      mismatch: [0, 1],
      enumerate: 0,
      batches: 50,
    };
    const { records } = await reportCard(["rloo", "gspo"], o);
    const [plain, clipped, plainOff, clippedOff] = records;
    assert.equal(value(plainOff!, "gain"), value(plain!, "gain"));
    assert.notEqual(value(clippedOff!, "gain"), value(clipped!, "gain"));
  });

  it("goes along one axis at a time, from the first values", async () => {
    const { records } = await reportCard("rloo", {
      worlds: ["stopOrGo", "recovery"],
      groupSizes: [2, 3],
      groups: [1, 2],
      staleness: [0, 1],
      mismatch: [0, 0.1],
      horizons: [2, 3],
      batches: 4,
    });
    const points = records.map((r) =>
      [r.world, r.horizon, r.groups, r.groupSize, r.staleness, r.mismatch].join(" "),
    );
    assert.deepEqual(points, [
      ...["stopOrGo 2 1 2 0 0", "stopOrGo 2 1 3 0 0", "stopOrGo 2 1 2 1 0", "stopOrGo 2 1 2 0 0.1"],
      ...["stopOrGo 2 2 2 0 0", "stopOrGo 3 1 2 0 0"],
      ...["recovery 2 1 2 0 0", "recovery 2 1 3 0 0", "recovery 2 1 2 1 0", "recovery 2 1 2 0 0.1"],
      "recovery 2 2 2 0 0",
    ]);
  });

  it("stops at a signal and keeps what is finished", async () => {
    const stop = new AbortController();
    const card = await reportCard("grpo", {
      worlds: ["recovery", "tiger"],
      groupSizes: [2],
      staleness: [0],
      mismatch: [0],
      batches: 100_000,
      enumerate: 10,
      onProgress: (done, total) => {
        assert.deepEqual([done, total], [1, 2]);
        stop.abort();
      },
      signal: stop.signal,
    });
    assert.equal(card.complete, false);
    assert.deepEqual(
      card.records.map(({ world }) => world),
      ["recovery"],
    );
    assert.match(card.toString(), /stopped before its end/);
  });

  it("gives what is finished to the kernel that stops it", async () => {
    const making = reportCard("grpo", { worlds: ["tiger"], batches: 100_000, enumerate: 0 });
    const stop = (making as unknown as Record<symbol, () => Promise<unknown>>)[Symbol.for("turnwise.stop")]!;
    const stopped = stop();
    assert.equal(await stopped, await making);
    const card = await making;
    assert.equal(card.complete, false);
    assert.equal(card.toString(), "Report card: stopped before its first setting");
  });

  const refused: readonly [what: string, o: object, message: RegExp][] = [
    [
      "an option that it does not know",
      { groupSize: [2] },
      /^Cannot make a report card[^]*Did you mean "groupSizes"\?$/,
    ],
    ["a world that it does not know", { worlds: ["recovry"] }, /got "recovry"\.\nDid you mean "recovery"\?$/],
    [
      "half a trajectory",
      { groupSizes: [2.5] },
      /^Cannot make a report card: each of groupSizes must be an integer >= 1/,
    ],
    ["no group size", { groupSizes: [] }, /groupSizes must have a value, got none\.$/],
    ["a step of no length", { step: 0 }, /step must be a number > 0, got 0\.$/],
    ["noise below zero", { mismatch: [-1] }, /each of mismatch must be a number >= 0, got -1\.$/],
  ];
  for (const [what, o, message] of refused) {
    it(`refuses ${what}`, async () => {
      await assert.rejects(reportCard("grpo", o as ReportCardOptions), { name: "RangeError", message });
    });
  }

  it("refuses a world with too many trajectories, and a card without a row", async () => {
    await assert.rejects(reportCard("grpo", { worlds: [{ env: make("Tiger-v0", { turns: 12 }) }] }), {
      name: "RangeError",
      message: /^Cannot make a report card on Tiger-v0: its trajectories must be at most 20000\. /,
    });
    await assert.rejects(reportCard([]), {
      name: "RangeError",
      message: /there must be a rule, got none\.$/,
    });
  });
});
