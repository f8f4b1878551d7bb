import type { Batch } from "../../batch/batch";
import type { Credit } from "../advantage/credit";
import { isList, shown } from "./customShown";

/** Numbers of a custom function, flat or nested; a nested row may end where its trajectory ends. */
export type CustomNumbers =
  ArrayLike<number> | readonly ArrayLike<number>[] | readonly (readonly ArrayLike<number>[])[];

type Level = Credit["level"];

const axes = { trajectory: "[N]", turn: "[N, T]", token: "[N, T, L]" } as const;

/**
 * Numbers for each trajectory, turn or token of a batch, whichever the function returned; what stands in padding is 0.
 *
 * @param what begins the errors: the cell and label of the function
 * @param counts which trajectories and turns must have a number: those with a sampled token, or all that were taken
 * @throws {TypeError} if it is no list of numbers, or of another shape
 * @throws {RangeError} if a number that counts is not finite
 */
export function perUnit(
  what: string,
  batch: Batch,
  given: unknown,
  levels: readonly Level[],
  counts: "sampled" | "taken" = "sampled",
): Credit {
  const refuse = (found: string): never => {
    const [N, T, L] = batch.shape;
    const shapes = levels.map((level) => axes[level]).join(" or ");
    throw new TypeError(
      `Cannot apply ${what}: it must return numbers of shape ${shapes} with N = ${N}, T = ${T}, L = ${L}, but ${found}.`,
    );
  };
  if (!isList(given)) return refuse(`it returned ${shown(given)}`);
  const nested = given.length > 0 && isList(given[0]);
  const found = nested ? fromNested(batch, given, refuse) : fromFlat(batch, given, levels, refuse);
  if (!levels.includes(found.level)) refuse(`it returned ${axes[found.level]}`);
  return kept(what, batch, found, counts);
}

function fromFlat(
  batch: Batch,
  given: ArrayLike<unknown>,
  levels: readonly Level[],
  refuse: (found: string) => never,
): Credit {
  const [N, T, L] = batch.shape;
  const sizes = { trajectory: N, turn: N * T, token: N * T * L };
  const level = levels.find((one) => sizes[one] === given.length);
  if (level === undefined) return refuse(`it returned ${given.length} numbers`);
  return {
    level,
    advantage: Float64Array.from({ length: given.length }, (_, i) => numberIn(given, i, refuse)),
  };
}

function fromNested(batch: Batch, given: ArrayLike<unknown>, refuse: (found: string) => never): Credit {
  const [N, T, L] = batch.shape;
  if (given.length !== N) refuse(`it returned ${given.length} rows`);
  const row = (n: number): ArrayLike<unknown> => {
    const found = given[n];
    if (!isList(found)) return refuse(`row ${n} is ${shown(found)}`);
    if (found.length !== T && found.length !== batch.turnCount_n[n])
      refuse(`row ${n} has ${found.length} entries`);
    return found;
  };
  const rows = Array.from({ length: N }, (_, n) => row(n));
  const tokens = rows.some((one) => one.length > 0 && isList(one[0]));
  const advantage = new Float64Array(tokens ? N * T * L : N * T);
  rows.forEach((turns, n) => {
    for (let t = 0; t < turns.length; t++) {
      if (!tokens) {
        advantage[n * T + t] = numberIn(turns, t, refuse);
        continue;
      }
      const cells = turns[t];
      if (!isList(cells) || cells.length > L) {
        return refuse(`turn ${t} of row ${n} is ${isList(cells) ? `${cells.length} numbers` : shown(cells)}`);
      }
      for (let l = 0; l < cells.length; l++) advantage[(n * T + t) * L + l] = numberIn(cells, l, refuse);
    }
  });
  return { level: tokens ? "token" : "turn", advantage };
}

function numberIn(list: ArrayLike<unknown>, i: number, refuse: (found: string) => never): number {
  const value = list[i];
  return typeof value === "number" ? value : refuse(`entry ${i} is ${shown(value)}`);
}

/** Units without a sampled token become 0, whatever stood there; the others must be finite. */
function kept(what: string, batch: Batch, { level, advantage }: Credit, counts: "sampled" | "taken"): Credit {
  const [, T] = batch.shape;
  const taken = (k: number): boolean =>
    level === "trajectory" ? batch.turnCount_n[k]! > 0 : k % T < batch.turnCount_n[Math.floor(k / T)]!;
  const width = batch.mask_ntl.length / advantage.length;
  const clean = new Float64Array(advantage.length);
  for (let k = 0; k < clean.length; k++) {
    if (!(counts === "taken" ? taken(k) : sampled(batch, k * width, width))) continue;
    if (!Number.isFinite(advantage[k])) {
      throw new RangeError(
        `Cannot apply ${what}: it must return finite numbers, but ${place(batch, level, k)} is ${advantage[k]!}.`,
      );
    }
    clean[k] = advantage[k]!;
  }
  return { level, advantage: clean };
}

function sampled({ mask_ntl }: Batch, from: number, width: number): boolean {
  for (let i = from; i < from + width; i++) if (mask_ntl[i] === 1) return true;
  return false;
}

function place({ shape: [, T, L] }: Batch, level: Level, k: number): string {
  if (level === "trajectory") return `trajectory ${k}`;
  if (level === "turn") return `turn ${k % T} of trajectory ${Math.floor(k / T)}`;
  const nt = Math.floor(k / L);
  return `token ${k % L} of turn ${nt % T} of trajectory ${Math.floor(nt / T)}`;
}
