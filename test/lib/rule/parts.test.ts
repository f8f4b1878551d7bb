// Uses internals of turnwise/schema.
import assert from "node:assert/strict";
import { aggregateChoice, aggregateOf, aggregates } from "turnwise/internal/rule/aggregate/index";
import { forkPlans } from "turnwise/internal/rule/forks/index";
import { filterChoice, filterOf, filters } from "turnwise/internal/rule/filter/index";
import { gateChoice, gateOf, gates } from "turnwise/internal/rule/gate/index";
import { orderChoice, orderLabel, orderOf, orders } from "turnwise/internal/rule/order/index";
import { carries, carryOf } from "turnwise/internal/rule/order/carries/index";
import { ratioChoice, ratioOf, ratios } from "turnwise/internal/rule/ratio/index";
import { poolingRule, poolings } from "turnwise/internal/rule/ratio/pooling";
import { entropy } from "turnwise/internal/rule/regularizer/entropy";
import { covarianceRules } from "turnwise/internal/rule/regularizer/covariance/index";
import { entropyShare } from "turnwise/internal/rule/regularizer/entropyShare";
import { observation } from "turnwise/internal/rule/regularizer/observation";
import { entropyTarget } from "turnwise/internal/rule/regularizer/entropyTarget";
import { klOld } from "turnwise/internal/rule/regularizer/klOld";
import { klReference } from "turnwise/internal/rule/regularizer/klReference";
import { klEstimate, writtenOut } from "turnwise/internal/rule/regularizer/kl/index";
import { estimators } from "turnwise/internal/rule/regularizer/kl/sampled";
import { regularizerFields, regularizerLabel } from "turnwise/internal/rule/regularizer/index";
import {
  clippingTriggeredKinds as triggered,
  clippingTriggeredOf,
} from "turnwise/internal/rule/regularizer/triggered/index";
import { recipe } from "turnwise";
import { scaleChoice, scaleOf, scales, withinGroup } from "turnwise/internal/rule/scale/index";
import { stepScales } from "turnwise/internal/rule/stepScale/index";
import { group, knobsOf } from "turnwise/internal/schema/index";

const terms = { klReference, klOld, entropy, entropyTarget, entropyShare, observation };
const choices = {
  gates,
  ratios,
  aggregates,
  scales,
  filters,
  forkPlans,
  orders,
  carries,
  triggered,
  covarianceRules,
  stepScales,
};

describe("every value of a choice", () => {
  const values = Object.entries(choices).flatMap(([choice, table]) =>
    Object.entries(table).map(([name, part]) => ({ title: `${choice}.${name}`, part })),
  );

  it("says in one sentence what it does", () => {
    for (const { title, part } of values) assert.match(part.help, /^[A-Z][^.]{8,}\.$/, title);
  });

  it("has an equation with balanced braces", () => {
    const equations = [
      ...values.map(({ title, part }) => ({ title, equation: part.equation })),
      ...Object.entries({ ...poolings, ...estimators, ...terms }).map(([title, { equation }]) => ({
        title,
        equation,
      })),
    ];
    for (const { title, equation } of equations) {
      assert.notEqual(equation, "", title);
      const braces = equation.replace(/\\[{}]/g, "").replace(/[^{}]/g, "");
      assert.equal(braces.split("{").length, braces.split("}").length, title);
    }
  });

  it("names a paper, a report with an address or a repository", () => {
    const readable = /arXiv \d{4}\.\d{5}|https:\/\/doi\.org\/10\.|github\.com\/[\w-]+\/\w+|verl, trainer\//;
    for (const { title, part } of values) assert.match(part.source, readable, title);
    for (const [title, { source }] of Object.entries(terms)) assert.match(source, readable, title);
    for (const [title, { source }] of Object.entries(estimators)) {
      assert.match(source, /http:\/\/joschu\.net\/blog\/kl-approx\.html|arXiv \d{4}\.\d{5}/, title);
    }
  });
});

