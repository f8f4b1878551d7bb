import { displaySymbol, type MimeBundle } from "../../base/display";
import type { EnvSpec } from "../../env/env";
import type { Batch } from "../../batch/batch";
import { createRng, type Rng } from "../../base/rng";
import { showPolicy } from "../card";
import { fixedSnapshot, fixedState, restoreFixed } from "../fixedState";
import {
  inOneBlock,
  type EvaluateOptions,
  type Evaluation,
  type EvaluationGradient,
  type History,
  type ParameterRow,
  type Policy,
  type PolicyState,
  type Sample,
  type SparseGradient,
} from "../policy";
import { Float64Compute } from "./float64Compute";
import { fusedReport, usedKernels, type UsedKernels } from "../../tensor/fused";
import { FusedCompute } from "./fusedCompute";
import { fusedNetworkOf } from "./fusedNetworkOf";
import { gru } from "./gru";
import { mlp } from "./mlp";
import { blockSize, offsets, type Network, type ParameterSpec } from "./network";
import type { NeuralCompute } from "./neuralCompute";
import { readPolicyOptions, type Compute, type NeuralOptions, type NeuralSettings } from "../options";
import { fasterCompute, sizeKey, type ComputeChoice } from "./selfTest";
import { transformer } from "./transformer";

type PolicySpec = Pick<EnvSpec, "vocabulary" | "observationVocabulary" | "maxTokens" | "endToken">;

/**
 * A neural policy over the tokens so far: logits = h W_out + b_out, value = h_0 . w_value, h from a causal network.
 *
 * Its context is the episode's sequence of tokens: a start token, then observations and turns in order, cut to the latest
 * `window`. `Float64Compute` or `FusedCompute` computes it.
 */
export class NeuralPolicy implements Policy {
  readonly name: string;
  readonly parameters: Float64Array;
  readonly #spec: PolicySpec;
  readonly #options: NeuralSettings;
  readonly #network: Network;
  readonly #blocks: readonly ParameterSpec[];
  readonly #at: (name: string) => number;
  #compute: NeuralCompute;
  #gradient: Float64Array | undefined;
  /** Result of the self-test, if `compute` is "auto". */
  readonly computeChoice: ComputeChoice | undefined;

