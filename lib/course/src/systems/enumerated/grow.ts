import { exp } from "turnwise/internal/base/elementary/exp";
import { log } from "turnwise/internal/base/elementary/log";
import type { Batch } from "turnwise/internal/batch/batch";
import { TabularPolicy } from "turnwise/internal/policy/index";
import type { PolicyState } from "turnwise/internal/policy/policy";
import type { Env } from "turnwise/internal/env/env";

/** The actions of the solved episode that was met most often, the first met of equals; undefined if none was solved. */
export function commonestSuccess({
  shape: [N, T, L],
  token_ntl,
  turnCount_n,
  return_n,
}: Pick<Batch, "shape" | "token_ntl" | "turnCount_n" | "return_n">): readonly number[] | undefined {
  const met = new Map<string, { readonly actions: number[]; count: number }>();
  for (let n = 0; n < N; n++) {
    if (return_n[n] !== 1) continue;
    const actions = Array.from({ length: turnCount_n[n]! }, (_, t) => token_ntl[(n * T + t) * L]!);
    const entry = met.get(actions.join(",")) ?? { actions, count: 0 };
    entry.count++;
    met.set(actions.join(","), entry);
  }
  return [...met.values()].reduce<{ readonly actions: number[]; readonly count: number } | undefined>(
    (best, one) => (best === undefined || one.count > best.count ? one : best),
    undefined,
  )?.actions;
}

/** Logit of an added action that makes its probability `prior` next to the given logits. */
export function priorLogit(logits: ArrayLike<number>, prior: number): number {
  const all = Array.from(logits);
  const top = Math.max(...all);
  const total = all.reduce((sum, logit) => sum + exp(logit - top), 0);
  return top + log(total) + log(prior) - log(1 - prior);
}

/**
 * A table with one action more, which has probability `prior` in every context; the others keep their proportions.
 *
 * Contexts that the table has not met are added, with its uniform beginning for the old actions: the prior holds there, too. The last
 * observation is the context, and its token is one higher in the world with the new action.
 */
export function withAction(policy: TabularPolicy, env: Env, prior: number): TabularPolicy {
  const size = env.spec.vocabulary.length;
  const old = size - 1;
  const { parameters, extra } = policy.state() as PolicyState & { readonly extra: readonly string[] };
  const rowOf = new Map(extra.map((key, row) => [Number(key) + 1, row]));
  const keys = env.spec.observationVocabulary.map((_, i) => size + i);
  const rows = keys.map((key) => {
    const row = rowOf.get(key);
    const logits = Array.from({ length: old }, (_, v) =>
      row === undefined ? 0 : parameters[row * old + v]!,
    );
    return [...logits, priorLogit(logits, prior)];
  });
  const grown = new TabularPolicy(env.spec, { memory: "observation" });
  grown.restore({ name: grown.name, parameters: rows.flat(), extra: keys.map(String) });
  return grown;
}