describe("the knobs of the choices", () => {
  const knobs = knobsOf(
    group({
      gate: gateChoice,
      ratio: ratioChoice,
      aggregate: aggregateChoice,
      scale: scaleChoice,
      order: orderChoice,
      filter: filterChoice,
      regularizer: regularizerFields,
    }),
  );
  const nameOf = ({ path, when }: (typeof knobs)[number]): string => [path, ...Object.values(when)].join(" ");

  it("have the names and the values that users type", () => {
    const clip = ["clipHigh", "clipLow"];
    const kl = ["clamp", "clamp.logRatio", "clamp.value", "correction", "direction", "estimator"];
    const turnByTurn = ["carry", "carry.high", "carry.low", "carry.pooling", "oldLogProb", "steps"];
    const fields: Readonly<Record<string, readonly string[]>> = {
      gate: [
        ...["band", "beta", "cap", ...clip, "delta", "deltaHigh", "deltaLow", "divergence", "dualClip"],
        ...["kNegative", "kPositive", "lambdaNegative", "lambdaPositive", "logHigh", "logLow"],
        ...["spread", "tau", "tauNegative", "tauPositive"],
      ],
      ratio: ["pooling"],
      aggregate: ["length", "over", "per"],
      scale: ["clamp", "epsilon", "unbiased"],
      order: turnByTurn,
      filter: ["epsilon", "fraction", "maxGenerations", "p"],
      regularizer: [
        ...["klReference", "klOld"].flatMap((name) => [
          name,
          `${name}.coef`,
          ...kl.map((field) => `${name}.${field}`),
        ]),
        ...["entropyCoef", "entropyShare", "observationCoef", "custom"],
        ...["", ".target", ".step", ".min", ".max"].map((field) => `entropyTarget${field}`),
        ...["", ".share", ".min", ".max", ".coef"].map((field) => `covariance${field}`),
        ...["", ".floor", ".lambda", ...kl.map((field) => `.${field}`)].map(
          (field) => `clippingTriggered${field}`,
        ),
      ],
    };
    const wanted = Object.entries(fields).flatMap(([name, inner]) => [
      ...(name === "regularizer" ? [] : [name]),
      ...inner.map((field) => `${name}.${field}`),
    ]);
    assert.deepEqual([...new Set(knobs.map(({ path }) => path))].sort(), wanted.sort());

    const values = new Map(knobs.map(({ path, values: all }) => [path, all]));
    const typed: Readonly<Record<string, string>> = {
      gate: "none unclipped clip dualClip sapo cispo logClip dppo rlPlus gamma secondMoment offPolicyMask fairClip dro standingClip",
      "gate.divergence": "tv kl",
      ratio: "none token turn trajectory",
      aggregate: "tokenMean sequenceMeanTokenMean turnMean constant",
      "aggregate.per": "batch turn",
      scale: "none group batch mean tokens",
      order: "simultaneous reverse forward random",
      "order.carry": "exact off clipped",
      "order.oldLogProb": "rollout recomputed",
      "order.steps": "each shared",
      filter: "none zeroVariance topStd topP",
      "regularizer.klReference.direction": "reverse forward",
      "regularizer.klReference.estimator": "exact k1 k2 k3 k3+",
      "regularizer.klReference.correction": "none importanceWeighted",
      "regularizer.covariance": "off clip penalty",
      "regularizer.clippingTriggered": "off gradNorm klPenalty",
    };
    for (const [path, all] of Object.entries(typed)) assert.deepEqual(values.get(path), all.split(" "), path);
    const pooling = knobs.filter(({ path }) => path === "ratio.pooling" || path === "order.carry.pooling");
    for (const { path, values: all } of pooling)
      assert.deepEqual(
        [...all!].sort(),
        path === "ratio.pooling" ? ["arithmetic", "geometric", "product"] : ["geometric", "product"],
      );
  });

  it("have the defaults of the papers", () => {
    const defaults = Object.fromEntries(knobs.map((knob) => [nameOf(knob), knob.default]));
    const papers: Readonly<Record<string, unknown>> = {
      "gate.clipLow clip": 0.2,
      "gate.clipHigh clip": 0.2,
      "gate.clipLow dualClip": 0.2,
      "gate.clipHigh dualClip": 0.2,
      "gate.dualClip dualClip": 3,
      "gate.tauPositive sapo": 1,
      "gate.tauNegative sapo": 1.05,
      "gate.clipLow cispo": 1,
      "gate.clipHigh cispo": 0.2,
      "gate.logLow logClip": 0.4,
      "gate.logHigh logClip": 0.4,
      "gate.divergence dppo": "tv",
      "gate.deltaLow dppo": 0.15,
      "gate.deltaHigh dppo": 0.15,
      "gate.cap dppo": 20,
      "gate.kPositive gamma": 2,
      "gate.lambdaPositive gamma": 3,
      "gate.kNegative gamma": 3,
      "gate.lambdaNegative gamma": 2,
      "gate.tau secondMoment": 0.04,
      "gate.clipLow offPolicyMask": 0.2,
      "gate.clipHigh offPolicyMask": 0.2,
      "gate.delta offPolicyMask": 0.5,
      "gate.band fairClip": 0.2,
      "gate.beta dro": 0.1,
      "gate.spread standingClip": 0.3,
      "ratio.pooling turn": "geometric",
      "ratio.pooling trajectory": "geometric",
      "aggregate.per tokenMean": "batch",
      "aggregate.over turnMean": "trajectory",
      "aggregate.length constant": "maximum",
      "scale.unbiased group": true,
      "scale.epsilon group": 1e-6,
      "scale.unbiased batch": true,
      "scale.epsilon batch": 1e-6,
      "scale.epsilon mean": 0,
      "scale.unbiased tokens": true,
      "scale.epsilon tokens": 1e-6,
      "order.carry.pooling reverse exact": "product",
      "order.carry.pooling reverse clipped": "geometric",
      "order.carry.low reverse clipped": 0.8,
      "order.carry.high reverse clipped": 1.2,
      "filter.maxGenerations zeroVariance": 10,
      "filter.fraction topStd": 0.25,
      "filter.p topP": 0.9,
      "filter.epsilon topP": 0.01,
      "regularizer.klReference.coef on": 0.001,
      "regularizer.klReference.clamp.logRatio on on": 20,
      "regularizer.klReference.clamp.value on on": 10,
      "regularizer.klOld.coef on": 0.001,
      "regularizer.entropyCoef": 0,
      "regularizer.entropyTarget.target on": 0.2,
      "regularizer.entropyTarget.step on": 0.005,
      "regularizer.entropyTarget.min on": 0,
      "regularizer.entropyTarget.max on": 1,
      "regularizer.entropyShare": 1,
      "regularizer.covariance.share clip": 0.0002,
      "regularizer.covariance.min clip": 1,
      "regularizer.covariance.max clip": 5,
      "regularizer.covariance.share penalty": 0.002,
      "regularizer.covariance.coef penalty": 1,
      "regularizer.clippingTriggered.floor gradNorm": 1,
      "regularizer.clippingTriggered.lambda klPenalty": 1,
    };
    for (const [name, value] of Object.entries(papers)) assert.equal(defaults[name], value, name);
    // What is not named here is off: null, or the first of the values to choose from.
    for (const knob of knobs.filter(({ type }) => type === "choice"))
      if (!(nameOf(knob) in papers)) assert.equal(knob.default, knob.values![0], nameOf(knob));
  });

  it("have defaults and sliders within their bounds, and say what they want", () => {
    for (const knob of knobs) {
      const { slider, default: value, wanted, unit } = knob;
      const name = nameOf(knob);
      assert.match(wanted, /^(a |an |"|above |at least |at most |from |true )/, name);
      if (unit !== undefined) assert.match(unit, /^(nats|nats²|nats per token|reward)$/, name);
      const inside = (x: number): boolean =>
        x >= (knob.minimum ?? -Infinity) && x <= (knob.maximum ?? Infinity);
      if (typeof value === "number") assert.ok(inside(value), name);
      if (!slider) continue;
      assert.ok(inside(slider.min) && inside(slider.max), name);
      assert.ok(slider.min < slider.max, name);
      assert.ok(!slider.log || slider.min > 0, name);
      if (typeof value === "number" && value > 0) assert.ok(slider.min <= value && value <= slider.max, name);
    }
    const numbers = knobs.flatMap((knob) => (typeof knob.default === "number" ? [knob] : []));
    assert.ok(numbers.length >= 50);
    const from: Readonly<Record<string, number | undefined>> = {
      "gate.dualClip": 1,
      "gate.cap": 1,
      "order.carry.high": 1,
      "filter.maxGenerations": 1,
      "regularizer.covariance.min": undefined,
      "regularizer.covariance.max": undefined,
    };
    const to =
      /^(gate\.(clipLow|spread)|order\.carry\.low|filter\.(fraction|p)|regularizer\.(entropyShare|covariance\.share))$/;
    for (const { path, minimum, maximum } of numbers) {
      assert.equal(minimum, path in from ? from[path] : 0, path);
      assert.equal(maximum, to.test(path) ? 1 : undefined, path);
    }
  });

  it("are explained in a sentence", () => {
    for (const { path, help } of knobs) assert.match(help, /^[A-Z].*[a-z\d]\.$/, path);
  });
});

describe("the label of a value", () => {
  it("names it with the knobs that differ between recipes", () => {
    const clip = { clipLow: 0.2, clipHigh: 0.28 };
    const unbiased = { unbiased: true, epsilon: 0 };
    const carry = { kind: "clipped", low: 0.8, high: 1.2, pooling: "geometric" } as const;
    const label = {
      gate: (choice: Parameters<typeof gateOf>[0]) => gateOf(choice).label(choice),
      ratio: (choice: Parameters<typeof ratioOf>[0] & { pooling?: string }) =>
        ratioOf(choice).label(choice as never),
      aggregate: (choice: Parameters<typeof aggregateOf>[0]) => aggregateOf(choice).label(choice),
      scale: (choice: Parameters<typeof scaleOf>[0]) => scaleOf(choice).label(choice),
      filter: (choice: Parameters<typeof filterOf>[0]) => filterOf(choice).label(choice),
    };
    const each = { oldLogProb: "rollout", steps: "each" } as const;
    const cases: readonly (readonly [actual: string, expected: string])[] = [
      [label.gate({ kind: "none" }), "none"],
      [label.gate({ kind: "unclipped" }), "unclipped"],
      [label.gate({ kind: "clip", ...clip }), "clip 0.2/0.28"],
      [label.gate({ kind: "dualClip", ...clip, dualClip: 3 }), "dualClip 0.2/0.28, 3"],
      [label.gate({ kind: "sapo", tauPositive: 1, tauNegative: 1.05 }), "sapo τ 1/1.05"],
      [label.gate({ kind: "cispo", ...clip }), "cispo 0.2/0.28"],
      [label.gate({ kind: "logClip", logLow: 0.4, logHigh: 0.5 }), "logClip 0.4/0.5"],
      [
        label.gate({ kind: "dppo", divergence: "kl", deltaLow: 0.1, deltaHigh: 0.2, cap: 9 }),
        "dppo kl 0.1/0.2",
      ],
      [
        label.gate({ kind: "gamma", kPositive: 1, lambdaPositive: 2, kNegative: 3, lambdaNegative: 4 }),
        "gamma 1/2, 3/4",
      ],
      [label.gate({ kind: "secondMoment", tau: 0.1 }), "secondMoment 0.1"],
      [label.gate({ kind: "offPolicyMask", ...clip, delta: 0.5 }), "offPolicyMask 0.2/0.28, 0.5"],
      [label.gate({ kind: "fairClip", band: 0.3 }), "fairClip 0.3"],
      [label.gate({ kind: "dro", beta: 0.1 }), "dro 0.1"],
      [label.gate({ kind: "standingClip", ...clip, spread: 0.3 }), "clip 0.2/0.28 by standing, 0.3"],
      [label.ratio({ level: "none" }), "none"],
      [label.ratio({ level: "token" }), "token"],
      [label.ratio({ level: "turn", pooling: "product" }), "turn, product"],
      [label.ratio({ level: "trajectory", pooling: "geometric" }), "trajectory, geometric"],
      [label.aggregate({ kind: "tokenMean", per: "batch" }), "tokenMean"],
      [label.aggregate({ kind: "tokenMean", per: "turn" }), "tokenMean, per turn"],
      [label.aggregate({ kind: "sequenceMeanTokenMean", per: "batch" }), "sequenceMeanTokenMean"],
      [label.aggregate({ kind: "sequenceMeanTokenMean", per: "turn" }), "sequenceMeanTokenMean, per turn"],
      [label.aggregate({ kind: "turnMean", over: "batch" }), "turnMean, batch"],
      [label.aggregate({ kind: "constant", length: "maximum", per: "batch" }), "constant, T·L"],
      [label.aggregate({ kind: "constant", length: 5, per: "batch" }), "constant, 5"],
      [label.aggregate({ kind: "constant", length: 1, per: "turn" }), "constant, 1, per turn"],
      [label.scale({ kind: "none" }), "none"],
      [label.scale({ kind: "group", ...unbiased }), "group"],
      [label.scale({ kind: "batch", ...unbiased, clamp: null }), "batch"],
      [label.scale({ kind: "tokens", ...unbiased }), "batch, by token"],
      [label.scale({ kind: "batch", ...unbiased, clamp: 3 }), "batch, clamp ±3"],
      [label.filter({ kind: "none" }), "none"],
      [label.filter({ kind: "zeroVariance", maxGenerations: 2 }), "zeroVariance"],
      [label.filter({ kind: "topStd", fraction: 0.25 }), "topStd 0.25"],
      [orderLabel({ kind: "simultaneous", oldLogProb: "rollout" }), "simultaneous"],
      [
        orderLabel({ kind: "simultaneous", oldLogProb: "recomputed" }),
        "simultaneous; old log-probs recomputed",
      ],
      [orderLabel({ kind: "forward", ...each, carry: { kind: "off" } }), "forward; carry off"],
      [
        orderLabel({ kind: "random", ...each, carry: { kind: "exact", pooling: "product" } }),
        "random; carry exact, product",
      ],
      [
        orderLabel({ kind: "reverse", oldLogProb: "recomputed", carry, steps: "shared" }),
        "reverse; carry clipped [0.8, 1.2], geometric; old log-probs recomputed; steps shared",
      ],
    ];
    for (const [actual, expected] of cases) assert.equal(actual, expected);
  });

  it("lists the regularizers that are on", () => {
    const none = recipe("grpo", {
      regularizer: { klReference: null, klOld: null, entropyCoef: 0, clippingTriggered: "off" },
    }).regularizer;
    assert.equal(regularizerLabel(none), "none");
    const all = regularizerLabel({
      klReference: { coef: 0.1, ...writtenOut({ estimator: "k3" }) },
      klOld: { coef: 0.2, ...writtenOut({ estimator: "exact", direction: "forward" }) },
      entropyCoef: 0.01,
      entropyTarget: { target: 0.2, step: 0.005, min: 0, max: 1 },
      entropyShare: 0.25,
      covariance: { kind: "penalty", share: 0.002, coef: 2 },
      clippingTriggered: { kind: "gradNorm", floor: 1 },
      observationCoef: 0.3,
      custom: null,
    });
    assert.equal(
      all,
      "KL ref 0.1, k3 of TRL; KL old 0.2, forward exact; entropy 0.01; entropy to 0.2 by 0.005; " +
        "top 0.25 by entropy; KL-Cov 0.002, 2; gradNorm; answers 0.3",
    );
    assert.equal(regularizerLabel({ ...none, entropyCoef: 0.5 }), "entropy 0.5");
    const clip = { kind: "clip", share: 0.1, min: 1, max: 5 } as const;
    assert.equal(regularizerLabel({ ...none, covariance: clip }), "Clip-Cov 0.1 in 1..5");
  });
});

describe("what a value tells the other choices", () => {
  it("a gate says whether it needs a ratio, cuts gradients, and how it is played in closed form", () => {
    const facts = Object.entries(gates).map(([name, gate]) => [
      name,
      gate.needsRatio,
      gate.through,
      gate.cutsGradient,
      gate.ratioShape,
    ]);
    assert.deepEqual(facts, [
      ["none", false, "logProb", false, "line"],
      ["unclipped", true, "ratio", false, "line"],
      ["clip", true, "ratio", true, "clippedLine"],
      ["dualClip", true, "ratio", true, null],
      ["sapo", true, "ratio", false, null],
      ["cispo", true, "logProb", false, null],
      ["logClip", true, "ratio", false, null],
      ["dppo", true, "logProb", true, null],
      ["rlPlus", true, "ratio", false, "line"],
      ["gamma", true, "logProb", false, null],
      ["secondMoment", true, "ratio", true, null],
      ["offPolicyMask", true, "ratio", true, null],
      ["fairClip", true, "ratio", true, null],
      ["dro", true, "both", false, null],
      ["standingClip", true, "ratio", true, null],
    ]);
  });

  it("a level of ratio says how many of the 2 x 3 x 5 cells share one, and along which axes", () => {
    const facts = Object.entries(ratios).map(([name, ratio]) => [
      name,
      ratio.formed,
      ratio.unitSize([2, 3, 5]),
      ratio.axes,
    ]);
    // A turn has 5 cells, a trajectory 3 * 5.
    assert.deepEqual(facts, [
      ["none", false, 1, []],
      ["token", true, 1, []],
      ["turn", true, 5, [2]],
      ["trajectory", true, 15, [1, 2]],
    ]);
  });

  it("a scale says how it divides inside a group: only `group` does", () => {
    const knobs = { unbiased: false, epsilon: 0.1 };
    assert.deepEqual(withinGroup({ kind: "group", ...knobs }), { scale: "group", ...knobs });
    assert.deepEqual(withinGroup({ kind: "none" }), { scale: "none" });
    assert.deepEqual(withinGroup({ kind: "batch", ...knobs, clamp: 3 }), { scale: "none" });
    assert.equal(scales.none.overBatch({}, Float64Array.of(1), Uint8Array.of(1)), null);
    assert.equal(scales.group.overBatch(knobs, Float64Array.of(1), Uint8Array.of(1)), null);
  });

  it("a filter says how often a batch may be sampled: more than once only for dynamic sampling", () => {
    assert.equal(filters.none.generations({}), 1);
    assert.equal(filters.topStd.generations({ fraction: 0.5 }), 1);
    assert.equal(filters.zeroVariance.generations({ maxGenerations: 4 }), 4);
  });

  it("an order says whether it goes turn by turn, and a carry which pooling and bounds it has", () => {
    const flags = Object.entries(orders).map(([name, order]) => [name, order.turnByTurn]);
    assert.deepEqual(flags, [
      ["simultaneous", false],
      ["reverse", true],
      ["forward", true],
      ["random", true],
    ]);
    const clipped = { pooling: "product", low: 0.5, high: 2 } as const;
    assert.deepEqual(carries.clipped.bounds(clipped), [0.5, 2]);
    assert.equal(carries.exact.bounds({ pooling: "product" }), null);
    assert.equal(carries.off.bounds({}), null);
    assert.deepEqual(
      [
        carries.clipped.pooling(clipped),
        carries.exact.pooling({ pooling: "geometric" }),
        carries.off.pooling({}),
      ],
      ["product", "geometric", null],
    );
    assert.equal(carries.off.after({}, 7, 1.5), 1.5);
    // clip(3, .5, 2) = 2, and 2 * 1.5 = 3 again: 2. clip(.1) = .5, and .5 * .4 = .2: .5. 1.1 * 1.2 = 1.32 is inside.
    assert.equal(carries.clipped.after(clipped, 3, 1.5), 2);
    assert.equal(carries.clipped.after(clipped, 0.1, 0.4), 0.5);
    assert.ok(Math.abs(carries.clipped.after(clipped, 1.1, 1.2) - 1.32) < 1e-12);
  });

  it("a clipping-triggered term says what it needs and does", () => {
    const facts = Object.entries(triggered).map(([name, term]) => [name, term.active, term.needsClipBias]);
    assert.deepEqual(facts, [
      ["off", false, false],
      ["gradNorm", true, true],
      ["klPenalty", true, false],
    ]);
    assert.equal(triggered.off.gradientScale({}, 9), 1);
    assert.equal(triggered.off.penalty({}, 0.5), null);
    assert.equal(triggered.gradNorm.penalty({ floor: 1 }, 0.5), null);
    // 1 / max(2, .5) and 1 / max(2, 8).
    assert.deepEqual(
      [0.5, 8].map((norm) => triggered.gradNorm.gradientScale({ floor: 2 }, norm)),
      [0.5, 0.125],
    );
    const kl = writtenOut({ estimator: "k2" });
    const penalty = { lambda: 3, ...kl } as const;
    assert.equal(triggered.klPenalty.gradientScale(penalty, 9), 1);
    assert.deepEqual(triggered.klPenalty.penalty(penalty, 0.5), { coef: 1.5, kl });
  });

  it("is asked for by a name that exists, and the refusal says in which cell it stands", () => {
    const refused = (cell: string, ask: () => unknown): void => {
      assert.throws(ask, ({ name, message }: Error) => {
        assert.equal(name, "RangeError");
        assert.ok(message.startsWith(`Cannot apply a recipe: ${cell} must be one of `), message);
        return true;
      });
    };
    const odd = { kind: "odd", level: "odd", estimator: "odd" } as never;
    refused("ratio.level", () => ratioOf(odd));
    refused("pooling", () => poolingRule("odd" as never));
    refused("the estimator", () => klEstimate(odd, { logProb: 0, other: 0, oldLogProb: 0 }));
    refused("aggregate.kind", () => aggregateOf(odd));
    refused("scale.kind", () => scaleOf(odd));
    refused("filter.kind", () => filterOf(odd));
    refused("order.kind", () => orderOf(odd));
    refused("order.carry.kind", () => carryOf(odd));
    refused("regularizer.clippingTriggered.kind", () => clippingTriggeredOf(odd));
  });
});
