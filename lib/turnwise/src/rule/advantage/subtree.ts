import { exp } from "../../base/elementary/exp";
import { positionsByKey } from "../../base/statistics";
import type { Batch } from "../../batch/batch";
import { oneOf, renamed } from "../../schema";
import { withinGroup } from "../scale";
import { advantage, undiscounted } from "./contract";
import { groupAdvantage64 } from "./groupAdvantage";

export const subtree = advantage({
  help: "Return of the leaves below a turn, compared within the group, and averaged from the leaves down to the turn.",
  equation: String.raw`A_k=\sum_{c\in\mathrm{children}(k)}w_c\,A_c,\quad A_{leaf}=\frac{R-\mathrm{mean}(R)}{F},\quad w_c=\frac{1}{m}\ \text{or}\ \frac{e^{u_c}}{\sum e^{u}}`,
  source:
    "AT²PO, arXiv 2601.04767; verl/workers/rollout/vllm_rollout/vllm_rollout_with_tools_tree_offline.py:593 in zzfoutofspace/ATPO at 98e60f6",
  fields: {
    weighting: renamed(
      "weigh",
      oneOf(["surprise", "evenly"], {
        help: "Weighting of the ways to go on: by e to the mean surprise of their tokens, or all alike.",
      }),
    ),
  },
  label: ({ weighting }) => (weighting === "surprise" ? "subtree, by surprise" : "subtree"),
  comparesGroups: true,
  scalesItself: false,
  needsCritic: false,
  criticDiscount: undiscounted,
  wholeTrajectory: false,
  exactBaseline: () => undefined,
  assign: ({ weighting }, { batch, reward, scale }) => {
    const leaf_n = groupAdvantage64(reward.return_n, batch.groupId, {
      baseline: "mean",
      ...withinGroup(scale),
    });
    return { level: "turn", advantage: subtreeAdvantage(batch, leaf_n, weighting) };
  },
});

export type Forked = Pick<
  Batch,
  "shape" | "fork_n" | "trajectoryId" | "groupId" | "turnCount_n" | "mask_ntl" | "oldLogProb_ntl"
>;

/**
 * The value of each turn, [N, T], from the values of the trajectories that go on from it: a last turn has its trajectory's, and
 * any other the mean over the different turns that follow it.
 *
 * `surprise` weighs each of these by e to the power of -mean log-prob of its tokens, `evenly` all alike.
 */
export function subtreeAdvantage(
  batch: Forked,
  leaf_n: ArrayLike<number>,
  weighting: "surprise" | "evenly",
): Float64Array {
  const [N, T] = batch.shape;
  const owner_nt = owners(batch);
  const value_nt = new Float64Array(N * T);
  for (let t = T - 1; t >= 0; t--) {
    const rows = Array.from({ length: N }, (_, n) => n).filter((n) => batch.turnCount_n[n]! > t);
    for (const [, alike] of positionsByKey(rows.map((n) => owner_nt[n * T + t]!))) {
      const through = alike.map((k) => rows[k]!);
      const value = valueOf(batch, through, t, owner_nt, value_nt, leaf_n, weighting);
      for (const n of through) value_nt[n * T + t] = value;
    }
  }
  return value_nt;
}

/** [N, T]: the row that took the turn first, which is another's as long as the two had not parted. */
export function owners({ shape: [N, T], fork_n, trajectoryId, groupId }: Forked): Int32Array {
  const rowOf = new Map(trajectoryId.map((id, n) => [JSON.stringify([groupId[n], id]), n]));
  const owner_nt = new Int32Array(N * T);
  const settled = new Uint8Array(N);
  const settle = (n: number): void => {
    if (settled[n] === 1) return;
    settled[n] = 1;
    const fork = fork_n?.[n] ?? null;
    // A parent that was filtered out leaves its child a trajectory of its own.
    const parent = fork === null ? undefined : rowOf.get(JSON.stringify([groupId[n], fork.parent]));
    if (parent !== undefined) settle(parent);
    for (let t = 0; t < T; t++) {
      owner_nt[n * T + t] = parent !== undefined && t < fork!.turn ? owner_nt[parent * T + t]! : n;
    }
  };
  for (let n = 0; n < N; n++) settle(n);
  return owner_nt;
}

function valueOf(
  batch: Forked,
  through: readonly number[],
  t: number,
  owner_nt: Int32Array,
  value_nt: Float64Array,
  leaf_n: ArrayLike<number>,
  weighting: "surprise" | "evenly",
): number {
  const [, T] = batch.shape;
  const goOn = through.filter((n) => batch.turnCount_n[n]! > t + 1);
  // Those that end here took the very same turns, and earned the same.
  if (goOn.length === 0) return leaf_n[through[0]!]!;
  const children = [...new Set(goOn.map((n) => owner_nt[n * T + t + 1]!))];
  const surprises = children.map((n) => (weighting === "surprise" ? surprise(batch, n, t + 1) : 0));
  // Weights count only relative to each other. Those that e to their power would lose are taken from the largest.
  const largest = Math.max(...surprises);
  const shift = Math.abs(largest) > 600 ? largest : 0;
  const weights = surprises.map((u) => exp(u - shift));
  const total = weights.reduce((sum, x) => sum + x, 0);
  return children.reduce((sum, n, k) => sum + (weights[k]! / total) * value_nt[n * T + t + 1]!, 0);
}

/** -mean log-prob of the tokens of a turn that the policy wrote, nats. */
function surprise({ shape: [, T, L], mask_ntl, oldLogProb_ntl }: Forked, n: number, t: number): number {
  let sum = 0;
  let count = 0;
  for (let i = (n * T + t) * L, end = i + L; i < end; i++) {
    if (mask_ntl[i] !== 1) continue;
    sum -= oldLogProb_ntl[i]!;
    count++;
  }
  return count === 0 ? 0 : sum / count;
}
