import { mean, positionsByKey } from "../../base/statistics";
import type { Batch } from "../../batch/batch";
import { oneOf } from "../../schema";
import { advantage, undiscounted } from "./contract";
import { owners, subtreeAdvantage } from "./subtree";

/**
 * Change of the mean return of those who go on, by a turn, in the tree of a group.
 *
 * ```
 * A_t = V(h_{t+1}) - V(h_t),   V(h) = mean of V over the turns that were taken from h,   V(end) = R
 * A_t = A_{t-1}   for a turn beside which no other was taken; 0 for a first one
 * ```
 * Turns without siblings are left out of the loss, unless the rule says otherwise. A turn that trajectories share is trained once, in
 * the one that took it first.
 *
 * @see CARL, arXiv 2512.04949v3, Eq. 10, 11 and 13; its ablation trains turns without siblings with the advantage of the turn before
 */
export const valueStep = advantage({
  help: "Value after a turn minus value before it, in the tree of a group, where a history is worth the mean of what was taken from it.",
  equation: String.raw`A_t=V(h_{t+1})-V(h_t),\quad V(h)=\frac{1}{n_h}\sum_{h'\text{ after }h}V(h'),\quad V(\text{end})=R,\quad n_{h_t}>1`,
  source:
    "CARL, arXiv 2512.04949v3, Eq. 10, 11 and 13; docs/methods_carl.md in github.com/RainyFields/Agentic-RL-CA at 126e514",
  fields: {
    lone: oneOf(["leftOut", "inherit"], {
      help: "Turns beside which no other was taken: not trained, or trained with the advantage of the turn before.",
    }),
  },
  label: ({ lone }) => `step in value${lone === "inherit" ? ", all turns" : ", turns with siblings"}`,
  comparesGroups: false,
  scalesItself: false,
  needsCritic: false,
  criticDiscount: undiscounted,
  wholeTrajectory: false,
  exactBaseline: () => undefined,
  assign: (_, { batch, reward }) => {
    const [N, T] = batch.shape;
    const after_nt = subtreeAdvantage(batch, reward.return_n, "evenly");
    const advantage = new Float64Array(N * T);
    for (const { siblings, rows, t } of histories(batch)) {
      const before = mean(siblings.map((n) => after_nt[n * T + t]!));
      for (const n of rows) {
        const nt = n * T + t;
        advantage[nt] = siblings.length > 1 ? after_nt[nt]! - before : t === 0 ? 0 : advantage[nt - 1]!;
      }
    }
    return { level: "turn", advantage };
  },
  trained: (batch, { lone }) => {
    const [N, T, L] = batch.shape;
    const trained_ntl = new Uint8Array(N * T * L);
    for (const { siblings, t } of histories(batch)) {
      if (siblings.length < 2 && lone === "leftOut") continue;
      for (const n of siblings) {
        const from = (n * T + t) * L;
        for (let i = from; i < from + L; i++) if (batch.mask_ntl[i] === 1) trained_ntl[i] = 1;
      }
    }
    return trained_ntl;
  },
});

/** A history from which turns were taken, at turn t. */
interface Taken {
  readonly t: number;
  /** The rows that took each of its turns first. */
  readonly siblings: readonly number[];
  /** All rows that have a turn from it, shared ones included. */
  readonly rows: readonly number[];
}

/** The histories of a batch, early turns first. */
function histories(batch: Batch): Taken[] {
  const [N, T] = batch.shape;
  const { groupId, turnCount_n } = batch;
  const owner_nt = owners(batch);
  const found: Taken[] = [];
  for (let t = 0; t < T; t++) {
    const there = Array.from({ length: N }, (_, n) => n).filter((n) => turnCount_n[n]! > t);
    const from = there.map((n) => (t === 0 ? groupId[n]! : owner_nt[n * T + t - 1]!));
    for (const places of positionsByKey<string | number>(from).values()) {
      const rows = places.map((k) => there[k]!);
      found.push({ t, rows, siblings: [...new Set(rows.map((n) => owner_nt[n * T + t]!))] });
    }
  }
  return found;
}
