import { exp } from "../../base/elementary/exp";
import type { ExactStep } from "../exactRule";
import { normalize } from "../tablePolicy";
import { clippedArgmax } from "./clippedArgmax";
import { ascend } from "./ascend";
import type { RowBatch } from "./rowBatch";

/** The row after a step. A row that the batch never visits does not move. */
export function moveRow(row: RowBatch, step: ExactStep): Float64Array {
  if (!(row.reach > 0)) return row.current;
  switch (step.kind) {
    case "greedy":
      return greedy(row);
    case "mirror": {
      const A = conditionalAdvantage(row);
      const most = Math.max(...A);
      return normalize(row.current.map((p, a) => p * exp(step.eta * (A[a]! - most))));
    }
    case "clip":
      return clippedArgmax(row, step);
    case "gradient":
      return ascend(row, step);
  }
}

/** E[A | information state, action] under the batch; actions that it does not contain get the least of the others. */
function conditionalAdvantage({ old, positive, negative, reach }: RowBatch): Float64Array {
  const A = old.map((p, a) => (p > 0 ? (positive[a]! + negative[a]!) / (p * reach) : Infinity));
  const least = Math.min(...A);
  return A.map((x) => (x === Infinity ? least : x));
}

function greedy(row: RowBatch): Float64Array {
  const A = conditionalAdvantage(row);
  const allowed = [...A.keys()].filter((a) => row.old[a]! > 0);
  const best = allowed.reduce((b, a) => (A[a]! > A[b]! + 1e-12 ? a : b));
  const now = row.current.reduce((sum, p, a) => sum + p * A[a]!, 0);
  if (now >= A[best]! - 1e-12) return row.current;
  return row.current.map((_, a) => (a === best ? 1 : 0));
}
