import type { Batch } from "turnwise/internal/batch/batch";
import type { StoredTrajectory, StoredTurn } from "./trace";

/** A batch of what another trainer stored, and what was stored with it. */
export interface StoredBatch {
  readonly batch: Batch;
  /** Whether tokens are those of a tokenizer, or words of a text that stand in for them. */
  readonly tokens: "tokens" | "words";
  /** Sources of the stored log-probs: without any, there are no ratios. */
  readonly logProbs: readonly ("trainer" | "rollout")[];
  /** The framework's own advantages, [N, T, L], where every turn has them. */
  readonly advantage_ntl: Float64Array | undefined;
  /** Other data stored with each trajectory. */
  readonly extra_n: readonly Readonly<Record<string, unknown>>[];
}

/**
 * A batch of stored trajectories, on which every row of the table can be tried.
 *
 * Rewards count for the last turn. Log-probs of the trainer are `oldLogProb_ntl`, those of the rollout engine
 * `rolloutLogProb_ntl`; where there is one kind alone, it is `oldLogProb_ntl`, and where there is none, that is 0.
 *
 * @throws {RangeError} if there is no trajectory, or none has a turn
 * @throws {TypeError} if a turn's log-probs are not one for each token
 */
export async function batchOf(
  trajectories: Iterable<StoredTrajectory> | AsyncIterable<StoredTrajectory>,
): Promise<StoredBatch> {
  const all: StoredTrajectory[] = [];
  for await (const one of trajectories) all.push(one);
  const turns = all.flatMap((one) => one.turns);
  if (turns.length === 0) {
    throw new RangeError(
      `Cannot make a batch: there must be a trajectory with a turn, got ${all.length} trajectories.`,
    );
  }
  const has = (name: "logProb" | "rolloutLogProb" | "advantage"): boolean =>
    turns.every((turn) => turn[name] !== undefined);
  const [trainer, rollout] = [has("logProb"), has("rolloutLogProb")];
  const N = all.length;
  const T = Math.max(...all.map((one) => one.turns.length));
  const L = turns.reduce((most, turn) => Math.max(most, turn.tokens.length), 1);
  const vocabulary = new Vocabulary(turns);
  const token_ntl = new Int32Array(N * T * L);
  const mask_ntl = new Uint8Array(N * T * L);
  const fill = (name: "logProb" | "rolloutLogProb" | "advantage"): Float64Array => {
    const values_ntl = new Float64Array(N * T * L);
    eachTurn(all, T, L, (turn, start, where) => {
      if (turn[name]!.length !== turn.tokens.length) {
        throw new TypeError(
          `Cannot make a batch: ${name} must have a number for each of ${turn.tokens.length} tokens, but ${where} has ${turn[name]!.length}.`,
        );
      }
      values_ntl.set(turn[name]!, start);
    });
    return values_ntl;
  };
  eachTurn(all, T, L, ({ tokens }, start) => {
    tokens.forEach((token, l) => (token_ntl[start + l] = vocabulary.numberOf(token)));
    mask_ntl.fill(1, start, start + tokens.length);
  });
  const reward_nt = new Float64Array(N * T);
  all.forEach((one, n) => {
    if (one.turns.length > 0) reward_nt[n * T + one.turns.length - 1] = one.reward;
  });
  const old = trainer ? fill("logProb") : rollout ? fill("rolloutLogProb") : new Float64Array(N * T * L);
  const batch: Batch = {
    shape: [N, T, L],
    token_ntl,
    mask_ntl,
    oldLogProb_ntl: old,
    ...(trainer && rollout && { rolloutLogProb_ntl: fill("rolloutLogProb") }),
    reward_nt,
    return_n: Float64Array.from(all, (one) => one.reward),
    turnCount_n: Int32Array.from(all, (one) => one.turns.length),
    trajectoryId: all.map(({ id }) => id),
    groupId: all.map(({ group }) => group),
    observation_nt: all.map((one) => one.turns.map(({ observation }) => observation)),
    context_nt: all.map((one) => one.turns.map((_, t) => t)),
    truncated: all.map(({ truncated }) => truncated),
    info_nt: all.map((one) => one.turns.map(({ info = {} }) => info)),
    ...(vocabulary.words.length > 0 && { script: { vocabulary: vocabulary.words } }),
  };
  return {
    batch,
    tokens: vocabulary.words.length > 0 && !rollout && !trainer ? "words" : "tokens",
    logProbs: [...(trainer ? (["trainer"] as const) : []), ...(rollout ? (["rollout"] as const) : [])],
    advantage_ntl: has("advantage") ? fill("advantage") : undefined,
    extra_n: all.map(({ extra }) => extra),
  };
}

function eachTurn(
  all: readonly StoredTrajectory[],
  T: number,
  L: number,
  visit: (turn: StoredTurn, start: number, where: string) => void,
): void {
  all.forEach(({ turns, id }, n) =>
    turns.forEach((turn, t) => visit(turn, (n * T + t) * L, `trajectory ${id}, turn ${t}`)),
  );
}

/** Numbers for pieces of text; tokens that are numbers keep theirs. */
class Vocabulary {
  readonly words: string[] = [];
  readonly #numbers = new Map<string, number>();

  constructor(turns: readonly StoredTurn[]) {
    for (const { tokens } of turns) {
      for (const token of tokens) {
        if (typeof token === "number" || this.#numbers.has(token)) continue;
        this.#numbers.set(token, this.words.length);
        this.words.push(token);
      }
    }
  }

  numberOf(token: number | string): number {
    return typeof token === "number" ? token : this.#numbers.get(token)!;
  }
}
