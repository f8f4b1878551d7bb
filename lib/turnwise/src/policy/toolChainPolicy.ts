import { LogLinearPolicy, type LogLinearSpec } from "./logLinear";
import type { LogLinearOptions, PriorWeight } from "./options";

/**
 * The "pre-trained" policy of ToolChain-v0: noise, plus `beta` on the right tool and the right argument given the observation.
 *
 * beta is its competence: it solves about 5% of the episodes with 2, 20% with 3, 50% with 4, and 77% with 5.
 *
 * @example
 * import { make, toolChainPolicy } from "turnwise";
 * toolChainPolicy(make("ToolChain-v0").spec, { beta: 3, seed: 1 }).name; // => "logLinear"
 */
export function toolChainPolicy(
  spec: LogLinearSpec,
  o: { beta: number; seed: number } & Pick<LogLinearOptions, "perTurn" | "valueHead">,
): LogLinearPolicy {
  const { beta, ...options } = o;
  const tools = [4, 5, 6, 4]; // after a question SEARCH, after a key LOOKUP, after a value ANSWER, else SEARCH
  const prior = Array.from({ length: 16 }, (_, observation): PriorWeight[] => [
    { place: 1, observation, token: tools[Math.floor(observation / 4)]!, weight: beta },
    { place: 2, observation, token: observation % 4, weight: beta },
  ]).flat();
  return new LogLinearPolicy(spec, { ...options, prior });
}
