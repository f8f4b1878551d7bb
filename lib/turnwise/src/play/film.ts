import { exp } from "../base/elementary/exp";
import type { Batch } from "../batch/batch";
import type { Policy } from "../policy/policy";
import type { Recipe } from "../rule";
import { ratioOf } from "../rule/ratio";
import { poolingRule } from "../rule/ratio/pooling";
import { UnitRatios } from "../rule/ratio/unitRatios";
import type { TrainRecord } from "../train";
import { globalNorm } from "../train/optimizer";
import type { Prepared } from "../train/prepared";
import type { UpdateObserver, ObservedStep } from "../train/witness";

/** The choice of one word that an update pushes hardest. */
export interface Decision {
  /** From 1. */
  readonly turn: number;
  /** Last observation before this turn. */
  readonly observation: string;
  /** Tokens that the agent had already written in this turn. */
  readonly written: readonly string[];
  readonly words: readonly string[];
  readonly before: readonly number[];
  readonly after: readonly number[];
  /** Minus d loss / d logit of each word, summed over all samples of this choice and over all steps. */
  readonly push: readonly number[];
}

/** One update from the inside: the trainer's own arrays, copied while it worked. */
export interface Film {
  readonly record: TrainRecord;
  readonly recipe: Recipe;
  readonly sampled: Batch;
  /** Batch that passed the filter; undefined if nothing did, so that no step was taken. */
  readonly kept: Batch | undefined;
  /** Of the kept batch. */
  readonly advantage_ntl: Float64Array;
  /** New over old probability at the last step in which a token took part, pooled as the rule pools it; 1 where it took part in none. */
  readonly ratio_ntl: Float64Array;
  readonly steps: number;
  /** L2 norm of each step's gradient of the parameters. */
  readonly gradientNorms: readonly number[];
  readonly decision: Decision | undefined;
  /** The exact return before and after; undefined where it is not known. */
  readonly exact: { readonly before: number; readonly after: number } | undefined;
}

interface Choice {
  readonly cell: number;
  readonly push_v: Float64Array;
}

/** Films one update: made before it, asked for the film after it. */
export class Camera implements UpdateObserver {
  #sampled: Batch | undefined;
  #kept: Batch | undefined;
  #advantage_ntl = new Float64Array(0);
  #ratio_ntl = new Float64Array(0);
  #before_ntlv: Float64Array | undefined;
  readonly #norms: number[] = [];
  /** By all that the agent had seen and written before. */
  readonly #choices = new Map<string, Choice>();
  #choice_ntl: (Choice | undefined)[] = [];

  /** @param vocabulary the words that the agent may write */
  constructor(
    private readonly policy: Policy,
    private readonly recipe: Recipe,
    private readonly vocabulary: readonly string[],
  ) {}

  sampled(batch: Batch): void {
    this.#sampled = batch;
  }

  prepared({ batch, advantage_ntl }: Prepared): void {
    this.#kept = batch;
    this.#advantage_ntl = Float64Array.from(advantage_ntl);
    this.#ratio_ntl = new Float64Array(batch.mask_ntl.length).fill(1);
    this.#before_ntlv = this.#distributions(batch);
    if (this.#before_ntlv) this.#findChoices(batch);
  }

  stepped(step: ObservedStep): void {
    const kept = this.#kept!;
    this.#norms.push(globalNorm(step.gradient));
    const [, T, L] = kept.shape;
    const ratio_ntl = ratiosOf(step, this.recipe, [T, L], (cell) => kept.mask_ntl[cell] === 1);
    const now_ntlv = this.#distributions(kept);
    const V = this.vocabulary.length;
    for (const { own, cell } of cellsOf(step, T, L)) {
      if (kept.mask_ntl[cell] !== 1) continue;
      this.#ratio_ntl[cell] = ratio_ntl[own]!;
      const choice = this.#choice_ntl[cell];
      if (!choice || !now_ntlv) continue;
      const logProb_v = now_ntlv.subarray(cell * V, (cell + 1) * V);
      addPush(choice.push_v, step, own, kept.token_ntl[cell]!, logProb_v);
    }
  }

  /** The film, once the update is made. */
  finish(record: TrainRecord, exact: Film["exact"]): Film {
    return {
      record,
      recipe: this.recipe,
      sampled: this.#sampled!,
      kept: this.#kept,
      advantage_ntl: this.#advantage_ntl,
      ratio_ntl: this.#ratio_ntl,
      steps: this.#norms.length,
      gradientNorms: this.#norms,
      decision: this.#decision(),
      exact,
    };
  }

  #distributions(batch: Batch): Float64Array | undefined {
    const { logProb_ntlv } = this.policy.evaluate(batch, undefined, undefined, undefined, {
      distributions: true,
    });
    // A custom policy may not tell them, or tell them over more words.
    return logProb_ntlv?.length === batch.mask_ntl.length * this.vocabulary.length ? logProb_ntlv : undefined;
  }

