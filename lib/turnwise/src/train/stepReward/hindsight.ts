import { log } from "../../base/elementary/log";
import { power } from "../../base/elementary/power";
import { solved } from "../../batch/solved";
import { isEnumerable, type Env, type EnumerableEnv } from "../../env/env";
import { enumerateReturn, type HistoryValue } from "../../exact/enumerateReturn";
import { paidForSuccess } from "../../exact/paidForSuccess";
import { contextKey, type Policy } from "../../policy/policy";
import type { StepInput, StepOutput, StepRewarder } from "./contract";

/** A world with more sequences of turns is not enumerated for every batch. */
const FEW = 10_000;

/** Probabilities below this are the rounding of 0. */
const NOTHING = 1e-12;

/**
 * Mean log-prob of a turn's tokens under the policy that knows how the episode ends: whether it solves the task.
 *
 * ```
 * s_t = 1/|y_t| (log pi(y_t | h_t) + log (P(outcome | h_t, y_t) / P(outcome | h_t)))
 * ```
 * By Bayes' rule that is the exact hindsight distribution of the policy. A language model reads the outcome in its prompt instead,
 * and a table cannot. Success probabilities are enumerated once for each batch. A turn that no policy took keeps its own log-prob,
 * and so do all in a world that is too large to enumerate: `stepReward/fracJudged` is then 0.
 *
 * @see HCAPO, arXiv 2603.08754, Eq. 6; Harutyunyan et al., arXiv 1912.02503
 */
export class Hindsight implements StepRewarder {
  #world: EnumerableEnv | undefined;

  judge({ batch, policy, env }: Pick<StepInput, "batch" | "policy" | "env">): StepOutput {
    const known = new Map(this.#histories(policy, env).map((one) => [`${one.turn}/${one.key}`, one]));
    const [N, T, L] = batch.shape;
    const step_nt = new Float64Array(N * T);
    let [sum, turns, judged] = [0, 0, 0];
    for (let n = 0; n < N; n++) {
      const success = solved(batch, n);
      for (let t = 0; t < batch.turnCount_n[n]!; t++) {
        const cells = Array.from({ length: L }, (_, l) => (n * T + t) * L + l).filter(
          (i) => batch.mask_ntl[i] === 1,
        );
        const history = known.get(`${t}/${contextKey(batch.context_nt[n]![t])}`);
        const tokens = cells.map((i) => batch.token_ntl[i]!).join();
        const taken = history?.turns.findIndex((turn) => turn.tokens.join() === tokens) ?? -1;
        let logProb = cells.reduce((total, i) => total + batch.oldLogProb_ntl[i]!, 0);
        if (history !== undefined && taken >= 0) {
          const [before, after] = [history.value, history.turnValue[taken]!];
          const [from, to] = success ? [before, after] : [1 - before, 1 - after];
          logProb += log(Math.max(to, NOTHING) / Math.max(from, NOTHING));
          judged++;
        }
        step_nt[n * T + t] = logProb / cells.length;
        sum += step_nt[n * T + t]!;
        turns++;
      }
    }
    return {
      step_nt,
      metrics: {
        "stepReward/mean": sum / Math.max(1, turns),
        "stepReward/fracJudged": judged / Math.max(1, turns),
        "stepReward/evaluations": turns / N,
      },
    };
  }

  #histories(policy: Policy, env: Env): readonly HistoryValue[] {
    const { vocabulary, maxTokens, maxTurns } = env.spec;
    if (!isEnumerable(env) || power(vocabulary.length, maxTokens * maxTurns) > FEW) return [];
    this.#world ??= paidForSuccess(env);
    return enumerateReturn(this.#world, policy, { gradient: false }).histories;
  }
}
