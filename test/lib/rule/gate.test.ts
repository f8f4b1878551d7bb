// Uses internals of turnwise/schema.
import { gates, gateChoice, gateOf } from "turnwise/internal/rule/gate/index";
import { gate } from "turnwise/internal/rule/gate/gate";
import { group, resolve } from "turnwise/internal/schema/index";
import { recipe } from "turnwise";
import type { GateChoice } from "turnwise/internal/rule/index";
import { klEstimate, writtenOut } from "turnwise/internal/rule/regularizer/kl/index";
import { clippingTriggeredScale } from "turnwise/internal/rule/index";
import assert from "node:assert/strict";
import { assertClose, draws } from "./support";

const clip: GateChoice = { kind: "clip", clipLow: 0.2, clipHigh: 0.28 };

/** What a gate makes of many tokens at once, each a trajectory of its own. */
function together(
  choice: GateChoice,
  x: { readonly ratio: number[]; readonly advantage: number[]; readonly logProb: number[] },
): ReturnType<typeof gate>[] {
  const size = x.ratio.length;
  const [objective, slope] = [new Float64Array(size), new Float64Array(size)];
  const clipped = new Uint8Array(size);
  gateOf(choice).evaluate(choice, {
    ...{ ...x, size, objective, slope, clipped, rowSize: 1 },
    ratio: Float64Array.from(x.ratio),
    logRatio: () => x.ratio.map((r) => Math.log(r)),
    samplerLogRatio: () => x.ratio.map((r) => Math.log(r)),
    unitTokens: () => x.ratio.map(() => 1),
    standing: () => x.ratio.map(() => 0),
  });
  const bounds = ["no", "low", "high", "dual"] as const;
  return x.ratio.map((_, k) => ({
    objective: objective[k]!,
    slope: slope[k]!,
    clipped: bounds[clipped[k]!]!,
  }));
}

