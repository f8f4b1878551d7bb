import { exp } from "../base/elementary/exp";
import { log } from "../base/elementary/log";
import type { Policy } from "../policy/policy";
import type { Trajectory } from "./trajectory";

/** Mean entropy of the tokens of a trajectory's last turn, nats, given the tokens before them. */
export function turnEntropy(policy: Policy, { actions, contexts }: Trajectory, temperature: number): number {
  const tokens = actions.at(-1)!;
  const context = contexts.at(-1);
  let sum = 0;
  for (let l = 0; l < tokens.length; l++) {
    sum += entropy(policy.nextTokenLogProb(context, tokens.slice(0, l)), temperature);
  }
  return sum / tokens.length;
}

function entropy(logProb: Float64Array, temperature: number): number {
  let total = 0;
  let weighted = 0;
  const max = Math.max(...logProb) / temperature;
  for (const x of logProb) {
    const scaled = x / temperature - max;
    const weight = exp(scaled);
    total += weight;
    if (weight > 0) weighted += weight * scaled;
  }
  return log(total) - weighted / total;
}