  #findChoices(batch: Batch): void {
    const [N, T, L] = batch.shape;
    this.#choice_ntl = new Array<Choice | undefined>(N * T * L);
    for (let n = 0; n < N; n++) {
      let past = "";
      for (let t = 0; t < batch.turnCount_n[n]!; t++) {
        past += `${JSON.stringify(batch.observation_nt[n]![t] ?? "")};`;
        for (let l = 0; l < L; l++) {
          const cell = (n * T + t) * L + l;
          if (batch.mask_ntl[cell] !== 1) continue;
          let choice = this.#choices.get(past);
          if (!choice) {
            choice = { cell, push_v: new Float64Array(this.vocabulary.length) };
            this.#choices.set(past, choice);
          }
          this.#choice_ntl[cell] = choice;
          past += `${String(batch.token_ntl[cell]!)},`;
        }
      }
    }
  }

  #decision(): Decision | undefined {
    const kept = this.#kept;
    if (!kept || !this.#before_ntlv || this.#norms.length === 0) return undefined;
    const size = ({ push_v }: Choice): number => push_v.reduce((sum, push) => sum + Math.abs(push), 0);
    const hardest = [...this.#choices.values()].reduce((a, b) => (size(b) > size(a) ? b : a));
    const { cell, push_v } = hardest;
    const [, T, L] = kept.shape;
    const [n, t, l] = [Math.floor(cell / (T * L)), Math.floor(cell / L) % T, cell % L];
    const V = this.vocabulary.length;
    const shares = (all: Float64Array): number[] =>
      Array.from(all.subarray(cell * V, (cell + 1) * V), (logProb) => exp(logProb));
    return {
      turn: t + 1,
      observation: kept.observation_nt[n]![t] ?? "",
      written: Array.from({ length: l }, (_, k) => this.vocabulary[kept.token_ntl[cell - l + k]!]!),
      words: this.vocabulary,
      before: shares(this.#before_ntlv),
      after: shares(this.#distributions(kept)!),
      push: Array.from(push_v),
    };
  }
}

/** Each cell of a step: its place in the step's own arrays, and in those of the whole batch. */
function* cellsOf(
  { rows, turns }: ObservedStep,
  T: number,
  L: number,
): Generator<{ own: number; cell: number }> {
  for (const [r, n] of rows.entries()) {
    for (const t of turns) {
      for (let l = 0; l < L; l++) yield { own: (r * T + t) * L + l, cell: (n * T + t) * L + l };
    }
  }
}

function ratiosOf(
  step: ObservedStep,
  { ratio }: Recipe,
  [T, L]: readonly [number, number],
  isTrained: (cell: number) => boolean,
): ArrayLike<number> {
  const { logProb_ntl, oldLogProb_ntl, rows } = step;
  if (!("pooling" in ratio)) return logProb_ntl.map((now, i) => exp(now - oldLogProb_ntl[i]!));
  const mask_ntl = new Uint8Array(logProb_ntl.length);
  for (const { own, cell } of cellsOf(step, T, L)) mask_ntl[own] = isTrained(cell) ? 1 : 0;
  const size = ratioOf(ratio).unitSize([rows.length, T, L]);
  const units = new UnitRatios({ logProb_ntl, oldLogProb_ntl }, mask_ntl, size, poolingRule(ratio.pooling));
  const ratio_ntl = new Float64Array(logProb_ntl.length).fill(1);
  const [pooled_ntl, slope_ntl] = [new Float64Array(ratio_ntl.length), new Float64Array(ratio_ntl.length)];
  for (let u = 0; u < units.count; u++) units.measure(u, ratio_ntl, pooled_ntl, slope_ntl);
  return ratio_ntl;
}

/** d loss / d logit_v through log pi(token), through the entropy, and what the rule asks of the logits themselves; with a minus. */
function addPush(
  push_v: Float64Array,
  { surrogate }: ObservedStep,
  own: number,
  token: number,
  logProb_v: Float64Array,
): void {
  const V = push_v.length;
  const slope = surrogate.dLogProb_ntl[own]!;
  const ofEntropy = surrogate.dEntropy_ntl?.[own] ?? 0;
  const entropy = -logProb_v.reduce(
    (sum, logProb) => sum + (logProb > -Infinity ? exp(logProb) * logProb : 0),
    0,
  );
  for (let v = 0; v < V; v++) {
    const p = exp(logProb_v[v]!);
    const throughEntropy = p > 0 ? -p * (logProb_v[v]! + entropy) * ofEntropy : 0;
    const direct = surrogate.dLogit_ntlv?.[own * V + v] ?? 0;
    push_v[v]! -= slope * ((v === token ? 1 : 0) - p) + throughEntropy + direct;
  }
}
