// Uses internals of turnwise/batch.
import assert from "node:assert/strict";
import fc from "fast-check";
import { type Batch, advantages, recipe, recipeNames, surrogateGradient } from "turnwise";
import { selectTrajectories } from "turnwise/internal/batch/select";
import { choosesTokens } from "turnwise/internal/rule/surrogate/chosenTokens";
import { tokenWeights } from "turnwise/internal/rule/index";
import { gate } from "turnwise/internal/rule/gate/gate";
import { gateOf } from "turnwise/internal/rule/gate/index";
import { assertSame, gradientOf, sampled } from "./sampled";
import { assertClose, batchOf, draws, raggedInput } from "./support";

const noRegularizer = { klReference: null, entropyCoef: 0, clippingTriggered: "off" } as const;

describe("equivalences between recipes", () => {
  it("GSPO on trajectories of one token is the clipped token ratio of PPO", () => {
    const data = sampled({ turns: [1, 1, 1, 1], tokens: 1 });
    const gspo = recipe("gspo", { gate: { clipLow: 0.2, clipHigh: 0.2 } });
    assertSame(gradientOf(data, gspo), gradientOf(data, recipe("grpo")));
  });

  it("SeeUPO with one turn is GSPO with the same normalization and clip", () => {
    const data = sampled({ turns: [1, 1, 1, 1] });
    const seeUpo = recipe("seeUpo", { variant: "authors", regularizer: noRegularizer });
    const gspo = recipe("gspo", {
      advantage: seeUpo.advantage,
      scale: seeUpo.scale,
      gate: { clipLow: 0.2, clipHigh: 0.2 },
    });
    assertSame(gradientOf(data, seeUpo, undefined, [0]), gradientOf(data, gspo));
  });

  it("SeeUPO in theory with one turn of one token is Dr. GRPO up to its constant", () => {
    const data = sampled({ turns: [1, 1, 1, 1], tokens: 1 });
    const drGrpo = recipe("drGrpo", { aggregate: { length: 1 } });
    assertSame(gradientOf(data, recipe("seeUpo"), undefined, [0]), gradientOf(data, drGrpo));
  });

  it("HAPPO with one agent and the same whitening is PPO", () => {
    const data = sampled({ turns: [1, 1, 1, 1], tokens: 1 });
    const values = [0.5, -0.25, 0.125, 1];
    const ppo = recipe("ppo", { scale: recipe("happo").scale });
    assertSame(gradientOf(data, recipe("happo"), values, [0]), gradientOf(data, ppo, values));
  });

  it("HAPPO's factor outside the min is the factor times the advantage inside it", () => {
    const positive = fc.double({ min: 1e-3, max: 50, noNaN: true });
    const advantage = fc.double({ min: -5, max: 5, noNaN: true });
    fc.assert(
      fc.property(positive, positive, advantage, (factor, ratio, a) => {
        const choice = { kind: "clip", clipLow: 0.2, clipHigh: 0.2 } as const;
        const outside = factor * gate(choice, ratio, a).objective;
        assertClose([gate(choice, ratio, factor * a).objective], [outside], 1e-12);
      }),
    );
  });

  it("RLOO is G / (G - 1) times REINFORCE with the group's own mean", () => {
    const data = sampled({});
    const centered = gradientOf(data, recipe("reinforce", { advantage: "mean" }));
    const doubled = {
      ...centered,
      loss: 2 * centered.loss,
      dLogProb_ntl: centered.dLogProb_ntl.map((x) => 2 * x),
    };
    assertSame(gradientOf(data, recipe("rloo")), doubled);
  });

  it("Tree-GRPO without forks is GRPO with its KL term, and so is ARPO without one", () => {
    const data = sampled({});
    const tree = recipe("treeGrpo", { regularizer: noRegularizer });
    const grpo = recipe("grpo", { aggregate: "tokenMean" });
    assertSame(gradientOf(data, tree), gradientOf(data, grpo));
    assertSame(gradientOf(data, recipe("arpo")), gradientOf(data, grpo));
  });

  it("Tree-GRPO with one tree for each group is twice GRPO, inside the clip", () => {
    const data = sampled({ spread: 0.01 });
    const { batch } = data;
    const fork_n = batch.trajectoryId.map((_, n) => {
      const tree = batch.trajectoryId[n - (n % 2)]!;
      return n % 2 === 0 ? null : { tree, parent: tree, turn: 0 };
    });
    const forked = { ...data, batch: { ...batch, fork_n } };
    const once = gradientOf(data, recipe("grpo", { aggregate: "tokenMean" }));
    const twice = { ...once, loss: 2 * once.loss, dLogProb_ntl: once.dLogProb_ntl.map((x) => 2 * x) };
    assertSame(gradientOf(forked, recipe("treeGrpo", { regularizer: noRegularizer })), twice);
  });

  it("AT²PO without forks is GRPO with one ratio a turn", () => {
    const data = sampled({ spread: 0.01 });
    const { ratio, gate } = recipe("at2po");
    const grpo = recipe("grpo", { ratio, gate, scale: { unbiased: false } });
    assertSame(gradientOf(data, recipe("at2po")), gradientOf(data, grpo));
  });

  it("GiGPO with weight 0 is GRPO without the standard deviation", () => {
    const data = sampled({});
    const gigpo = recipe("gigpo", { advantage: { weight: 0 }, regularizer: noRegularizer });
    const grpo = recipe("grpo", { scale: "none", aggregate: "tokenMean" });
    assertSame(gradientOf(data, gigpo), gradientOf(data, grpo));
  });

  it("SO-PPO with one-token turns and no clipping-triggered normalization is PPO", () => {
    const data = sampled({ tokens: 1 });
    const values = [0.5, -0.25, 0, 0.125, 1, 0.75, 0.5, 0, 0, -1, 0.25, 0.5];
    const soPpo = recipe("soPpo", { regularizer: noRegularizer, aggregate: "tokenMean" });
    assertSame(gradientOf(data, soPpo, values), gradientOf(data, recipe("ppo"), values));
  });

  it("the first inner step of PPO with lambda 1 and values 0 is REINFORCE", () => {
    const data = sampled({ spread: 0 });
    const ppo = gradientOf(data, recipe("ppo", { scale: "none" }), new Float64Array(12));
    const reinforce = gradientOf(data, recipe("reinforce", { aggregate: "tokenMean" }));
    assertClose(ppo.dLogProb_ntl, reinforce.dLogProb_ntl, 1e-12);
    assert.ok(reinforce.dLogProb_ntl.some((x) => x !== 0));
  });

  it("SAPO at ratio 1 has the gradient of REINFORCE, whatever its temperatures", () => {
    const data = sampled({ spread: 0 });
    const reinforce = recipe("reinforce", {
      advantage: "mean",
      scale: "group",
      aggregate: "sequenceMeanTokenMean",
    });
    for (const tau of [0.5, 1, 3]) {
      const sapo = recipe("sapo", { gate: { tauPositive: tau, tauNegative: 2 * tau } });
      assertClose(gradientOf(data, sapo).dLogProb_ntl, gradientOf(data, reinforce).dLogProb_ntl, 1e-12);
    }
  });

  it("GSPO's token form, with the sequence ratio's gradient stopped, has the gradient of its sequence form", () => {
    const data = sampled({ spread: 0.005 });
    const { input, batch } = data;
    const row = recipe("gspo");
    const { advantage_ntl } = advantages(batch, row);
    const [N, T, L] = batch.shape;
    const cells = (n: number): number[] =>
      Array.from({ length: T * L }, (_, k) => n * T * L + k).filter((i) => batch.mask_ntl[i] === 1);
    // Token form: s_j = stop(s) * pi_j / stop(pi_j); the loss as a function of pi_j alone.
    const tokenForm = (logProb: Float64Array): number => {
      let sum = 0;
      for (let n = 0; n < N; n++) {
        const own = cells(n);
        const s = Math.exp(
          own.reduce((d, i) => d + input.logProb_ntl[i]! - input.oldLogProb_ntl[i]!, 0) / own.length,
        );
        for (const i of own) {
          const ratio = s * Math.exp(logProb[i]! - input.logProb_ntl[i]!);
          sum -= gate(row.gate, ratio, advantage_ntl[i]!).objective / own.length / N;
        }
      }
      return sum;
    };
    const h = 1e-7;
    const numeric = input.logProb_ntl.map((_, i) => {
      const at = (step: number): number =>
        tokenForm(input.logProb_ntl.map((x, j) => (j === i ? x + step : x)));
      return (at(h) - at(-h)) / (2 * h);
    });
    const closed = surrogateGradient({ ...input, advantage_ntl }, row);
    assertClose(numeric, closed.dLogProb_ntl, 1e-7);
    const { metrics } = closed;
    assert.ok(
      metrics["policy/clipFracLow"]! + metrics["policy/clipFracHigh"]! > 0,
      "some sequence is clipped",
    );
    assert.ok(
      closed.dLogProb_ntl.some((x) => x !== 0),
      "and some is not",
    );
  });
});

