/** One cell's knob: its value when a choice is switched to, and what it may be set to. */
export interface Knob {
  readonly initial: unknown;
  /** Completes "must be ...". */
  readonly wanted: string;
  readonly accepts: (value: unknown) => boolean;
}

const isNumber = (value: unknown): value is number => typeof value === "number" && Number.isFinite(value);

function number(initial: number | null, wanted: string, accepts: (value: number) => boolean): Knob {
  return { initial, wanted, accepts: (value) => isNumber(value) && accepts(value) };
}

function orNull(knob: Knob): Knob {
  return {
    ...knob,
    wanted: `${knob.wanted}, or null`,
    accepts: (value) => value === null || knob.accepts(value),
  };
}

const unit = (initial: number): Knob => number(initial, "from 0 to 1", (x) => x >= 0 && x <= 1);
const positive = (initial: number): Knob => number(initial, "above 0", (x) => x > 0);
const nonNegative = (initial: number): Knob => number(initial, "at least 0", (x) => x >= 0);
const count = (initial: number): Knob =>
  number(initial, "a whole number of at least 1", (x) => Number.isInteger(x) && x >= 1);
const flag = (initial: boolean): Knob => ({
  initial,
  wanted: "true or false",
  accepts: (value) => typeof value === "boolean",
});
const oneOf = (...values: readonly [string, ...string[]]): Knob => ({
  initial: values[0],
  wanted: values.map((value) => `"${value}"`).join(" or "),
  accepts: (value) => values.includes(value as string),
});

const pooling = oneOf("geometric", "product", "arithmetic");
const estimator = oneOf("k3", "k1", "k2");
const deviation = { unbiased: flag(true), epsilon: nonNegative(1e-6) };
const clip = {
  clipLow: number(0.2, "above 0 and below 1", (x) => x > 0 && x < 1),
  clipHigh: positive(0.2),
};
const gradClip = orNull(number(null, "above 0", (x) => x > 0));

/** A cell that is one of several choices, told apart by the field `by`. */
export interface Union {
  readonly type: "union";
  readonly by: string;
  readonly choices: Readonly<Record<string, Fields>>;
}

/** A cell that may be null. */
export interface Optional {
  readonly type: "optional";
  readonly fields: Fields;
}

/** A cell that is always there. */
export interface Group {
  readonly type: "group";
  readonly fields: Fields;
}

export type Field = Knob | Union | Optional | Group;
// An interface, because a type alias may not refer to itself here.
// eslint-disable-next-line @typescript-eslint/consistent-indexed-object-style
export interface Fields {
  readonly [name: string]: Field;
}

const union = (by: string, choices: Readonly<Record<string, Fields>>): Union => ({
  type: "union",
  by,
  choices,
});
const optional = (fields: Fields): Optional => ({ type: "optional", fields });
const group = (fields: Fields): Group => ({ type: "group", fields });

const carry = union("kind", {
  exact: { pooling: oneOf("product", "geometric") },
  off: {},
  clipped: {
    pooling: oneOf("geometric", "product"),
    low: number(0.8, "above 0 and at most 1", (x) => x > 0 && x <= 1),
    high: number(1.2, "at least 1", (x) => x >= 1),
  },
});
const oldLogProb = oneOf("rollout", "recomputed");
const sequential = { oldLogProb, carry };

/** Every cell of a row: its choices, and the knobs that each choice has. What is not here is refused. */
export const schema = {
  reward: group({
    overlong: optional({ maxLength: count(20480), buffer: count(4096) }),
    kl: optional({ coef: nonNegative(0.001), estimator: oneOf("k1", "k2", "k3") }),
  }),
  filter: union("kind", {
    none: {},
    zeroVariance: { maxGenerations: count(10) },
    topStd: { fraction: number(0.25, "above 0 and at most 1", (x) => x > 0 && x <= 1) },
  }),
  advantage: union("kind", {
    return: {},
    mean: { groupBy: oneOf("task", "taskAgent"), allowSingleton: flag(false) },
    leaveOneOut: {},
    perTurn: { credit: oneOf("reward", "rewardToGo"), minGroup: count(2) },
    gae: {
      level: oneOf("token", "turn"),
      gamma: unit(1),
      lambda: unit(1),
      valueCoef: nonNegative(0.5),
      valueTarget: oneOf("monteCarlo", "lambdaReturn"),
    },
    biLevelGae: {
      gamma: unit(1),
      lambda: unit(1),
      gammaTurn: unit(0.95),
      lambdaTurn: unit(1),
      valueCoef: nonNegative(0.5),
    },
    gigpo: { weight: nonNegative(1), gamma: unit(0.95), allowSingleton: flag(false) },
    hierarchical: {
      gamma: unit(0.95),
      lambdaTurn: unit(0.95),
      lambdaSegment: unit(0.95),
      valueCoef: nonNegative(0.5),
    },
  }),
  scale: union("kind", {
    none: {},
    group: deviation,
    batch: { ...deviation, clamp: orNull(number(null, "above 0", (x) => x > 0)) },
  }),
  ratio: union("level", { none: {}, token: {}, turn: { pooling }, trajectory: { pooling } }),
  gate: union("kind", {
    none: {},
    unclipped: {},
    clip,
    dualClip: { ...clip, dualClip: number(3, "above 1", (x) => x > 1) },
    sapo: { tauPositive: positive(1), tauNegative: positive(1.05) },
  }),
  aggregate: union("kind", {
    tokenMean: { per: oneOf("batch", "turn") },
    sequenceMeanTokenMean: { per: oneOf("batch", "turn") },
    turnMean: { over: oneOf("trajectory", "batch") },
    constant: {
      length: {
        initial: "maximum",
        wanted: '"maximum" or a number above 0',
        accepts: (value: unknown) => value === "maximum" || (isNumber(value) && value > 0),
      },
    },
  }),
  order: union("kind", {
    simultaneous: { oldLogProb },
    reverse: sequential,
    forward: sequential,
    random: sequential,
  }),
  regulariser: group({
    klReference: optional({ coef: nonNegative(0.001), estimator }),
    klOld: optional({ coef: nonNegative(0.001), estimator }),
    entropyCoef: nonNegative(0),
    clippingTriggered: union("kind", {
      off: {},
      gradNorm: { floor: positive(1) },
      klPenalty: { lambda: nonNegative(1), estimator },
    }),
  }),
  update: group({
    epochs: count(1),
    minibatches: count(1),
    optimiser: union("kind", {
      adam: {
        learningRate: nonNegative(0.03),
        beta1: number(0.9, "at least 0 and below 1", (x) => x >= 0 && x < 1),
        beta2: number(0.999, "at least 0 and below 1", (x) => x >= 0 && x < 1),
        epsilon: positive(1e-8),
        gradClip,
      },
      sgd: { learningRate: nonNegative(1), gradClip },
    }),
  }),
} as const satisfies Record<string, Field>;
