import { turnBatch } from "../../batch/turnBatch";
import type { Batch } from "../../batch/batch";
import { createRng } from "../../base/rng";
import type { Policy } from "../policy";
import type { Compute, NeuralSettings } from "../options";

/** Result of the self-test for one size of policy. */
export interface ComputeChoice {
  readonly compute: Compute;
  /** Time of float64 divided by time of wasm, each the shortest of several rounds; above 1, wasm is faster. */
  readonly speedUp: number;
  /** Largest difference of a log-prob, nats. */
  readonly difference: number;
}

const choices = new Map<string, ComputeChoice>();

/**
 * Which computation is faster for a policy of this size. Both evaluate and differentiate the same 16 turns alternately, five
 * times, or twice if one of them takes four times as long.
 *
 * This is measured once per size and process. Wasm is never chosen if its log-probs differ by more than 1e-3 nats.
 */
export function fasterCompute(
  key: string,
  make: (compute: Compute) => Policy,
  size: {
    readonly tokenCount: number;
    readonly vocabulary: number;
    readonly maxTokens: number;
    readonly context: number;
  },
): ComputeChoice {
  const known = choices.get(key);
  if (known) return known;
  const [exact, fused] = [make("float64"), make("wasm")];
  const batch = sampleBatch(size);
  const times: Record<Compute, number[]> = { float64: [], wasm: [] };
  const once = (policy: Policy, compute: Compute): Float64Array => {
    const begin = performance.now();
    const evaluation = policy.evaluate(batch);
    policy.backward(batch, { dLogProb_ntl: evaluation.logProb_ntl }, undefined, undefined, evaluation);
    times[compute].push(performance.now() - begin);
    return evaluation.logProb_ntl;
  };
  const [minimum, most, clear] = [2, 5, 4];
  let difference = 0;
  let speedUp = 1;
  for (let round = 1; round <= most; round++) {
    const a = once(exact, "float64");
    const b = once(fused, "wasm");
    a.forEach((x, i) => (difference = Math.max(difference, Math.abs(x - b[i]!))));
    speedUp = Math.min(...times.float64) / Math.min(...times.wasm);
    if (round >= minimum && (speedUp > clear || speedUp < 1 / clear)) break;
  }
  const choice: ComputeChoice = {
    compute: speedUp > 1 && difference < 1e-3 ? "wasm" : "float64",
    speedUp,
    difference,
  };
  choices.set(key, choice);
  return choice;
}

/** The policy's size as the key of a measurement. */
export function sizeKey(o: NeuralSettings, tokenCount: number): string {
  return [o.kind, o.width, o.layers, o.heads, tokenCount, o.window].join(" ");
}

/** Sixteen turns of random tokens after random contexts of full length. */
function sampleBatch(size: {
  readonly tokenCount: number;
  readonly vocabulary: number;
  readonly maxTokens: number;
  readonly context: number;
}): Batch {
  const N = 16;
  const L = size.maxTokens;
  const rng = createRng(0).split("compute");
  const draw = (length: number, below: number): number[] => Array.from({ length }, () => rng.below(below));
  const turns = Array.from({ length: N }, () => draw(L, size.vocabulary));
  const contexts = turns.map(() => draw(size.context, size.tokenCount));
  return turnBatch(
    turns,
    contexts,
    turns.map(() => ""),
    L,
  );
}