describe("the loss of a batch", () => {
  const next = draws(5);
  const shapes = fc.record({
    n: fc.integer({ min: 1, max: 5 }),
    t: fc.integer({ min: 1, max: 4 }),
    l: fc.integer({ min: 1, max: 4 }),
    seed: fc.integer({ min: 1, max: 1e6 }),
    name: fc.constantFrom(...recipeNames),
  });

  it("is the sum over micro-batches that share the batch's token weights, for any ragged batch and recipe that judges tokens one by one", () => {
    fc.assert(
      fc.property(shapes, ({ n, t, l, seed, name }) => {
        const row = recipe(name);
        // Whom such a row leaves out or charges depends on the other tokens of its batch.
        if (choosesTokens(row)) return;
        // Where tokens are compared with each other, a micro-batch is judged by itself: it says so, and has a test of its own.
        fc.pre(!gateOf(row.gate).comparesTokens);
        const whole = raggedInput(seed, [n, t, l]);
        const weight_ntl = tokenWeights(whole.shape, whole.mask_ntl, row.aggregate);
        const all = surrogateGradient(whole, row);
        const parts = Array.from({ length: n }, (_, k) => {
          const of = <A extends Float64Array | Uint8Array>(x: A): A =>
            x.slice(k * t * l, (k + 1) * t * l) as A;
          return surrogateGradient(
            {
              shape: [1, t, l],
              logProb_ntl: of(whole.logProb_ntl),
              oldLogProb_ntl: of(whole.oldLogProb_ntl as Float64Array),
              refLogProb_ntl: of(whole.refLogProb_ntl as Float64Array),
              entropy_ntl: of(whole.entropy_ntl as Float64Array),
              advantage_ntl: of(whole.advantage_ntl),
              mask_ntl: of(whole.mask_ntl),
              weight_ntl: of(weight_ntl),
            },
            row,
          );
        });
        assertClose([parts.reduce((sum, part) => sum + part.loss, 0)], [all.loss], 1e-10, name);
        assertClose(
          parts.flatMap((part) => [...part.dLogProb_ntl]),
          all.dLogProb_ntl,
          1e-12,
          name,
        );
      }),
      { numRuns: 200 },
    );
  });

  it("does not depend on the order of the rows, and the gradient moves with them", () => {
    fc.assert(
      fc.property(shapes, ({ n, t, l, seed, name }) => {
        const row = recipe(name);
        const whole = raggedInput(seed, [n, t, l]);
        const order = Array.from({ length: n }, (_, k) => k).sort(() => next() - 0.5);
        const moved = <A extends ArrayLike<number>>(x: A): Float64Array =>
          Float64Array.from(order.flatMap((k) => Array.from({ length: t * l }, (_, j) => x[k * t * l + j]!)));
        const straight = surrogateGradient(whole, row);
        const shuffled = surrogateGradient(
          {
            shape: whole.shape,
            logProb_ntl: moved(whole.logProb_ntl),
            oldLogProb_ntl: moved(whole.oldLogProb_ntl),
            refLogProb_ntl: moved(whole.refLogProb_ntl),
            entropy_ntl: moved(whole.entropy_ntl),
            advantage_ntl: moved(whole.advantage_ntl),
            mask_ntl: moved(whole.mask_ntl),
          },
          row,
        );
        assertClose([shuffled.loss], [straight.loss], 1e-10, name);
        assertClose(shuffled.dLogProb_ntl, moved(straight.dLogProb_ntl), 1e-12, name);
      }),
      { numRuns: 200 },
    );
  });

  it("does not depend on the order of the rows from the rewards on, for every recipe", () => {
    const groupId = ["a", "b", "a", "b", "b", "a"];
    const return_n = [1, 0, 0.5, 2, -1, 0.25];
    const batch: Batch = {
      ...batchOf({ groupId, return_n, turnCount: [1, 3, 2, 2, 3, 1], tokens: 2 }),
      agentId_nt: groupId.map(() => ["x", "x", "x"]),
    };
    const value_nt = Array.from({ length: 18 }, (_, k) => Math.sin(k));
    const order = [4, 2, 0, 5, 1, 3];
    const square_n = [0.5, 2, 1, 0.25, 3, 1.5];
    for (const name of recipeNames) {
      const row = recipe(name);
      const ref_ntl = Float64Array.from({ length: 36 }, (_, k) => Math.cos(k));
      // A vocabulary of two for each cell.
      const whole_ntlv = Float64Array.from({ length: 72 }, (_, k) => -1 - Math.sin(k) ** 2);
      const straight = advantages(batch, row, value_nt, ref_ntl, {
        oldLogProb_ntlv: whole_ntlv,
        gradientSquare_n: square_n,
      }).advantage_ntl;
      const values = order.flatMap((n) => value_nt.slice(3 * n, 3 * n + 3));
      const refs = order.flatMap((n) => [...ref_ntl.slice(6 * n, 6 * n + 6)]);
      const wholes = order.flatMap((n) => [...whole_ntlv.slice(12 * n, 12 * n + 12)]);
      const shuffled = advantages(selectTrajectories(batch, order), row, values, refs, {
        oldLogProb_ntlv: wholes,
        gradientSquare_n: order.map((n) => square_n[n]!),
      }).advantage_ntl;
      assertClose(
        shuffled,
        order.flatMap((n) => [...straight.slice(6 * n, 6 * n + 6)]),
        1e-10,
        name,
      );
      assert.ok(
        straight.some((a) => a !== 0),
        name,
      );
    }
  });
});