describe("gate", () => {
  const check = (
    choice: GateChoice,
    ratio: number,
    advantage: number,
    objective: number,
    slope: number,
  ): void => {
    const gated = gate(choice, ratio, advantage);
    assertClose([gated.objective, gated.slope], [objective, slope], 1e-7);
  };

  it("clip takes the smaller of the plain and the clipped term", () => {
    check(clip, 1.1, 2, 2.2, 2); // inside
    check(clip, 1.5, 2, 2.56, 0); // above: 1.28 * 2
    check(clip, 0.5, 2, 1, 2); // below with A > 0: the plain term is smaller
    check(clip, 0.5, -2, -1.6, 0); // below with A < 0: .8 * -2
    check(clip, 1.5, -2, -3, -2); // above with A < 0: the plain term is smaller
    check(clip, 1.5, 0, 0, 0);
  });

  it("says which bound took the gradient", () => {
    assert.equal(gate(clip, 1.5, 2).clipped, "high");
    assert.equal(gate(clip, 0.5, -2).clipped, "low");
    assert.equal(gate(clip, 0.5, 2).clipped, "no");
    assert.equal(gate({ ...clip, kind: "dualClip", dualClip: 3 }, 9, -2).clipped, "dual");
  });

  it("takes nothing at a bound itself, and nothing from an advantage of 0", () => {
    const even: GateChoice = { kind: "clip", clipLow: 0.25, clipHigh: 0.25 };
    for (const choice of [even, { ...even, kind: "dualClip", dualClip: 3 } as const]) {
      assert.deepEqual(gate(choice, 1.25, 2), { objective: 2.5, slope: 2, clipped: "no" });
      assert.deepEqual(gate(choice, 0.75, -2), { objective: -1.5, slope: -2, clipped: "no" });
      assert.deepEqual(
        [9, 0.5].map((ratio) => gate(choice, ratio, 0)),
        [
          { objective: 0, slope: 0, clipped: "no" },
          { objective: 0, slope: 0, clipped: "no" },
        ],
      );
    }
    assert.deepEqual(gate({ ...even, kind: "dualClip", dualClip: 3 }, 3, -2), {
      objective: -6,
      slope: -2,
      clipped: "no",
    });
  });

  it("dualClip bounds a bad outcome of a token that has become very likely", () => {
    const dual: GateChoice = { ...clip, kind: "dualClip", dualClip: 3 };
    check(dual, 9, -2, -6, 0); // plain -18, bound 3 * -2
    check(dual, 2, -2, -4, -2); // not bound
    check(dual, 9, 2, 2.56, 0); // A > 0: as clip
  });

  it("sapo is (4 / tau) sigmoid(tau (r - 1)) A, with its own tau for each sign", () => {
    const sapo: GateChoice = { kind: "sapo", tauPositive: 1, tauNegative: 2 };
    check(sapo, 1, 3, 6, 3); // 4 * .5 * 3; slope 4 * .25 * 3
    check(sapo, 1, -3, -3, -3); // 4 / 2 * .5 * -3; slope 4 * .25 * -3
    // sigmoid(1) = .7310586, s (1 - s) = .1966119; sigmoid(2) = .8807971, s (1 - s) = .1049936
    check(sapo, 2, 1, 2.9242343, 0.7864477);
    check(sapo, 2, -1, -1.7615942, -0.4199743);
  });

  it("cispo weighs log pi by the clipped ratio, and lets a clipped token learn", () => {
    const cispo: GateChoice = { kind: "cispo", clipLow: 0.2, clipHigh: 0.28 };
    // Inside: 1.1 * 2 = 2.2 on each nat of log pi = -3. Above: 1.28 * 2. Below: .8 * 2, whatever the sign of the advantage.
    for (const [ratio, A, slope, clipped] of [
      [1.1, 2, 2.2, "no"],
      [1.5, 2, 2.56, "high"],
      [1.5, -2, -2.56, "high"],
      [0.5, 2, 1.6, "low"],
      [0.5, -2, -1.6, "low"],
      [1.28, 2, 2.56, "no"],
    ] as const) {
      const gated = gate(cispo, ratio, A, -3);
      assertClose([gated.slope, gated.objective], [slope, -3 * slope], 1e-12);
      assert.equal(gated.clipped, clipped);
    }
    // Without a bound below, a ratio near 0 is a weight near 0.
    assertClose([gate({ ...cispo, clipLow: 1 }, 0.01, 2).slope], [0.02], 1e-12);
  });

  it("logClip stops the log-ratio of a token on the side to which its advantage pushes it", () => {
    const logClip: GateChoice = { kind: "logClip", logLow: 0.4, logHigh: 0.5 };
    const [half, less] = [Math.exp(0.5), Math.exp(-0.4)];
    check(logClip, 1.5, 2, 3, 2); // log 1.5 = .405 is inside
    check(logClip, 1.8, 2, 2 * half, 0); // log 1.8 = .588
    check(logClip, 1.8, -2, -3.6, -2); // the advantage pushes it down
    check(logClip, 0.6, -2, -2 * less, 0); // log .6 = -.511
    check(logClip, 0.6, 2, 1.2, 2);
    check(logClip, 9, 0, 0, 0);
    assert.deepEqual(
      [gate(logClip, 1.8, 2).clipped, gate(logClip, 0.6, -2).clipped, gate(logClip, 1.5, 2).clipped],
      ["high", "low", "no"],
    );
  });

  it("dppo stops a token by the distance of its probabilities, in total variation or KL, and caps its weight", () => {
    const dppo = { kind: "dppo", deltaLow: 0.1, deltaHigh: 0.2, cap: 4 } as const;
    const tv: GateChoice = { ...dppo, divergence: "tv" };
    const at = (choice: GateChoice, pi: number, mu: number, A: number): ReturnType<typeof gate> =>
      gate(choice, pi / mu, A, Math.log(pi));
    // A rare token: three times as likely, and yet only .02 apart.
    assertClose([at(tv, 0.03, 0.01, 2).slope], [6], 1e-12);
    // Twenty times as likely, .19 apart: within the bound, with a weight of 4.
    assertClose([at(tv, 0.2, 0.01, 2).slope], [8], 1e-12);
    assertClose([at(tv, 0.2, 0.01, 2).objective], [8 * Math.log(0.2)], 1e-12);
    for (const [pi, mu, A, clipped] of [
      [0.75, 0.5, 1, "high"], // .25 above
      [0.75, 0.5, -1, "no"], // the advantage pulls it back
      [0.65, 0.5, 1, "no"], // .15 above
      [0.25, 0.5, -1, "low"], // .25 below
      [0.25, 0.5, 1, "no"],
      [0.45, 0.5, -1, "no"], // .05 below
      [0.875, 0.5, 0, "no"],
    ] as const) {
      const gated = at(tv, pi, mu, A);
      assert.equal(gated.clipped, clipped, `${pi} against ${mu}`);
      assertClose([gated.slope], [clipped === "no" ? (pi / mu) * A : 0], 1e-12);
    }
    // KL of two coins, .5 against .75: .5 log(.5 / .75) + .5 log(.5 / .25) = .1438; against .9: .5108.
    const kl = (deltaHigh: number): GateChoice => ({ ...dppo, divergence: "kl", deltaHigh });
    assert.equal(at(kl(0.1437), 0.75, 0.5, 1).clipped, "high");
    assert.equal(at(kl(0.1439), 0.75, 0.5, 1).clipped, "no");
    assert.equal(at(kl(0.2), 0.9, 0.5, 1).clipped, "high");
    assert.equal(at(kl(0.2), 0.9, 0.5, -1).clipped, "no");
    // Below: .1438 is beyond deltaLow = .1. A token that is certain is no division by 0: 1e-8 stands beside what is left.
    assert.equal(at(kl(0.2), 0.25, 0.5, -1).clipped, "low");
    assert.equal(at(kl(0.2), 1, 0.5, 1).clipped, "high");
    assert.equal(at(kl(0.2), 1, 1, 1).clipped, "no");
    assert.equal(gate(kl(0.2), 1, 1, -1e4).clipped, "no");
  });

  it("gamma weighs log pi by W^k e^(lambda (1 - W)): 1 at ratio 1, and most at k / lambda", () => {
    const gamma: GateChoice = {
      kind: "gamma",
      kPositive: 2,
      lambdaPositive: 3,
      kNegative: 3,
      lambdaNegative: 2,
    };
    // Good: 2^2 e^-3 = .1991483, .5^2 e^1.5 = 1.1204223. Bad: 2^3 e^-2 = 1.0826823, .5^3 e^1 = .3397852.
    for (const [W, A, weight] of [
      [1, 2, 1],
      [1, -2, 1],
      [2, 1, 0.1991483],
      [0.5, 1, 1.1204223],
      [2, -1, 1.0826823],
      [0.5, -1, 0.3397852],
    ] as const) {
      const gated = gate(gamma, W, A, -3);
      assertClose([gated.slope, gated.objective], [weight * A, -3 * weight * A], 1e-7);
    }
    for (const [A, top] of [
      [1, 2 / 3],
      [-1, 3 / 2],
    ] as const) {
      const weight = (W: number): number => gate(gamma, W, A).slope / A;
      for (const W of [0.999, 1.001]) assert.ok(weight(top) > weight(W * top), `${W} of ${top}`);
      const h = 1e-5;
      assertClose([(weight(top + h) - weight(top - h)) / (2 * h)], [0], 1e-8);
    }
  });

  it("fairClip, for one token, is a clip of the log-ratio at its band", () => {
    const fair: GateChoice = { kind: "fairClip", band: 0.4 };
    const high = Math.exp(0.4); // 1.492
    check(fair, 1.45, 2, 2.9, 2);
    check(fair, 1.6, 2, 2 * high, 0);
    check(fair, 1.6, -2, -3.2, -2);
    check(fair, 0.6, -2, -2 / high, 0); // below 1 / 1.492 = .670
    check(fair, 0.6, 2, 1.2, 2);
    check(fair, 0.7, -2, -1.4, -2);
  });

  it("standingClip is a clip whose widths grow and shrink with how the turn stands among its peers", () => {
    const scaled: GateChoice = { kind: "standingClip", clipLow: 0.2, clipHigh: 0.2, spread: 0.5 };
    const at = (ratio: number, A: number, z: number): readonly (number | string)[] => {
      const { objective, slope, clipped } = gate(scaled, ratio, A, 0, z);
      return [Number(objective.toFixed(12)), slope, clipped];
    };
    // 2 sigmoid(log 3) - 1 = 1.5 - 1: the factor is 1 + .5 * .5 = 1.25, and .75 for -log 3. Widths .25, .2 and .15.
    const z = Math.log(3);
    assert.deepEqual(at(1.22, 2, z), [2.44, 2, "no"]);
    assert.deepEqual(at(1.22, 2, 0), [2.4, 0, "high"]);
    assert.deepEqual(at(1.22, 2, -z), [2.3, 0, "high"]);
    assert.deepEqual(at(1.26, 2, z), [2.5, 0, "high"]);
    assert.deepEqual(at(0.78, -2, z), [-1.56, -2, "no"]);
    assert.deepEqual(at(0.78, -2, 0), [-1.6, 0, "low"]);
    assert.deepEqual(at(0.82, -2, -z), [-1.7, 0, "low"]);
    // On the side to which the advantage does not push, nothing is clipped.
    assert.deepEqual(at(1.9, -2, -z), [-3.8, -2, "no"]);
    assert.deepEqual(at(0.1, 2, -z), [0.2, 2, "no"]);
  });

  it("offPolicyMask is a clip, and nothing for a bad outcome of what has become rare", () => {
    const masked: GateChoice = { ...clip, kind: "offPolicyMask", clipLow: 0.6, delta: 0.5 };
    // log(1 / .62) = .478 and log(1 / .6) = .511.
    check(masked, 0.62, -2, -1.24, -2);
    check(masked, 0.6, -2, 0, 0);
    check(masked, 0.6, 2, 1.2, 2);
    check(masked, 0.6, 0, 0, 0);
    check(masked, 1.5, 2, 2.56, 0);
    assert.deepEqual([gate(masked, 0.6, -2).clipped, gate(masked, 0.62, -2).clipped], ["low", "no"]);
  });

  it("secondMoment, for one token, keeps it: the nearest token stays whatever the bound", () => {
    check({ kind: "secondMoment", tau: 0.01 }, 9, -2, -18, -2);
  });

  it("dro is A log pi less beta / 2 times the squared log-ratio, through both", () => {
    // log 2 = .6931472: 3 * -1 - 2 * .4804530 = -3.9609060; slope -4 * .6931472 / 2.
    const gated = gate({ kind: "dro", beta: 4 }, 2, 3, -1);
    assertClose([gated.objective, gated.slope, gated.slopeLogProb!], [-3.960906, -1.3862944, 3], 1e-6);
    assert.deepEqual(gate({ kind: "dro", beta: 0 }, 2, 3, -1).objective, -3);
  });

  it("none is advantage times log-probability, whatever the ratio", () => {
    // 2 * -3; its slope is the one in log pi.
    assert.deepEqual(gate({ kind: "none" }, 7, 2, -3), { objective: -6, slope: 2, clipped: "no" });
  });

  it("unclipped is ratio times advantage", () => {
    check({ kind: "unclipped" }, 7, -2, -14, -2);
  });
});

