import { recipe, type Recipe, type RecipeName, type RecipeOverrides } from "turnwise/internal/rule/index";
import type { Trap } from "./traps";

type Lever = (trap: Trap) => { readonly row: RecipeName; readonly fields: RecipeOverrides };

const onGrpo =
  (fields: RecipeOverrides): Lever =>
  () => ({ row: "grpo", fields });
const on =
  (row: RecipeName, fields: RecipeOverrides = {}): Lever =>
  () => ({ row, fields });
const turn = (pooling: "geometric" | "arithmetic" | "product"): RecipeOverrides => ({
  ratio: { level: "turn", pooling },
});
/** Estimate of a divergence: by default exact, over the vocabulary of every sampled context. */
type Estimate = { readonly form: "trl" | "trlCorrected" | "verl" } | { readonly estimator: "k2" };
const kl = (coef: number, estimate?: Estimate): RecipeOverrides => ({
  regularizer: { klReference: { coef, ...estimate } },
});
const klPenalty = (estimate?: Estimate): RecipeOverrides => ({
  regularizer: { clippingTriggered: { kind: "klPenalty", lambda: 1, ...estimate } },
});
const oneStep: RecipeOverrides = { update: { epochs: 1, minibatches: 1 } };
/** SeeUPO as released, but without its KL: rare late turns weigh as much as early ones. */
const perTurn: RecipeOverrides = {
  aggregate: { kind: "tokenMean", per: "turn" },
  regularizer: { klReference: null },
};
/**
 * As many steps on a batch as the other levers take, shared out among the turns. A turn takes a part of the steps, each of
 * which has the weight of a whole batch, so that it moves as far as in a step on all turns.
 */
const sharedSteps: RecipeOverrides = { order: { steps: "shared" } };

/** On binary rewards, advantages without a std are about .4 times as large: SGD gets 4 times the learning rate. */
const unscaledRow =
  (row: RecipeName, fields: RecipeOverrides): Lever =>
  ({ optimizer }) => ({
    row,
    fields: {
      ...fields,
      ...(optimizer.kind === "sgd" && {
        update: { optimizer: { learningRate: 4 * optimizer.learningRate } },
      }),
    },
  });
const unscaled = unscaledRow("grpo", { scale: "none" });
/** LOOP with the ratio of a token, a turn or a trajectory, always a product, as in its own comparison of the three. */
const unscaledLoop = (fields: RecipeOverrides): Lever => unscaledRow("loop", fields);

/**
 * The step is g / max(1, ||C|| / c0) with c0 = .05, the size of gradients here; ||C|| would never reach the row's floor of 1.
 * The row computes g / max(floor, ||C||), so SGD's learning rate makes up for the constant factor. Adam needs no correction.
 */
const byClipBias =
  (row: RecipeName, fields: RecipeOverrides = {}): Lever =>
  ({ optimizer }) => ({
    row,
    fields: {
      ...fields,
      regularizer: { clippingTriggered: { kind: "gradNorm", floor: 0.05 } },
      ...(optimizer.kind === "sgd" && {
        update: { optimizer: { learningRate: 0.05 * optimizer.learningRate } },
      }),
    },
  });

/**
 * The levers that are said to prevent a collapse, each as a change of the vanilla row, GRPO with the mean over tokens.
 *
 * A named row brings its ratio, advantage and order. Clip range, aggregate, optimizer and reuse stay those of the trap, so
 * that every cell of the matrix has the same samples and the same number of steps, but for levers with "1 step" in their names.
 */
