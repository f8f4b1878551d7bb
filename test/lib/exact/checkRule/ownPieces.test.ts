import assert from "node:assert/strict";
import { checkRule, custom, groupAdvantage, recipe, type Recipe } from "turnwise";
import { cosineOf } from "./cosineOf.js";

/** Own functions that do what a built-in value does, beside the row whose card they must match in its figures. */
const right: readonly (readonly [what: string, own: Recipe, like: Recipe])[] = [
  [
    "a group mean",
    recipe("drGrpo", {
      advantage: custom("my mean", (b) =>
        groupAdvantage(b.return_n, b.groupId as unknown as ArrayLike<number>, {
          baseline: "mean",
          scale: "none",
        }),
      ),
    }),
    recipe("drGrpo"),
  ],
  [
    "a clip",
    recipe("grpo", {
      gate: custom("my clip", {
        objective: ({ ratio: r, advantage: A }) => Math.min(r * A, Math.min(Math.max(r, 0.8), 1.2) * A),
      }),
    }),
    recipe("grpo"),
  ],
  [
    "a mean over tokens",
    recipe("loop", { aggregate: custom("my tokens", ({ tokens }) => 1 / tokens) }),
    recipe("loop"),
  ],
  [
    "a whitened batch",
    recipe("reinforcePlusPlus", {
      scale: custom("my batch", (A) => {
        const mean = A.reduce((a, b) => a + b, 0) / A.length;
        const std = Math.sqrt(A.reduce((sum, a) => sum + (a - mean) ** 2, 0) / A.length);
        return A.map((a) => (a - mean) / (std + 1e-6));
      }),
    }),
    recipe("reinforcePlusPlus"),
  ],
  [
    "a KL",
    recipe("grpo", {
      regularizer: { custom: custom("my k2", (t) => 0.05 * (t.logProb - t.oldLogProb) ** 2) },
    }),
    recipe("grpo", { regularizer: { klOld: { coef: 0.1, estimator: "k2" } } }),
  ],
  [
    "a filter of equal rewards",
    recipe("grpo", {
      filter: custom("my filter", (groups) => groups.filter(({ deviation }) => deviation > 0)),
    }),
    recipe("grpo", { filter: "zeroVariance" }),
  ],
  [
    "an order from the last turn to the first",
    recipe("seeUpo", { order: custom("my order", (turns) => [...turns].reverse()) }),
    recipe("seeUpo"),
  ],
];

