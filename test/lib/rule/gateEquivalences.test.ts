import assert from "node:assert/strict";
import { recipe, surrogateGradient } from "turnwise";
import { type SurrogateGradient } from "turnwise/internal/rule/index";
import { assertSame, gradientOf, sampled } from "./sampled";
import { assertClose } from "./support";

describe("gates that become another one, and where they do not", () => {
  it("CISPO without a bound has the gradient of the unclipped importance ratio, and that of REINFORCE at ratio 1", () => {
    const free = { gate: { kind: "cispo", clipLow: 1, clipHigh: 1e9 } } as const;
    for (const spread of [0, 0.9]) {
      const data = sampled({ spread });
      const cispo = gradientOf(data, recipe("cispo", free));
      const unclipped = gradientOf(data, recipe("cispo", { gate: "unclipped" }));
      // The same gradient of another value: a weight times log pi.
      assertSame({ ...cispo, loss: 0 }, { ...unclipped, loss: 0 });
      if (spread > 0) continue;
      const reinforce = recipe("cispo", { ratio: "none", gate: "none" });
      assertSame(cispo, gradientOf(data, reinforce));
    }
  });

  it("DPPO with room for every move is the unclipped ratio, with the cap as its only bound", () => {
    const data = sampled({ spread: 9 });
    const free = { kind: "dppo", deltaLow: 1e9, deltaHigh: 1e9 } as const;
    // Weights capped at 20, as CISPO's with a bound 19 above 1. At most e^4.5 = 90, so that the cap is met.
    const capped = recipe("dppoTv", { gate: { kind: "cispo", clipLow: 1, clipHigh: 19 } });
    for (const divergence of ["tv", "kl"] as const)
      assertSame(
        gradientOf(data, recipe("dppoTv", { gate: { ...free, divergence } })),
        gradientOf(data, capped),
      );
    const open = gradientOf(data, recipe("dppoTv", { gate: { ...free, cap: 1e9 } }));
    const unclipped = gradientOf(data, recipe("dppoTv", { gate: "unclipped" }));
    assertSame({ ...open, loss: 0 }, { ...unclipped, loss: 0 });
    const held = gradientOf(data, capped).dLogProb_ntl;
    assert.ok(open.dLogProb_ntl.some((x, i) => Math.abs(x - held[i]!) > 0.1));
  });

  it("GMPO is GSPO without a clip where no token is clipped, and another rule where one is", () => {
    const data = sampled({});
    const gspo = gradientOf(data, recipe("gspo", { gate: "unclipped" }));
    // Log-ratios lie within .45, half of the spread.
    assertSame(gradientOf(data, recipe("gmpo", { gate: { logLow: 0.46, logHigh: 0.46 } })), gspo);
    const clipped = gradientOf(data, recipe("gmpo", { gate: { logLow: 0.1, logHigh: 0.1 } }));
    assert.ok(clipped.dLogProb_ntl.some((x, i) => Math.abs(x - gspo.dLogProb_ntl[i]!) > 1e-2));
  });

  it("GMPO clips tokens before it pools them: one runaway token leaves the gradient of the others alone", () => {
    // Two tokens of one trajectory, A = 1: log-ratios 1 and -.2 are .4 and -.2, their mean .1. The first has no gradient.
    const input = {
      shape: [1, 1, 2] as const,
      logProb_ntl: [-1, -1],
      oldLogProb_ntl: [-2, -0.8],
      mask_ntl: [1, 1],
      advantage_ntl: [1, 1],
    };
    const gmpo = surrogateGradient(input, recipe("gmpo"));
    assertClose([gmpo.loss], [-Math.exp(0.1)], 1e-12);
    assertClose(gmpo.dLogProb_ntl, [0, -Math.exp(0.1) / 2], 1e-12);
    assert.equal(gmpo.metrics["policy/clipFracHigh"], 0.5);
    // GSPO clips what is pooled: the mean .4 is exp(.4) = 1.49, beyond 1.2, and neither token learns.
    const gspo = surrogateGradient(input, recipe("gspo", { gate: { clipHigh: 0.2 } }));
    assertClose(gspo.dLogProb_ntl, [0, 0], 0);
  });

  it("M2PO with a bound that nothing meets is the unclipped ratio; beyond, the furthest tokens drop out", () => {
    const data = sampled({});
    const unclipped = gradientOf(data, recipe("m2po", { gate: "unclipped" }));
    assertSame(gradientOf(data, recipe("m2po", { gate: { tau: 1e9 } })), unclipped);
    // Log-ratios .5, -.3, .1 and -.3: squares .25, .09, .01, .09, their mean .11. Without the first .19 / 3 = .0633.
    const input = {
      shape: [2, 1, 2] as const,
      logProb_ntl: [-1, -1, -1, -1],
      oldLogProb_ntl: [-1.5, -0.7, -1.1, -0.7],
      mask_ntl: [1, 1, 1, 1],
      advantage_ntl: [1, -1, 2, 3],
    };
    const r = [Math.exp(0.5), Math.exp(-0.3), Math.exp(0.1), Math.exp(-0.3)];
    const all = r.map((ratio, i) => (-ratio * input.advantage_ntl[i]!) / 4);
    const of = (tau: number): SurrogateGradient =>
      surrogateGradient(input, recipe("m2po", { gate: { tau } }));
    assertClose(of(0.12).dLogProb_ntl, all, 1e-12);
    const three = of(0.0634);
    assertClose(three.dLogProb_ntl, [0, ...all.slice(1)], 1e-12);
    assert.deepEqual([three.metrics["policy/clipFracHigh"], three.metrics["policy/clipFracLow"]], [0.25, 0]);
    // The next two are equally far off and go together; the last one stays, though its square .01 is above the bound.
    const one = of(0.001);
    assertClose(one.dLogProb_ntl, [0, 0, all[2]!, 0], 1e-12);
    assert.deepEqual([one.metrics["policy/clipFracHigh"], one.metrics["policy/clipFracLow"]], [0.25, 0.5]);
    assertClose(of(0.0633).dLogProb_ntl, [0, 0, all[2]!, 0], 1e-12);
    // A micro-batch is judged by itself: the first trajectory has a mean of .17, which is above .12 without the other.
    const part = (x: readonly number[]): number[] => x.slice(0, 2);
    const first = surrogateGradient(
      {
        shape: [1, 1, 2],
        logProb_ntl: part(input.logProb_ntl),
        oldLogProb_ntl: part(input.oldLogProb_ntl),
        mask_ntl: [1, 1],
        advantage_ntl: part(input.advantage_ntl),
        weight_ntl: [0.25, 0.25],
      },
      recipe("m2po", { gate: { tau: 0.12 } }),
    );
    assertClose(first.dLogProb_ntl, [0, all[1]!], 1e-12);
  });

  it("the off-policy mask with a delta that no trajectory meets is GRPO; beyond, it drops what was bad and left behind", () => {
    const data = sampled({});
    const free = recipe("offPolicyMask", { gate: { delta: 1e9 } });
    assertSame(gradientOf(data, free), gradientOf(data, recipe("grpo")));
    // Means of log(old / new) over each trajectory: (.5 - .1) / 2 = .2, and (.3 + .3) / 2 = .3.
    const input = {
      shape: [2, 1, 2] as const,
      logProb_ntl: [-1, -1, -1, -1],
      oldLogProb_ntl: [-0.5, -1.1, -0.7, -0.7],
      mask_ntl: [1, 1, 1, 1],
      advantage_ntl: [-1, -1, -1, -1],
    };
    const gate = { clipLow: 0.5, clipHigh: 0.5 } as const;
    const of = (delta: number, advantage_ntl = input.advantage_ntl): Float64Array =>
      surrogateGradient({ ...input, advantage_ntl }, recipe("offPolicyMask", { gate: { ...gate, delta } }))
        .dLogProb_ntl;
    const r = [Math.exp(-0.5), Math.exp(0.1), Math.exp(-0.3), Math.exp(-0.3)].map((x) => x / 4);
    assertClose(of(0.31), r, 1e-12);
    assertClose(of(0.29), [r[0]!, r[1]!, 0, 0], 1e-12);
    assertClose(of(0.19), [0, 0, 0, 0], 1e-12);
    // A good outcome keeps its tokens, and so does what has become likelier.
    assertClose(
      of(0.1, [1, 1, 1, 1]),
      r.map((x) => -x),
      1e-12,
    );
  });

  it("fair FSPO on trajectories of one token is PPO's clip in nats, and has twice the band on four", () => {
    const single = sampled({ turns: [1, 1, 1, 1], tokens: 1 });
    const clip = { kind: "clip", clipLow: 1 - Math.exp(-0.2), clipHigh: Math.exp(0.2) - 1 } as const;
    assertSame(
      gradientOf(single, recipe("fairFspo")),
      gradientOf(single, recipe("fairFspo", { gate: clip })),
    );
    // Four tokens of .11 nats: .44 is beyond .2 times the root of 4. Of .09 nats: .36 is inside.
    for (const [nats, expected] of [
      [0.11, [0, 0, 0, 0]],
      [0.09, new Array<number>(4).fill(-Math.exp(0.36))],
    ] as const) {
      const input = {
        shape: [1, 2, 2] as const,
        logProb_ntl: [-1, -1, -1, -1],
        oldLogProb_ntl: new Array<number>(4).fill(-1 - nats),
        mask_ntl: [1, 1, 1, 1],
        advantage_ntl: [1, 1, 1, 1],
      };
      const { loss, dLogProb_ntl } = surrogateGradient(input, recipe("fairFspo"));
      assertClose(dLogProb_ntl, expected, 1e-12);
      assertClose([loss], [-Math.exp(Math.min(4 * nats, 0.4))], 1e-12);
    }
  });

  it("LUSPO is GSPO times the length where all trajectories are equally long, and only there", () => {
    const bounds = { gate: { clipLow: 0.2, clipHigh: 0.2 } } as const;
    const [even, ragged] = [sampled({ turns: [2, 2, 2, 2] }), sampled({})];
    const ofBoth = (data: typeof even): readonly [SurrogateGradient, SurrogateGradient] => [
      gradientOf(data, recipe("luspo", bounds)),
      gradientOf(data, recipe("gspo", bounds)),
    ];
    // Two turns of three tokens.
    const six = (x: SurrogateGradient): SurrogateGradient => ({
      ...x,
      loss: 6 * x.loss,
      dLogProb_ntl: x.dLogProb_ntl.map((slope) => 6 * slope),
    });
    const [luspo, gspo] = ofBoth(even);
    assertSame(luspo, six(gspo));
    const [other, plain] = ofBoth(ragged);
    assert.ok(other.dLogProb_ntl.some((x, i) => Math.abs(x - six(plain).dLogProb_ntl[i]!) > 1e-2));
  });

  it("DRO with beta 0 is REINFORCE with the group's advantage; its spring pulls a token back", () => {
    const data = sampled({});
    const reinforce = gradientOf(data, recipe("dro", { ratio: "none", gate: "none" }));
    assertSame(gradientOf(data, recipe("dro", { gate: { beta: 0 } })), reinforce);
    // One token, log-ratio .5, A = 1, beta 4: -(1 * -1 - 2 * .25) = 1.5, slope -(1 - 4 * .5) = 1.
    const input = {
      shape: [1, 1, 1] as const,
      logProb_ntl: [-1],
      oldLogProb_ntl: [-1.5],
      mask_ntl: [1],
      advantage_ntl: [1],
    };
    const pulled = surrogateGradient(input, recipe("dro", { gate: { beta: 4 } }));
    assertClose([pulled.loss, pulled.dLogProb_ntl[0]!], [1.5, 1], 1e-12);
  });

  it("VESPO weighs every token by the density ratio of its whole trajectory", () => {
    // Two tokens of .2 and .3 nats, A = 1: W = e^.5, and each token has W^2 e^(3 (1 - W)) / 2.
    const W = Math.exp(0.5);
    const weight = W ** 2 * Math.exp(3 * (1 - W));
    const input = {
      shape: [1, 2, 1] as const,
      logProb_ntl: [-1, -2],
      oldLogProb_ntl: [-1.2, -2.3],
      mask_ntl: [1, 1],
      advantage_ntl: [1, 1],
    };
    const { loss, dLogProb_ntl } = surrogateGradient(input, recipe("vespo"));
    assertClose(dLogProb_ntl, [-weight / 2, -weight / 2], 1e-12);
    assertClose([loss], [(3 * weight) / 2], 1e-12);
    // At ratio 1 it is REINFORCE.
    const data = sampled({ spread: 0 });
    assertSame(
      gradientOf(data, recipe("vespo")),
      gradientOf(data, recipe("vespo", { ratio: "none", gate: "none" })),
    );
  });
});
