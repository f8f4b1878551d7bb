import fc, { type Arbitrary } from "fast-check";
import { recipe, type Recipe, type RecipeOverrides } from "turnwise";

/** Knobs of every value of a choice: a value without them does not compile. */
type Each<Choice> = Record<
  Choice extends { readonly kind: infer K extends string }
    ? K
    : Choice extends { readonly level: infer K extends string }
      ? K
      : never,
  Arbitrary<object>
>;

const of = fc.constantFrom;
const between = (min: number, max: number): Arbitrary<number> => fc.double({ min, max, noNaN: true });
const nothing = fc.constant({});
const estimator = of("k1", "k2", "k3");
const pooling = of("geometric", "product", "arithmetic");
const discount = of(0, 0.5, 0.95, 1);
const coefficient = of(0, 0.01, 0.3);
const deviation = { unbiased: fc.boolean(), epsilon: of(1e-6, 1e-3, 0.5) };
const clip = { clipLow: between(0.01, 0.5), clipHigh: between(0.01, 0.5) };
const per = of("batch", "turn");
const penalty = fc.record({ coef: coefficient, estimator });
const oldLogProb = of("rollout", "recomputed");

type Carry = Extract<Recipe["order"], { readonly carry: unknown }>["carry"];

const sequential = fc.record({ oldLogProb });

/** Every choice that a row makes: its values, and arbitrary knobs for each. */
export const choices = {
  filter: {
    none: nothing,
    zeroVariance: fc.record({ maxGenerations: of(1, 2, 4) }),
    topStd: fc.record({ fraction: of(0.25, 0.5, 1) }),
  } satisfies Each<Recipe["filter"]>,
  advantage: {
    return: nothing,
    mean: fc.record({ groupBy: of("task", "taskAgent"), allowSingleton: fc.boolean() }),
    leaveOneOut: nothing,
    perTurn: fc.record({ credit: of("reward", "rewardToGo"), minGroup: of(1, 2, 3) }),
    gae: fc.record({
      level: of("token", "turn"),
      gamma: discount,
      lambda: discount,
      valueCoef: coefficient,
      valueTarget: of("monteCarlo", "lambdaReturn"),
    }),
    biLevelGae: fc.record({
      gamma: discount,
      lambda: discount,
      gammaTurn: discount,
      lambdaTurn: discount,
      valueCoef: coefficient,
    }),
    gigpo: fc.record({ weight: coefficient, gamma: discount, allowSingleton: fc.boolean() }),
    hierarchical: fc.record({
      gamma: discount,
      lambdaTurn: discount,
      lambdaSegment: discount,
      valueCoef: coefficient,
    }),
  } satisfies Each<Recipe["advantage"]>,
  scale: {
    none: nothing,
    group: fc.record(deviation),
    batch: fc.record({ ...deviation, clamp: fc.option(between(0.2, 2)) }),
  } satisfies Each<Recipe["scale"]>,
  ratio: {
    none: nothing,
    token: nothing,
    turn: fc.record({ pooling }),
    trajectory: fc.record({ pooling }),
  } satisfies Each<Recipe["ratio"]>,
  gate: {
    none: nothing,
    unclipped: nothing,
    clip: fc.record(clip),
    dualClip: fc.record({ ...clip, dualClip: between(1.01, 2) }),
    sapo: fc.record({ tauPositive: between(0.5, 2), tauNegative: between(0.5, 2) }),
  } satisfies Each<Recipe["gate"]>,
  aggregate: {
    tokenMean: fc.record({ per }),
    sequenceMeanTokenMean: fc.record({ per }),
    turnMean: fc.record({ over: of("trajectory", "batch") }),
    constant: fc.record({ length: of("maximum", 1, 2.5) }),
  } satisfies Each<Recipe["aggregate"]>,
  order: {
    simultaneous: sequential,
    reverse: sequential,
    forward: sequential,
    random: sequential,
  } satisfies Each<Recipe["order"]>,
  carry: {
    off: nothing,
    exact: fc.record({ pooling: of("product", "geometric") }),
    clipped: fc.record({ pooling: of("product", "geometric"), low: between(0.5, 1), high: between(1, 1.5) }),
  } satisfies Each<Carry>,
  clippingTriggered: {
    off: nothing,
    gradNorm: fc.record({ floor: of(0.1, 1) }),
    klPenalty: fc.record({ lambda: coefficient, estimator }),
  } satisfies Each<Recipe["regulariser"]["clippingTriggered"]>,
  optimiser: {
    sgd: fc.record({ learningRate: between(0.1, 2), gradClip: fc.option(between(0.05, 1)) }),
    adam: fc.record({
      learningRate: between(0.01, 0.3),
      beta1: of(0, 0.5, 0.9),
      beta2: of(0.5, 0.999),
      epsilon: of(1e-3, 0.1), // a smaller one would magnify differences of rounding
      gradClip: fc.option(between(0.05, 1)),
    }),
  } satisfies Each<Recipe["update"]["optimiser"]>,
};

export type Choice = keyof typeof choices;

/** Any row that `recipe` accepts, with one choice fixed if wanted; what it refuses is drawn anew. */
export function arbitraryRow(fixed?: Choice, value?: string): Arbitrary<Recipe> {
  const any = (choice: Choice): Arbitrary<Record<string, unknown>> => {
    const values = Object.entries(choices[choice] as Record<string, Arbitrary<object>>);
    const by = choice === "ratio" ? "level" : "kind";
    const allowed = values.filter(([name]) => choice !== fixed || name === value);
    return fc.oneof(...allowed.map(([name, knobs]) => knobs.map((k) => ({ [by]: name, ...k }))));
  };
  const order = fc
    .tuple(any("order"), any("carry"))
    .map(([o, carry]) => (o["kind"] === "simultaneous" && fixed !== "carry" ? o : { ...o, carry }));
  const cells = fc.record({
    reward: fc.record({
      overlong: fc.option(of({ maxLength: 6, buffer: 4 }, { maxLength: 3, buffer: 1 })),
      kl: fc.option(penalty),
    }),
    filter: any("filter"),
    advantage: any("advantage"),
    scale: any("scale"),
    ratio: any("ratio"),
    gate: any("gate"),
    aggregate: any("aggregate"),
    order,
    regulariser: fc.record({
      klReference: fc.option(penalty),
      klOld: fc.option(penalty),
      entropyCoef: coefficient,
      clippingTriggered: any("clippingTriggered"),
    }),
    update: fc.record({ epochs: of(1, 2, 3), minibatches: of(1, 2, 5), optimiser: any("optimiser") }),
  });
  return cells.map(accepted).filter((row) => row !== undefined);
}

function accepted(overrides: object): Recipe | undefined {
  try {
    return recipe("reinforce", overrides as RecipeOverrides);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
