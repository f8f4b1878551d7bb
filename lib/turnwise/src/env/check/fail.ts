import type { Env } from "../env";
import { EnvContractError } from "../errors";

/** Number of episodes that each part of the check plays. */
export const EPISODES = 20;

export function fail(env: Env, problem: string, hint: string): never {
  throw new EnvContractError(`${env.spec.id}: ${problem} (${hint})`);
}

export function same(env: Env, a: unknown, b: unknown, where: string, hint: string): void {
  const [left, right] = [JSON.stringify(a), JSON.stringify(b)];
  if (left !== right) fail(env, `${where} gave ${shorten(left)} and then ${shorten(right)}`, hint);
}

export function shorten(text: string): string {
  return text.length > 200 ? `${text.slice(0, 200)}...` : text;
}
