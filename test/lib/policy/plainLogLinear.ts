// Uses internals of turnwise/base.
import { exp } from "turnwise/tensor";
import { log } from "turnwise/internal/base/elementary/log";
import { LogLinearPolicy, type Batch, type EnvSpec, type Policy, type Rng } from "turnwise";
import {
  type Evaluation,
  type EvaluationGradient,
  type History,
  type LogLinearOptions,
  type PolicyState,
  type Sample,
} from "turnwise/internal/policy/index";

/** The log-linear policy as its formula reads: every cell is computed where it is needed, and nothing is kept. */
export class PlainLogLinear implements Policy {
  readonly name = "logLinear";
  readonly parameters: Float64Array;
  readonly #V: number;
  readonly #O: number;

  constructor(
    private readonly spec: EnvSpec,
    private readonly options: LogLinearOptions,
  ) {
    this.#V = spec.vocabulary.length;
    this.#O = spec.observationVocabulary.length;
    this.parameters = new LogLinearPolicy(spec, options).parameters;
  }

  contextOf(history: History): number[] {
    const turn = history.actions.length;
    const observation = history.observations[turn]!.tokens[0]! - this.#V;
    return [turn, observation, history.actions.at(-1)?.at(-1) ?? this.#V];
  }

  sample(histories: readonly History[], rngs: readonly Rng[], o: { temperature?: number } = {}): Sample[] {
    return histories.map((history, i) => {
      const context = this.contextOf(history);
      const tokens: number[] = [];
      const logProb: number[] = [];
      while (tokens.length < this.spec.maxTokens) {
        const cell = this.#softmax(context, tokens, o.temperature ?? 1);
        const token = rngs[i]!.categorical(cell.logProb);
        tokens.push(token);
        logProb.push(cell.logProb[token]!);
      }
      return { tokens, logProb, context };
    });
  }

  evaluate(batch: Batch, _rows?: ArrayLike<number>, turns?: ArrayLike<number>): Evaluation {
    const logProb_ntl = new Float64Array(batch.mask_ntl.length);
    const entropy_ntl = new Float64Array(batch.mask_ntl.length);
    this.#eachCell(batch, turns, (i, token, { logProb, entropy }) => {
      logProb_ntl[i] = logProb[token]!;
      entropy_ntl[i] = entropy;
    });
    return { logProb_ntl, entropy_ntl };
  }

  backward(
    batch: Batch,
    { dLogProb_ntl, dEntropy_ntl }: EvaluationGradient,
    _rows?: ArrayLike<number>,
    turns?: ArrayLike<number>,
  ): Float64Array {
    const result = new Float64Array(this.parameters.length);
    this.#eachCell(batch, turns, (i, token, { rows, logProb, entropy }) => {
      const dEntropy = dEntropy_ntl?.[i] ?? 0;
      for (const row of rows) {
        for (let v = 0; v < this.#V; v++) {
          const p = exp(logProb[v]!);
          let d = -dLogProb_ntl[i]! * p;
          if (dEntropy !== 0) d -= dEntropy * p * (logProb[v]! + entropy);
          if (v === token) d += dLogProb_ntl[i]!;
          result[row * this.#V + v]! += d;
        }
      }
    });
    return result;
  }

  nextTokenLogProb(context: unknown, prefix: readonly number[]): Float64Array {
    return this.#softmax(context as number[], prefix, 1).logProb;
  }

  clone(): PlainLogLinear {
    const copy = new PlainLogLinear(this.spec, this.options);
    copy.parameters.set(this.parameters);
    return copy;
  }

  state(): PolicyState {
    return { name: this.name, parameters: Array.from(this.parameters) };
  }

  restore({ parameters }: PolicyState): void {
    this.parameters.set(parameters);
  }

  #eachCell(
    { shape: [N, T, L], mask_ntl, token_ntl, context_nt }: Batch,
    turns: ArrayLike<number> | undefined,
    visit: (i: number, token: number, cell: ReturnType<PlainLogLinear["cell"]>) => void,
  ): void {
    for (let n = 0; n < N; n++) {
      for (const t of turns ? Array.from(turns) : Array.from({ length: T }, (_, i) => i)) {
        for (let j = 0; j < L; j++) {
          const first = (n * T + t) * L;
          if (!mask_ntl[first + j]) continue;
          const before = Array.from(token_ntl.subarray(first, first + j));
          visit(first + j, token_ntl[first + j]!, this.cell(context_nt[n]![t] as number[], before, 1));
        }
      }
    }
  }

  /** W[j] + W[j, obs] + W[j, previous] + W[j, obs, previous] + W[j, last], normalized. */
  cell(
    [turn, obs, last]: readonly number[],
    prefix: readonly number[],
    temperature: number,
  ): { rows: number[]; logProb: Float64Array; entropy: number } {
    const [V, O, L] = [this.#V, this.#O, this.spec.maxTokens];
    const j = prefix.length;
    const previous = prefix.at(-1) ?? V;
    const sizes = [L, L * O, L * (V + 1), L * O * (V + 1), L * (V + 1)];
    const start = sizes.map((_, kind) => sizes.slice(0, kind).reduce((a, b) => a + b, 0));
    const base = this.options.perTurn ? turn! * sizes.reduce((a, b) => a + b, 0) : 0;
    const rows = [
      j,
      j * O + obs!,
      j * (V + 1) + previous,
      (j * O + obs!) * (V + 1) + previous,
      j * (V + 1) + last!,
    ].map((row, kind) => base + start[kind]! + row);
    const logits = Array.from({ length: V }, (_, v) =>
      rows.map((row) => this.parameters[row * V + v]!).reduce((a, b) => a + b),
    );
    const max = Math.max(...logits);
    const x = logits.map((logit) => (logit - max) / temperature);
    const total = x.reduce((sum, value) => sum + exp(value), 0);
    const weighted = x.reduce((sum, value) => sum + exp(value) * value, 0);
    const logTotal = log(total);
    return {
      rows,
      logProb: Float64Array.from(x, (value) => value - logTotal),
      entropy: logTotal - weighted / total,
    };
  }

  #softmax(
    context: readonly number[],
    prefix: readonly number[],
    temperature: number,
  ): { logProb: Float64Array } {
    return this.cell(context, prefix, temperature);
  }
}
