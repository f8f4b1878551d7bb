import type { Action } from "../env/env";
import type { Batch } from "../batch/batch";
import type { Policy } from "./policy";

/** Context of a silent agent, which holds nothing else. */
interface SilencedContext {
  readonly silent: boolean;
  readonly inner: unknown;
}

/**
 * A policy some of whose agents are silent: whenever one of them has the turn, it writes `action`, whatever it sees. The others
 * act as before, and see the silence in their histories.
 *
 * A turn belongs to the agent that its latest observation names. Gradients are those of the agents that act, or of one of them.
 */
export function silenced(
  policy: Policy,
  {
    agents,
    action,
    learns,
  }: { readonly agents: readonly string[]; readonly action: Action; readonly learns?: string },
): Policy {
  const silent = new Set(agents);
  interface Known extends SilencedContext {
    readonly agent: string;
  }
  const contextOf: Policy["contextOf"] = (history): Known => {
    const agent = history.observations.at(-1)!.agent ?? "agent";
    return { silent: silent.has(agent), agent, inner: policy.contextOf(history) };
  };
  const words = (context: unknown, prefix: readonly number[]): Float64Array => {
    const { inner, silent: quiet } = context as Known;
    const logProb = policy.nextTokenLogProb(inner, prefix);
    return quiet ? logProb.map((_, token) => (token === action[prefix.length] ? 0 : -Infinity)) : logProb;
  };
  const isLearning = ({ silent: quiet, agent }: Known): boolean =>
    !quiet && (learns === undefined || agent === learns);
  const unwrapped = (batch: Batch): Batch => ({
    ...batch,
    context_nt: batch.context_nt.map((turns) => turns.map((one) => (one as Known).inner)),
  });
  return {
    name: policy.name,
    get parameters() {
      return policy.parameters;
    },
    contextOf,
    sample(histories, rngs, options) {
      const contexts = histories.map((history) => contextOf(history) as Known);
      const drawn = policy.sample(histories, rngs, options);
      return drawn.map((sample, i) =>
        contexts[i]!.silent
          ? { tokens: action, logProb: action.map(() => 0), context: contexts[i] }
          : { ...sample, context: contexts[i] },
      );
    },
    evaluate: (batch, ...rest) => policy.evaluate(unwrapped(batch), ...rest),
    backward(batch, gradient, ...rest) {
      const [, T, L] = batch.shape;
      const dLogProb_ntl = gradient.dLogProb_ntl.slice();
      batch.context_nt.forEach((turns, n) => {
        turns.forEach((one, t) => {
          const first = (n * T + t) * L;
          if (!isLearning(one as Known)) dLogProb_ntl.fill(0, first, first + L);
        });
      });
      return policy.backward(unwrapped(batch), { dLogProb_ntl }, ...rest);
    },
    nextTokenLogProb: words,
    clone: () => silenced(policy.clone(), { agents, action, ...(learns !== undefined && { learns }) }),
    state: () => policy.state(),
    restore: (state) => {
      policy.restore(state);
    },
  };
}
