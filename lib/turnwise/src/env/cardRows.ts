import type { CheckRow } from "../base/checkCard";
import type { Env } from "./env";

/** Functions of layers above that add facts about a world to its card, such as the return of the best agent. */
const tellers: ((env: Env) => CheckRow[])[] = [];

/** Adds rows to the card of every world. In a file of its own, so that adding them loads nothing else. */
export function tellOnEnvCards(rowsOf: (env: Env) => CheckRow[]): void {
  tellers.push(rowsOf);
}

export const rowsFromAbove = (env: Env): CheckRow[] => tellers.flatMap((rowsOf) => rowsOf(env));