  constructor(spec: PolicySpec, options: NeuralOptions) {
    this.#spec = spec;
    const { kind, ...given } = options;
    this.#options = { kind, ...readPolicyOptions(kind, given) };
    const { window, valueHead, compute } = this.#options;
    if (window <= spec.maxTokens) {
      throw new RangeError(
        `Cannot make a ${kind} policy: window must be an integer above maxTokens (${spec.maxTokens}), got ${window}.`,
      );
    }
    this.#network = networkOf(this.#tokenCount, this.#options);
    this.name = this.#network.name;
    const { width } = this.#network;
    this.#blocks = [
      ...this.#network.parameters,
      { name: "out", shape: [width, spec.vocabulary.length], init: { normal: 0.1 / Math.sqrt(width) } },
      { name: "out-bias", shape: [spec.vocabulary.length], init: { constant: 0 } },
      ...(valueHead ? [{ name: "value", shape: [width, 1], init: { constant: 0 } }] : []),
    ];
    this.#at = offsets(this.#blocks);
    this.parameters = new Float64Array(this.parameterTable().reduce((sum, { count }) => sum + count, 0));
    this.#initialize(createRng(this.#options.seed).split(this.name));
    this.computeChoice = compute === "auto" ? this.#selfTest() : undefined;
    this.#compute = this.#make(compute === "auto" ? this.computeChoice!.compute : compute);
  }

  /** Which of the two computations is in use. */
  get compute(): Compute {
    return this.#compute instanceof FusedCompute ? "wasm" : "float64";
  }

  /** "float64", or which of the fused kernels this engine runs: "wasm", "wasm relaxed", or "plain" without WebAssembly. */
  get computeKind(): string {
    return this.#compute instanceof FusedCompute ? fusedReport().kind : "float64";
  }

  /** Which kernels ran, where networks are computed in 32 bits. */
  get computeKernels(): UsedKernels | undefined {
    return this.#compute instanceof FusedCompute ? usedKernels() : undefined;
  }

  /** Names, shapes and counts of the weights, in the order of `parameters`. */
  parameterTable(): ParameterRow[] {
    return this.#blocks.map(({ name, shape }) => ({ name, shape, count: blockSize(shape) }));
  }

  contextOf(history: History): number[] {
    const tokens = [this.#tokenCount - 1];
    history.observations.forEach((observation, t) => {
      tokens.push(...observation.tokens);
      if (t < history.actions.length) tokens.push(...history.actions[t]!);
    });
    return tokens.slice(-(this.#options.window - this.#spec.maxTokens + 1));
  }

  sample(
    histories: readonly History[],
    rngs: readonly Rng[],
    options: { temperature?: number } = {},
  ): Sample[] {
    const contexts = histories.map((history) => this.contextOf(history));
    return this.#compute.sample(this.parameters, contexts, rngs, options.temperature ?? 1);
  }

  evaluate(
    batch: Batch,
    rows?: ArrayLike<number>,
    turns?: ArrayLike<number>,
    _spent?: Evaluation,
    options?: EvaluateOptions,
  ): Evaluation {
    return this.#compute.evaluate(this.parameters, batch, rows, turns, options);
  }

  backward(
    batch: Batch,
    gradient: EvaluationGradient,
    rows?: ArrayLike<number>,
    turns?: ArrayLike<number>,
    evaluation?: Evaluation,
  ): Float64Array {
    return this.#compute.backward(this.parameters, batch, gradient, rows, turns, evaluation);
  }

  /** `backward` into an array that the next call overwrites, because allocating one of this size is slow. */
  sparseBackward(
    batch: Batch,
    gradient: EvaluationGradient,
    rows?: ArrayLike<number>,
    turns?: ArrayLike<number>,
    evaluation?: Evaluation,
  ): SparseGradient {
    this.#gradient ??= new Float64Array(this.parameters.length);
    this.#compute.backward(this.parameters, batch, gradient, rows, turns, evaluation, this.#gradient);
    return inOneBlock(this.#gradient);
  }

  nextTokenLogProb(context: unknown, prefix: readonly number[]): Float64Array {
    return this.#compute.nextTokenLogProb(this.parameters, context as number[], prefix);
  }

  /** MIME bundle that a notebook displays for this object. */
  [displaySymbol](): MimeBundle {
    return showPolicy(this);
  }

  clone(): NeuralPolicy {
    const copy = new NeuralPolicy(this.#spec, this.#options);
    copy.parameters.set(this.parameters);
    return copy;
  }

  /** Everything that `restore` takes back: plain data. */
  state(): PolicyState {
    return { ...fixedState(this), ...this.#computed() };
  }

  snapshot(): PolicyState {
    return { ...fixedSnapshot(this), ...this.#computed() };
  }

  /** With "auto" the state says which computation was in use, so that a resumed run gets the same bits. */
  #computed(): Pick<PolicyState, "extra"> {
    return this.#options.compute === "auto" ? { extra: { compute: this.compute } } : {};
  }

  restore(state: PolicyState): void {
    restoreFixed(this, state, this.name);
    const before = (state.extra as { compute?: Compute } | undefined)?.compute;
    if (before && before !== this.compute && this.#options.compute === "auto")
      this.#compute = this.#make(before);
  }

  #make(compute: Compute): NeuralCompute {
    const shared = {
      spec: this.#spec,
      window: this.#options.window,
      valueHead: this.#options.valueHead,
      at: this.#at,
    };
    if (compute === "float64") return new Float64Compute({ ...shared, network: this.#network });
    const network = fusedNetworkOf(this.#tokenCount, this.#options, this.#at);
    return new FusedCompute({ ...shared, network, parameterCount: this.parameters.length });
  }

  #selfTest(): ComputeChoice {
    const { vocabulary, maxTokens } = this.#spec;
    return fasterCompute(
      sizeKey(this.#options, this.#tokenCount),
      (one) => new NeuralPolicy(this.#spec, { ...this.#options, compute: one }),
      {
        tokenCount: this.#tokenCount,
        vocabulary: vocabulary.length,
        maxTokens,
        context: this.#options.window - maxTokens + 1,
      },
    );
  }

  get #tokenCount(): number {
    return this.#spec.vocabulary.length + this.#spec.observationVocabulary.length + 1;
  }

  #initialize(rng: Rng): void {
    let offset = 0;
    for (const { shape, init } of this.#blocks) {
      const count = blockSize(shape);
      for (let i = 0; i < count; i++) {
        this.parameters[offset + i] = "normal" in init ? init.normal * rng.normal() : init.constant;
      }
      offset += count;
    }
  }
}

function networkOf(tokenCount: number, o: NeuralSettings): Network {
  const { width, window } = o;
  if (o.kind === "mlp") return mlp(tokenCount, { window, width });
  if (o.kind === "gru") return gru(tokenCount, { width });
  const { layers = 1, heads = 2 } = o;
  if (width % heads !== 0) {
    throw new RangeError(
      `Cannot make a transformer policy: width must be a multiple of heads, got ${width} and ${heads}.`,
    );
  }
  return transformer(tokenCount, { width, layers, heads, window });
}
