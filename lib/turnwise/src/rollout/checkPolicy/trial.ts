import { createRng } from "../../base/rng";
import type { Batch } from "../../batch/batch";
import { cellName as nameOfCell } from "../../batch/cells";
import type { Env } from "../../env/env";
import { contextKey, type Evaluation, type History, type Policy } from "../../policy/policy";
import { collect } from "../collect";

/** A policy breaks its contract; the message says where, and what most likely causes it. */
export class PolicyContractError extends Error {
  override readonly name = "PolicyContractError";
}

/** A turn that was really sampled. */
export interface Met {
  readonly history: History;
  readonly context: unknown;
  readonly tokens: readonly number[];
}

/** A policy with a batch of its own episodes, on which all checks look. */
export interface Trial {
  readonly policy: Policy;
  readonly env: Env;
  readonly batch: Batch;
  /** Every turn of the batch. */
  readonly met: readonly Met[];
}

/** Finding of a check, as printed; undefined if it does not apply. */
export type Check = (trial: Trial) => string | undefined;

export const rngOf = (name: string): ReturnType<typeof createRng> =>
  createRng(11).split("checkPolicy").split(name);

export function fail(policy: Policy, problem: string, hint: string): never {
  throw new PolicyContractError(`${policy.name}: ${problem} (${hint})`);
}

/** Plays 4 x 4 episodes, and then moves the parameters a little: the gradient of an entropy is 0 where a policy is uniform. */
export function begin(policy: Policy, env: Env): Trial {
  const met: Met[] = [];
  const seen: Policy["sample"] = (histories, rngs, options) => {
    const copies = histories.map(({ observations, actions }) => ({
      observations: [...observations],
      actions: [...actions],
    }));
    const samples = policy.sample(histories, rngs, options);
    if (samples.length !== histories.length) {
      fail(
        policy,
        `sample gave ${samples.length} turns for ${histories.length} histories`,
        "give one for each",
      );
    }
    samples.forEach(({ tokens, logProb, context }, i) => {
      expectTurn(policy, env, tokens, logProb);
      met.push({ history: copies[i]!, context, tokens });
    });
    return samples;
  };
  const player = { name: policy.name, sample: seen } as unknown as Policy;
  const batch = collect(env, player, { groups: 4, groupSize: 4, rng: rngOf("episodes") });
  return { policy, env, batch, met };
}

/** Moves all parameters by normal draws of this size, the same ones for a name. */
export function move({ parameters }: Policy, name: string, size: number): void {
  const rng = rngOf(name);
  for (let i = 0; i < parameters.length; i++) parameters[i]! += size * rng.normal();
}

function expectTurn(policy: Policy, env: Env, tokens: readonly number[], logProb: readonly number[]): void {
  const { vocabulary, maxTokens, endToken } = env.spec;
  const turn = `[${tokens.join(", ")}]`;
  if (tokens.length !== logProb.length) {
    fail(policy, `sample gave ${logProb.length} log-probs for the turn ${turn}`, "give one for each token");
  }
  const foreign = tokens.find(
    (token) => !(Number.isInteger(token) && token >= 0 && token < vocabulary.length),
  );
  if (foreign !== undefined) {
    fail(policy, `sample wrote the token ${foreign}`, `tokens go from 0 to ${vocabulary.length - 1}`);
  }
  const end = tokens.indexOf(endToken ?? -1);
  const wanted = end >= 0 ? end + 1 : maxTokens;
  if (tokens.length === wanted) return;
  const rule = endToken === undefined ? "" : `ends after token ${endToken} and `;
  fail(
    policy,
    `sample gave the turn ${turn}`,
    `a turn ${rule}has ${endToken === undefined ? "" : "at most "}${maxTokens} tokens`,
  );
}

/** The largest difference of two lists, and where. */
export function furthest(a: ArrayLike<number>, b: ArrayLike<number>): { by: number; at: number } {
  let by = 0;
  let at = 0;
  for (let i = 0; i < Math.max(a.length, b.length); i++) {
    const difference = Math.abs(a[i]! - b[i]!);
    if (difference <= by) continue;
    [by, at] = [difference, i];
    if (Number.isNaN(difference)) return { by: Infinity, at };
  }
  return { by, at };
}

/** Place of a cell, by numbers: the episodes of a check have no ids that its reader knows. */
export const cellName = ({ shape }: Batch, cell: number): string => nameOfCell({ shape }, cell);

/** The parts of an evaluation by name, each with the number of its cells for one turn. */
export function partsOf(
  { logProb_ntl, entropy_ntl, value_nt }: Evaluation,
  L: number,
): [string, Float64Array, number][] {
  return [
    ["log-prob", logProb_ntl, L],
    ["entropy", entropy_ntl, L],
    ...(value_nt ? [["value", value_nt, 1] as [string, Float64Array, number]] : []),
  ];
}

/** The evaluation's numbers in one row: an evaluation may be overwritten by the next. */
export const flat = (evaluation: Evaluation): Float64Array =>
  Float64Array.from([...evaluation.logProb_ntl, ...evaluation.entropy_ntl, ...(evaluation.value_nt ?? [])]);

/** Each distinct context that was met, once. */
export function distinct(met: readonly Met[]): Met[] {
  return [...new Map(met.map((one) => [contextKey(one.context), one])).values()];
}

export const small = (x: number): string => (x === 0 ? "0" : x.toExponential(0));
