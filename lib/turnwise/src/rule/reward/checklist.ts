import { power } from "../../base/elementary/power";

/** One yes-or-no question about a trajectory. */
export interface ChecklistItem {
  readonly id: string;
  /** Share of the reward; the weights of a checklist sum to 1. */
  readonly weight: number;
  /** Items that must have been satisfied in an earlier turn. */
  readonly dependsOn?: readonly string[];
}

export interface ChecklistOptions {
  /** Factor per turn of delay, from 0 to 1; 1 is no discount. */
  readonly eta?: number;
}

const what = "the checklist reward";

/**
 * Reward of every turn from a checklist whose items score once, when first satisfied, and only after what they depend on.
 *
 * ```
 * r_t = sum over items that first count in turn t of weight * eta^(t - t0)
 * t0  = first turn in which all dependencies had counted before (0 without dependencies)
 * ```
 *
 * `passed[t]` lists the items that the verifier found satisfied in turn t; the result has one reward per turn, and
 * they sum to at most 1. An item found satisfied before its dependencies counts only if it is found again later.
 *
 * @throws {RangeError} if weights do not sum to 1, a dependency is unknown or circular, a passed item is unknown, or eta is
 *   outside [0, 1]
 * @example
 * import { checklistReward } from "turnwise";
 * const items = [
 *   { id: "found", weight: 0.5 },
 *   { id: "booked", weight: 0.5, dependsOn: ["found"] },
 * ];
 * checklistReward(items, [["found"], [], ["booked"]]); // => [0.5, 0, 0.5]
 * @see CM2, arXiv 2602.12268, `namezhenzhang/CM2-RLCR-Tool-Agent` (dependencies, weights, optional eta). There the
 *   judge is a language model; here the caller's verifier reads the state. What delay is counted from is our reading
 */
export function checklistReward(
  items: readonly ChecklistItem[],
  passed: readonly (readonly string[])[],
  { eta = 1 }: ChecklistOptions = {},
): number[] {
  check(items, passed, eta);
  const countedIn = new Map<string, number>();
  return passed.map((satisfied, t) => {
    const now = items.filter(
      (item) =>
        !countedIn.has(item.id) &&
        satisfied.includes(item.id) &&
        (item.dependsOn ?? []).every((id) => (countedIn.get(id) ?? Infinity) < t),
    );
    let reward = 0;
    for (const item of now) {
      const possible = (item.dependsOn ?? []).reduce(
        (latest, id) => Math.max(latest, countedIn.get(id)! + 1),
        0,
      );
      reward += item.weight * power(eta, t - possible);
    }
    for (const item of now) countedIn.set(item.id, t);
    return reward;
  });
}

function check(items: readonly ChecklistItem[], passed: readonly (readonly string[])[], eta: number): void {
  if (!(eta >= 0 && eta <= 1)) {
    throw new RangeError(`Cannot compute ${what}: eta must be from 0 to 1, got ${String(eta)}.`);
  }
  const known = new Set(items.map(({ id }) => id));
  if (known.size !== items.length) {
    throw new RangeError(`Cannot compute ${what}: item ids must be unique, but an id appears twice.`);
  }
  const total = items.reduce((sum, { weight }) => sum + weight, 0);
  if (items.some(({ weight }) => !(weight >= 0)) || Math.abs(total - 1) > 1e-9) {
    throw new RangeError(
      `Cannot compute ${what}: weights must be at least 0 and sum to 1, got sum ${String(total)}.`,
    );
  }
  const unknown = [...items.flatMap(({ dependsOn }) => dependsOn ?? []), ...passed.flat()].find(
    (id) => !known.has(id),
  );
  if (unknown !== undefined) {
    throw new RangeError(
      `Cannot compute ${what}: every id must be an item of the checklist, got "${unknown}".`,
    );
  }
  const reachable = new Set<string>();
  for (let grown = true; grown;) {
    grown = false;
    for (const { id, dependsOn = [] } of items) {
      if (reachable.has(id) || !dependsOn.every((other) => reachable.has(other))) continue;
      reachable.add(id);
      grown = true;
    }
  }
  const circular = items.find(({ id }) => !reachable.has(id));
  if (circular !== undefined) {
    throw new RangeError(
      `Cannot compute ${what}: dependencies must not be circular, but item "${circular.id}" waits for itself.`,
    );
  }
}