describe("every gate", () => {
  const kinds = Object.keys(gates) as (keyof typeof gates)[];
  const size = 200;
  for (const kind of kinds) {
    const choice = resolve(
      group({ gate: gateChoice }),
      { gate: kind },
      { action: "test", owner: "a gate" },
    ).gate;
    const rule = gateOf(choice);
    const next = draws(7);
    const ratio = Array.from({ length: size }, () => Math.exp(6 * (next() - 0.5)));
    const advantage = ratio.map(() => 4 * (next() - 0.5));
    const logProb = ratio.map(() => -3 * next());
    const gated = (): ReturnType<typeof gate>[] =>
      rule.comparesTokens
        ? together(choice, { ratio, advantage, logProb })
        : ratio.map((r, k) => gate(choice, r, advantage[k]!, logProb[k]!));

    it(`${kind}: its slope is the central difference of its objective, through ${rule.through} alone`, () => {
      const h = 1e-6;
      const objective = (k: number, at: { ratio: number[]; logProb: number[] }): number =>
        rule.comparesTokens
          ? together(choice, { ...at, advantage })[k]!.objective
          : gate(choice, at.ratio[k]!, advantage[k]!, at.logProb[k]!).objective;
      const along = (name: "ratio" | "logProb"): number[] => {
        const values = { ratio, logProb };
        const moved = (k: number, by: number): number =>
          objective(k, { ...values, [name]: values[name].with(k, values[name][k]! + by) });
        return ratio.map((_, k) => (moved(k, h) - moved(k, -h)) / (2 * h));
      };
      const closed = gated();
      const slope = closed.map((one) => one.slope);
      if (rule.through !== "logProb") assertClose(slope, along("ratio"), 1e-7, "d objective / d ratio");
      if (rule.through !== "ratio") {
        const inLogProb = rule.through === "both" ? closed.map((one) => one.slopeLogProb!) : slope;
        assertClose(inLogProb, along("logProb"), 1e-7, "d objective / d log pi");
      }
    });

    it(`${kind}: what it counts as clipped lies outside its range, and loses its gradient if it says so`, () => {
      const range = rule.range(choice);
      const closed = gated();
      closed.forEach(({ clipped, slope }, k) => {
        if (clipped === "no") return;
        if (rule.ownBounds) {
          assert.equal(slope, 0);
          return;
        }
        assert.ok(
          range !== null && (ratio[k]! > 1 + range.high || ratio[k]! < 1 - range.low),
          String(ratio[k]),
        );
        assert.equal(slope === 0, rule.cutsGradient);
      });
      const met = closed.some(({ clipped }) => clipped !== "no");
      const bounded = range !== null || rule.ownBounds === true;
      assert.equal(met, bounded, "a gate with bounds meets them at ratios from 1/20 to 20");
    });
  }

  it("is refused by name where none is known, instead of being taken for another", () => {
    assert.throws(() => gate({ kind: "dualclip" } as never, 1, 1), {
      name: "RangeError",
      message:
        `Cannot apply a recipe: gate.kind must be one of ${Object.keys(gates).join(", ")}, ` +
        'got "dualclip".\nDid you mean "dualClip"?',
    });
  });
});