describe("checkRule() on own functions that are right", () => {
  for (const [what, own, like] of right) {
    it(`finds no fault in ${what}, and the figures of the built-in value`, () => {
      const card = checkRule(own);
      assert.deepEqual(card.failed, [], String(card));
      assert.ok(card.toJSON().own.length === 1);
      assert.deepEqual(cosineOf(card), cosineOf(checkRule(like)));
    });
  }

  it("lets CISPO pass, whose weight is behind a stop-gradient", () => {
    const card = checkRule(
      recipe("grpo", {
        gate: {
          by: custom("cispo", {
            objective: ({ ratio, advantage, logProb }) => Math.min(ratio, 1.28) * advantage * logProb,
          }),
          through: "logProb",
        },
      }),
    );
    assert.deepEqual(card.failed, [], String(card));
    assert.match(card.of("push").sentence, /at a ratio of e\^±0\.3/);
  });

  it("lets CISPO on tensors pass, too, and finds that its stop-gradient is missing", () => {
    const cispo = checkRule(
      recipe("grpo", {
        gate: custom("cispo on tensors", (tf, { ratio, advantage, logProb, stopGradient }) =>
          tf.mul(tf.mul(stopGradient(tf.minimum(ratio, 1.28)), advantage), logProb),
        ),
      }),
    );
    assert.deepEqual(cispo.failed, [], String(cispo));
    const open = checkRule(
      recipe("grpo", {
        gate: custom("open weight", (tf, { ratio, advantage, logProb }) =>
          tf.mul(tf.mul(tf.minimum(ratio, 1.28), advantage), logProb),
        ),
      }),
    );
    assert.deepEqual([open.failed, open.noted], [["push"], ["expected update"]]);
  });

  it("lets an advantage go by ranks, thresholds or powers: a bad idea is noted, and is no fault", () => {
    const softer = checkRule(
      recipe("rloo", {
        advantage: custom("risk", (b, { groups }) => {
          const power = Array.from(b.return_n, Math.exp);
          return power.map((x, n) => {
            const mates = groups.find((members) => members.includes(n))!;
            return x - mates.reduce((sum, m) => sum + power[m]!, 0) / mates.length;
          });
        }),
      }),
    );
    assert.deepEqual(softer.failed, [], String(softer));
    // Everybody's 1 more multiplies e^R by e: e - 1 of the size, and no other direction.
    const { figures } = softer.of("rewards");
    assert.ok(Math.abs(figures["change by a shift of 1"]! - (Math.E - 1)) < 1e-9);
    assert.ok(figures["of it in another direction"]! < 1e-6);
    const ranks = checkRule(
      recipe("rloo", {
        advantage: custom("ranks", (b, { groups }) =>
          b.return_n.map((R, n) => {
            const mates = groups.find((members) => members.includes(n))!.map((m) => b.return_n[m]!);
            return mates.filter((x) => x < R).length - mates.filter((x) => x > R).length;
          }),
        ),
      }),
    );
    assert.deepEqual([ranks.failed, ranks.noted, ranks.passed], [[], ["expected update"], true]);
    assert.match(
      String(ranks),
      /^RLOO with "ranks": no fault found; look at: expected update\n.*\n[^✗]*^! expected update/m,
    );
    assert.match(ranks.of("expected update").hint!, /climbs something else than the mean return/);
  });

  it("says of a rule that descends the mean return on average that it does, also where another game looks better", () => {
    const advantage = (value: (R: number, turns: number) => number): Recipe =>
      recipe("rloo", {
        advantage: custom("mine", (b, { groups }) => {
          const A_n = Array.from(b.return_n, () => 0);
          for (const group of groups) {
            const values = group.map((n) => value(b.return_n[n]!, b.turnCount_n[n]!));
            const mean = values.reduce((sum, x) => sum + x, 0) / group.length;
            group.forEach((n, k) => (A_n[n] = values[k]! - mean));
          }
          return A_n;
        }),
      });
    // Short trajectories at any price: a little against the gradient, which may be meant.
    const short = checkRule(advantage((R, turns) => R - 8 * turns));
    assert.deepEqual([short.failed, short.noted], [[], ["expected update"]]);
    const { sentence, hint, figures } = short.of("expected update");
    assert.ok(figures["cosine, look up"]! < 0 && figures["cosine, look up"]! > -0.5);
    assert.match(
      sentence,
      /^On "look up" .* cosine -0\.\d+ .*\. A cosine below 0 means that on average a small step lowers the mean return\.$/,
    );
    assert.match(
      hint!,
      /^Every built-in rule ascends there\. Unless the rule is meant to climb something else/,
    );
    // In two jobs every trajectory has two turns: there it is the gradient turned round.
    const turned = checkRule(advantage((R, turns) => (turns === 1 ? 4 * R : -R)));
    assert.ok(turned.failed.includes("expected update"));
    assert.match(turned.of("expected update").sentence, /^On "two jobs" .* cosine -1 /);
  });

  it("says of a rule that never moves that it does not", () => {
    const still = checkRule(recipe("rloo", { advantage: custom("still", (b) => b.return_n.map(() => 0)) }));
    assert.match(still.of("expected update").hint!, /^On average it does not move there/);
  });

  it("tells the cosine of an own advantage that divides by the deviation, as it is no fault", () => {
    const card = checkRule(
      recipe("grpo", {
        scale: "none",
        advantage: custom("mine", (b) =>
          groupAdvantage(b.return_n, b.groupId as unknown as ArrayLike<number>, {
            baseline: "mean",
            scale: "group",
          }),
        ),
      }),
    );
    assert.deepEqual(card.failed, []);
    assert.deepEqual(cosineOf(card), cosineOf(checkRule("grpo")));
  });

  it("says that an own reward is one, and judges it by the exact gradient", () => {
    const turned = recipe("rloo", {
      reward: { custom: custom("minus twice", (b) => Array.from(b.return_n, (R) => -2 * R)) },
    });
    assert.ok(checkRule(turned).failed.includes("expected update"));
  });

  it("asks an order that leaves a turn out", () => {
    const card = checkRule(recipe("seeUpo", { order: custom("first only", () => [0]) }));
    assert.deepEqual([card.failed, card.noted], [[], ["expected update"]]);
  });

  it("asks a function again at the end, and says what it remembers", () => {
    let calls = 0;
    // The first calls of a function are tried at once; this one changes its mind later.
    const anneal = custom.advantage("annealed", (b, { groups }) => {
      calls++;
      const A_n = Array.from(b.return_n, () => 0);
      for (const group of groups) {
        const mean = group.reduce((sum, n) => sum + b.return_n[n]! / group.length, 0);
        for (const n of group) A_n[n] = (calls > 40 ? 0.5 : 1) * (b.return_n[n]! - mean);
      }
      return A_n;
    });
    const card = checkRule(recipe("drGrpo", { advantage: anneal }));
    assert.ok(calls > 40 && card.failed.includes("repeats"), String(card));
    assert.match(card.of("repeats").sentence, /^Asked again after all other checks, it gives other numbers/);
    assert.match(card.of("repeats").hint!, /remembers its calls, in a variable outside of itself/);
    assert.equal(checkRule("drGrpo").of("repeats").verdict, "passed");
  });
});
