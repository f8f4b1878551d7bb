import { square } from "turnwise/internal/base/elementary/square";
import { mean } from "turnwise/internal/base/statistics";
import type { Policy } from "turnwise/internal/policy/policy";
import { selectTrajectories, type Batch } from "turnwise/internal/rollout/index";

const GROUPS_OF_A_BATCH = 8;

/** The score-function gradient of each batch of eight groups, compared with the exact one. */
export function directions(
  policy: Policy,
  batch: Batch,
  advantage_ntl: Float64Array,
  exact: Float64Array,
  groupSize: number,
): { direction: number; oneBatch: number } {
  const [N, T, L] = batch.shape;
  const size = GROUPS_OF_A_BATCH * groupSize;
  const sum = new Float64Array(exact.length);
  const cosines: number[] = [];
  for (let from = 0; from + size <= N; from += size) {
    const rows = Array.from({ length: size }, (_, i) => from + i);
    const part = selectTrajectories(batch, rows);
    const dLogProb_ntl = advantage_ntl.slice(from * T * L, (from + size) * T * L);
    const gradient = policy.backward(part, { dLogProb_ntl });
    for (let i = 0; i < sum.length; i++) sum[i]! += gradient[i]!;
    cosines.push(cosine(gradient, exact));
  }
  return { direction: cosine(sum, exact), oneBatch: cosines.length === 0 ? 0 : mean(cosines) };
}

function cosine(a: Float64Array, b: Float64Array): number {
  let [ab, aa, bb] = [0, 0, 0];
  for (let i = 0; i < b.length; i++) {
    ab += a[i]! * b[i]!;
    aa += square(a[i]!);
    bb += square(b[i]!);
  }
  return aa === 0 || bb === 0 ? 0 : ab / Math.sqrt(aa * bb);
}

/** Pearson's correlation; 0 where one side does not vary. */
export function correlation(a: readonly number[], b: readonly number[]): number {
  const [ma, mb] = [mean(a), mean(b)];
  let [ab, aa, bb] = [0, 0, 0];
  a.forEach((x, i) => {
    ab += (x - ma) * (b[i]! - mb);
    aa += square(x - ma);
    bb += square(b[i]! - mb);
  });
  return aa === 0 || bb === 0 ? 0 : ab / Math.sqrt(aa * bb);
}