describe("klEstimate", () => {
  it("k1, k2 and k3 of one token, with d = log other - log pi = .5", () => {
    // k1 = -.5, slope 1; k2 = .125, slope -.5; k3 = exp(.5) - 1.5 = .1487213, slope 1 - exp(.5) = -.6487213.
    for (const [name, value, slope] of [
      ["k1", -0.5, 1],
      ["k2", 0.125, -0.5],
      ["k3", 0.1487213, -0.6487213],
    ] as const) {
      const kl = klEstimate(writtenOut({ estimator: name }), { logProb: -1, other: -0.5, oldLogProb: -1 });
      assertClose([kl.value, kl.slope], [value, slope], 1e-7, name);
    }
  });

  it("k1 and k3 average to the divergence of two distributions, k2 does not", () => {
    const pi = [0.7, 0.3];
    const other = [0.4, 0.6];
    const kl = pi.reduce((sum, p, a) => sum + p * Math.log(p / other[a]!), 0);
    const mean = (name: "k1" | "k2" | "k3"): number =>
      pi.reduce((sum, p, a) => {
        const [logProb, q] = [Math.log(p), Math.log(other[a]!)];
        const token = { logProb, other: q, oldLogProb: logProb };
        return sum + p * klEstimate(writtenOut({ estimator: name }), token).value;
      }, 0);
    assertClose([mean("k1"), mean("k3")], [kl, kl], 1e-12);
    assert.ok(Math.abs(mean("k2") - kl) > 1e-3);
  });
});

describe("clippingTriggeredScale", () => {
  it("divides by the norm of the clipped-out gradient once it exceeds the floor, in rows that ask for it", () => {
    const soPpo = recipe("soPpo");
    assertClose(
      [0, 0.5, 1, 4].map((norm) => clippingTriggeredScale(soPpo, norm)),
      [1, 1, 1, 0.25],
      0,
    );
    assert.equal(clippingTriggeredScale(recipe("turnPpo"), 4), 1);
  });
});
