import type { Batch } from "../../batch/batch";

/**
 * The values of a critic that is a table and knows nothing but this batch: [N, T], flat, in units of reward.
 *
 * ```
 * V_nt = mean over the trajectories of the same task that have seen and written the same up to turn t, of the rewards from t on
 * ```
 * Where a trajectory has parted from all others, its value is its own return to go, and nothing is left to learn from it.
 *
 * @example
 * import { groupValues, make, scriptedBatch } from "turnwise";
 * const env = make("LookUp-v0");
 * const batch = scriptedBatch(env, [[["ANSWER", "0"]], [["LOOKUP", "0"], ["ANSWER", "3"]]]);
 * groupValues(batch); // => [0.33, 0, 0.33, 1]
 * @see VinePPO, arXiv 2410.01679, which restarts from intermediate states where this only counts what is there
 */
export function groupValues(batch: Batch): Float64Array {
  const [N, T, L] = batch.shape;
  const toGo = new Float64Array(N * T);
  const keys: string[] = new Array<string>(N * T).fill("");
  for (let n = 0; n < N; n++) {
    let key = batch.groupId[n]!;
    for (let t = 0; t < batch.turnCount_n[n]!; t++) {
      key += `/${batch.observation_nt[n]![t]!}`;
      keys[n * T + t] = key;
      const from = (n * T + t) * L;
      key += `>${batch.token_ntl.subarray(from, from + L).join()}`;
    }
    let sum = 0;
    for (let t = batch.turnCount_n[n]! - 1; t >= 0; t--) {
      sum += batch.reward_nt[n * T + t]!;
      toGo[n * T + t] = sum;
    }
  }
  const met = new Map<string, { sum: number; count: number }>();
  keys.forEach((key, i) => {
    const { sum, count } = met.get(key) ?? { sum: 0, count: 0 };
    met.set(key, { sum: sum + toGo[i]!, count: count + 1 });
  });
  return Float64Array.from(keys, (key) => (key === "" ? 0 : met.get(key)!.sum / met.get(key)!.count));
}
