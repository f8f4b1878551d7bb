import { creditPolicy, creditWorld } from "../shared/credit/creditPolicy";
import type { Batch } from "turnwise/internal/rollout/index";
import { creditsOf, type MethodCredit } from "./creditMethods";

/** One trajectory of a half-trained agent, and what every method says of its turns. */
export interface CreditExample {
  readonly batch: Batch;
  /** The row of the batch: nonsense, a calculation, the right answer. */
  readonly trajectory: number;
  readonly credits: Readonly<Record<string, MethodCredit>>;
}

const WANTED = ["malformed", "CALL", "ANSWER"];

/**
 * A half-trained agent in the Calculator, and its first trajectory that writes nonsense, calls the calculator and is right.
 *
 * @throws {RangeError} if none of 768 trajectories does
 */
export async function creditExample(seed = 0): Promise<CreditExample> {
  const { batch, credits } = creditsOf(creditWorld(), await creditPolicy(seed), { groups: 96, seed });
  const trajectory = batch.info_nt!.findIndex(
    (turns) =>
      turns.map((info) => info["tool"]).join() === WANTED.join() && turns.at(-1)!["success"] === true,
  );
  if (trajectory === -1) {
    throw new RangeError(
      `Cannot show an example: some trajectory must be ${WANTED.join(", ")} and right, but none of ${batch.shape[0]} is.`,
    );
  }
  return { batch, trajectory, credits };
}