const levers = {
  vanilla: onGrpo({}),
  "1 step per batch": onGrpo(oneStep),
  SGD: onGrpo({ update: { optimizer: { kind: "sgd", learningRate: 8 } } }),
  "Adam beta2 .95": onGrpo({ update: { optimizer: { kind: "adam", beta2: 0.95 } } }),
  "KL to reference .1": onGrpo(kl(0.1)),
  "KL to reference .2": onGrpo(kl(0.2)),
  "KL to reference .1, k3 of TRL": onGrpo(kl(0.1, { form: "trl" })),
  "KL to reference .1, k3 of TRL, corrected": onGrpo(kl(0.1, { form: "trlCorrected" })),
  "KL to reference .1, k3 of verl": onGrpo(kl(0.1, { form: "verl" })),
  "KL to reference .1, k2": onGrpo(kl(0.1, { estimator: "k2" })),
  "no std": unscaled,
  "batch std": onGrpo({ scale: "batch" }),
  "entropy bonus .01": onGrpo({ regularizer: { entropyCoef: 0.01 } }),
  "entropy bonus .05": onGrpo({ regularizer: { entropyCoef: 0.05 } }),
  "clip-higher .28": onGrpo({ gate: { kind: "clip", clipHigh: 0.28 } }),
  "dual clip 3": onGrpo({ gate: { kind: "dualClip", dualClip: 3 } }),
  "gradient clip": ({ optimizer }) => ({
    row: "grpo",
    fields: { update: { optimizer: { maxGradNorm: optimizer.kind === "adam" ? 0.05 : 1 } } },
  }),
  "filter 50 %": onGrpo({ filter: { kind: "topStd", fraction: 0.5 } }),
  "filter 25 %": onGrpo({ filter: { kind: "topStd", fraction: 0.25 } }),
  "turn ratio geometric": onGrpo(turn("geometric")),
  "turn ratio arithmetic": onGrpo(turn("arithmetic")),
  "turn ratio product": onGrpo(turn("product")),
  GSPO: on("gspo"),
  "clip penalty, KL": onGrpo(klPenalty()),
  "clip penalty, KL, k3 of TRL": onGrpo(klPenalty({ form: "trl" })),
  "clip penalty, KL, k3 of verl": onGrpo(klPenalty({ form: "verl" })),
  "clip penalty, gradient": byClipBias("grpo"),
  "SO-GRPO, KL": on("soGrpo", klPenalty()),
  "SO-GRPO, KL, k3 of TRL": on("soGrpo", klPenalty({ form: "trl" })),
  "SO-GRPO, KL, k3 of verl": on("soGrpo", klPenalty({ form: "verl" })),
  "SO-GRPO, gradient": byClipBias("soGrpo"),
  "PPO (critic)": on("ppo", { advantage: { kind: "gae", level: "turn" } }),
  "SO-PPO, KL": on("soPpo", klPenalty()),
  "SO-PPO, KL, k3 of TRL": on("soPpo", klPenalty({ form: "trl" })),
  "SO-PPO, KL, k3 of verl": on("soPpo", klPenalty({ form: "verl" })),
  "SO-PPO, gradient": byClipBias("soPpo"),
  "SeeUPO, 1 step per turn": on("seeUpoAuthors", { ...perTurn, ...oneStep }),
  "SeeUPO, equal steps": on("seeUpoAuthors", { ...perTurn, ...sharedSteps }),
  "SeeUPO, equal steps, no std": unscaledRow("seeUpoAuthors", { ...perTurn, ...sharedSteps, scale: "none" }),
  "LOOP, token": unscaledLoop({ ratio: "token" }),
  "LOOP, turn": unscaledLoop(turn("product")),
  "LOOP, trajectory": unscaledLoop({ ratio: { level: "trajectory", pooling: "product" } }),
} satisfies Record<string, Lever>;

/** The name of a lever. */
export type LeverName = keyof typeof levers;
/** The names of all levers. */
export const leverNames = Object.freeze(Object.keys(levers)) as readonly LeverName[];

/** The row that a lever makes of the vanilla row in the setting of a trap. */
export function leverRecipe(lever: LeverName, trap: Trap): Recipe {
  const { row, fields } = (levers[lever] as Lever)(trap);
  const own = fields.update as { readonly optimizer?: object } | undefined;
  return recipe(row, {
    aggregate: "tokenMean",
    ...(row !== "grpo" && row !== "loop" && { gate: { kind: "clip", clipLow: 0.2, clipHigh: 0.2 } }),
    ...fields,
    ...(fields.scale === undefined && recipe(row).scale.kind === "group"
      ? { scale: { kind: "group", unbiased: false } }
      : {}),
    update: {
      epochs: trap.epochs,
      minibatches: trap.minibatches,
      ...own,
      optimizer: { ...trap.optimizer, ...own?.optimizer },
    },
  });
}
