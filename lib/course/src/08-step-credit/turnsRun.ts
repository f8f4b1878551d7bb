import { creditPolicy, creditWorld } from "../shared/credit/creditPolicy";
import { correlation, directions } from "../shared/credit/directions";
import type { Batch } from "turnwise/internal/rollout/index";
import { creditsOf } from "./creditMethods";

/** Agreement between a method's credit and the exact advantage, and the method's cost. */
export interface TurnCreditQuality {
  readonly method: string;
  /** Correlation with the exact advantage, over turns. */
  readonly correlation: number;
  /** Cosine of the mean gradient with the exact one: nearly bias alone. */
  readonly direction: number;
  /** Mean cosine of the gradient of one batch of 64: bias and noise. */
  readonly oneBatch: number;
  /** For each trajectory: environment steps, and evaluations of a policy, besides the batch itself. */
  readonly steps: number;
  readonly evaluations: number;
}

const GROUPS = 96;

/** Holds every method against the exact advantage, for a half-trained agent in the Calculator that is paid for the outcome. */
export async function turnsRun(seed: number): Promise<TurnCreditQuality[]> {
  const env = creditWorld();
  const policy = await creditPolicy(seed);
  const { batch, exact, credits } = creditsOf(env, policy, { groups: GROUPS, seed });
  const worth = overTurns(batch, perToken(batch, exact.advantage_nt(batch)));
  return Object.entries(credits).map(([method, { advantage_ntl, steps, evaluations }]) => ({
    method,
    correlation: correlation(overTurns(batch, advantage_ntl), worth),
    ...directions(policy, batch, advantage_ntl, exact.gradient, 8),
    steps,
    evaluations,
  }));
}

/**
 * `turnsRun` as a job of a sweep.
 *
 * @public
 */
export function turnsJob({ seed }: { readonly seed: number }): Promise<TurnCreditQuality[]> {
  return turnsRun(seed);
}

function perToken(batch: Batch, of_nt: ArrayLike<number>): Float64Array {
  return Float64Array.from(batch.mask_ntl, (_, i) => of_nt[Math.floor(i / batch.shape[2])]!);
}

/** One number for each turn that was taken: that of its first token. */
function overTurns(batch: Batch, advantage_ntl: ArrayLike<number>): number[] {
  const [N, T, L] = batch.shape;
  return Array.from({ length: N }, (_, n) => n).flatMap((n) =>
    Array.from({ length: batch.turnCount_n[n]! }, (_, t) => advantage_ntl[(n * T + t) * L]!),
  );
}
