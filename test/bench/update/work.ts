// Uses internals of turnwise/policy.
import {
  createRng,
  NeuralPolicy,
  recipe,
  surrogateGradient,
  type Batch,
  type Recipe,
  createOptimizer,
} from "turnwise";
import { type NeuralOptions } from "turnwise/internal/policy/index";
import { oneTurnBatch } from "../oneTurnBatch.js";

export type Kind = NeuralOptions["kind"];
export const KINDS: readonly Kind[] = ["mlp", "gru", "transformer"];

const LEARNING_RATE = 1e-3;
const GRADIENT_CLIP = 1;
/** Tokens of a turn of the sequence models, and of the MLP's context. */
const LENGTH = 64;
const WINDOW = 12;

/** One full update on a fixed batch, and the same as data for a peer. */
export interface Work {
  /** Forward, loss, backward and Adam; returns the loss before the step. */
  step(): number;
  readonly policy: NeuralPolicy;
  /** Floating-point operations of a step: the products of forward and backward, causal attention by half. */
  readonly operations: number;
  readonly weights: Float32Array;
  readonly width: number;
  readonly vocabularySize: number;
  /** What is updated on, for other expressions of it. */
  readonly update: {
    readonly batch: Batch;
    readonly row: Recipe;
    readonly advantage_ntl: Float64Array;
    readonly tokenCount: number;
    readonly window: number;
  };
  readonly spec: Readonly<Record<string, unknown>>;
}

export function policyOf(kind: Kind, compute: "float64" | "wasm"): NeuralPolicy {
  const sequence = kind !== "mlp";
  const size = sequence ? 64 : 16;
  return new NeuralPolicy(
    {
      vocabulary: Array.from({ length: size }, (_, i) => `t${i}`),
      observationVocabulary: Array.from({ length: 16 }, (_, i) => `o${i}`),
      maxTokens: sequence ? LENGTH : 1,
    },
    {
      kind,
      width: 64,
      window: sequence ? LENGTH + 1 : WINDOW,
      seed: 1,
      compute,
      ...(kind === "transformer" && { layers: 2, heads: 4 }),
    },
  );
}

/** `samples` counts tokens: of turns of one token for the MLP, of turns of 64 for the others. */
export function work(kind: Kind, samples: number, compute: "float64" | "wasm"): Work {
  const policy = policyOf(kind, compute);
  const rng = createRng(5).split(kind, samples);
  const sequence = kind !== "mlp";
  const L = sequence ? LENGTH : 1;
  const N = samples / L;
  const [V, tokenCount] = sequence ? [64, 81] : [16, 33];
  const draw = (length: number, below: number): number[] => Array.from({ length }, () => rng.below(below));
  const contexts = Array.from({ length: N }, () => (sequence ? [tokenCount - 1] : draw(WINDOW, tokenCount)));
  const advantage_ntl = Float64Array.from({ length: samples }, () => rng.normal());
  const blank = oneTurnBatch(L, draw(samples, V), new Array<number>(samples).fill(0), contexts);
  const oldLogProb_ntl = policyOf(kind, "float64")
    .evaluate(blank)
    .logProb_ntl.map((x) => x + 0.05 * rng.normal());
  const batch = { ...blank, oldLogProb_ntl };
  const row = recipe("reinforcePlusPlus", {
    update: { optimizer: { kind: "adam", learningRate: LEARNING_RATE, maxGradNorm: GRADIENT_CLIP } },
  });
  const optimizer = createOptimizer(row.update.optimizer);
  const weights = Float32Array.from(policy.parameters);
  policy.parameters.set(weights);
  const tokens = contexts.flatMap((context, n) =>
    sequence ? [...context, ...batch.token_ntl.subarray(n * L, (n + 1) * L - 1)] : [...context].reverse(),
  );
  return {
    policy,
    weights,
    width: 64,
    vocabularySize: V,
    update: { batch, row, advantage_ntl, tokenCount, window: WINDOW },
    operations: samples * operationsPerToken(kind, V),
    spec: {
      task: "update",
      kind,
      table: policy.parameterTable(),
      ...{ width: 64, layers: 2, heads: 4, window: WINDOW, tokenCount, firstPlace: 1 },
      ...{ learningRate: LEARNING_RATE, maxGradNorm: GRADIENT_CLIP, sequences: N, tokens },
      chosen: Array.from(batch.token_ntl),
      old: Array.from(oldLogProb_ntl),
      advantage: Array.from(advantage_ntl),
    },
    step() {
      const evaluation = policy.evaluate(batch);
      const { loss, dLogProb_ntl } = surrogateGradient(
        {
          shape: batch.shape,
          logProb_ntl: evaluation.logProb_ntl,
          oldLogProb_ntl,
          mask_ntl: batch.mask_ntl,
          advantage_ntl,
          entropy_ntl: evaluation.entropy_ntl,
        },
        row,
      );
      const gradient = policy.sparseBackward(batch, { dLogProb_ntl }, undefined, undefined, evaluation);
      optimizer.step(policy.parameters, gradient);
      return loss;
    },
  };
}

/** A product of a row with a [from, to] matrix is 2 from to; backward is twice forward. */
function operationsPerToken(kind: Kind, V: number): number {
  const width = 64;
  const head = 2 * width * V;
  // The first layer of the MLP adds up embeddings: no product.
  if (kind === "mlp") return 3 * (2 * width * width + head);
  if (kind === "gru") return 3 * (6 * width * width + head);
  const attention = 2 * 2 * width * (LENGTH / 2);
  return 3 * (2 * (2 * 12 * width * width + attention) + head);
}
