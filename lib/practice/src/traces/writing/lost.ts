import { sameJson } from "./equal";
import type { StoredTrajectory, StoredTurn } from "../trace";

/** A part of a trajectory that a form may not hold. */
export const parts = [
  "id",
  "group",
  "reward",
  "truncated",
  "observation",
  "tokens",
  "logProb",
  "rolloutLogProb",
  "advantage",
  "info",
  "extra",
] as const;
/** A part of a stored trajectory that a form may not hold. */
export type TracePart = (typeof parts)[number];

const perTurn = ["observation", "tokens", "logProb", "rolloutLogProb", "advantage"] as const;

/** Whether all that one object has, the other has as well. */
const holds = (has: object, wants: object): boolean =>
  Object.entries(wants).every(([name, value]) =>
    sameJson((has as Readonly<Record<string, unknown>>)[name], value),
  );

/** The parts of a trajectory that are another after it was written and read. What the form adds is not lost. */
export function lostParts(meant: StoredTrajectory, read: StoredTrajectory | undefined): TracePart[] {
  if (read === undefined) return [...parts];
  const turns = meant.turns.map((turn, t): [StoredTurn, StoredTurn | undefined] => [turn, read.turns[t]]);
  const whole = meant.turns.length === read.turns.length;
  return parts.filter((part) => {
    if (part === "extra") return !holds(read.extra, meant.extra);
    if (part === "info") return !turns.every(([a, b]) => holds(b?.info ?? {}, a.info ?? {}));
    const own = perTurn.find((name) => name === part);
    if (own === undefined) return meant[part as "id"] !== read[part as "id"];
    return !whole || !turns.every(([a, b]) => a[own] === undefined || sameJson(b?.[own], a[own]));
  });
}
