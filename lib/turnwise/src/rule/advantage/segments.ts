import { power } from "../../base/elementary/power";
import { tokenRole, type Batch } from "../../batch/batch";
import { whiten } from "./groupAdvantage";
import { activeTokens, valuesPerTurn, type Credit, type CriticValues, type ShapedReward } from "./credit";

interface Hierarchical {
  readonly gamma: number;
  readonly lambdaTurn: number;
  readonly lambdaSegment: number;
  readonly whitenRoles: boolean;
}

/** Number that HiPER's code adds to the standard deviation of a role. */
const epsilon = 1e-8;

/**
 * HiPER's advantage of three levels: a segment is a maximal run of turns between SWITCH decisions.
 *
 * ```
 * action   delta_t = r_t + gamma V_next - V_t,   A_t = delta_t + gamma lambdaTurn A_{t+1}   inside the segment;
 *          V_next = V_high at the next segment's first turn after the segment's last turn (0 at the end)
 * subgoal  delta_k = sum_j gamma^j r_j + gamma^{d_k} V_high(next) - V_high(k)
 *          A_k = delta_k + gamma^{d_k} lambdaSegment A_{k+1}          at segment starts, 0 elsewhere
 * switch   A_t = G_t - V_term(t),   G_t = return to the segment's end, bootstrapped with V_high(next)
 * ```
 * `batch.switch_nt` says where a segment starts (the first turn always does) and `batch.role_ntl` what each token is;
 * without them a trajectory is one segment of action tokens.
 *
 * `whitenRoles`: of each role, minus the mean and divided by the standard deviation (with n) over the turns that have it,
 * for subgoals over those that start a segment.
 *
 * @see HiPER, arXiv 2602.16165; whitening: `norm_adv` in hiper_hae/core_hae.py:496 of JonP07/HiPER-agent
 */
export function hierarchicalAdvantage(
  batch: Batch,
  reward: ShapedReward,
  choice: Hierarchical,
  values: CriticValues,
): Credit {
  const [N, T, L] = batch.shape;
  const low_nt = valuesPerTurn(batch, values, "value_nt");
  const high_nt = valuesPerTurn(batch, values, "valueHigh_nt");
  const term_nt = valuesPerTurn(batch, values, "valueTerm_nt");
  const { gamma, lambdaTurn, lambdaSegment } = choice;
  const advantage = new Float64Array(N * T * L);
  for (let n = 0; n < N; n++) {
    const first = n * T;
    let end = first + batch.turnCount_n[n]!;
    let afterValue = 0;
    let afterSegment = 0;
    for (let start = end - 1; start >= first; start--) {
      const begins = start === first || batch.switch_nt?.[start] === 1;
      if (!begins) continue;
      let low = 0;
      let nextValue = afterValue;
      let toEnd = afterValue;
      for (let nt = end - 1; nt >= start; nt--) {
        const r = reward.reward_nt[nt]!;
        low = r + gamma * nextValue - low_nt[nt]! + gamma * lambdaTurn * low;
        nextValue = low_nt[nt]!;
        toEnd = r + gamma * toEnd;
        const subgoal =
          nt === start
            ? toEnd - high_nt[start]! + power(gamma, end - start) * lambdaSegment * afterSegment
            : 0;
        const byRole = [low, subgoal, toEnd - term_nt[nt]!];
        for (const i of activeTokens(batch, n, nt - first)) {
          advantage[i] = byRole[batch.role_ntl?.[i] ?? tokenRole.action]!;
        }
        if (nt === start) afterSegment = subgoal;
      }
      afterValue = high_nt[start]!;
      end = start;
    }
  }
  if (choice.whitenRoles) whitenByRole(batch, advantage);
  return { level: "token", advantage };
}

/**
 * The mask without the tokens of subgoals that a turn keeps: they repeat what the segment's first turn decided.
 *
 * @see verl/trainer/ppo/ray_trainer.py:1402 in JonP07/HiPER-agent, whose loss has the same tokens
 */
export function withoutKeptSubgoals(batch: Batch): Uint8Array {
  const [N, T] = batch.shape;
  const mask_ntl = Uint8Array.from(batch.mask_ntl);
  for (let n = 0; n < N; n++) {
    for (let t = 1; t < batch.turnCount_n[n]!; t++) {
      if (batch.switch_nt?.[n * T + t] === 1) continue;
      for (const i of activeTokens(batch, n, t)) {
        if (batch.role_ntl?.[i] === tokenRole.subgoal) mask_ntl[i] = 0;
      }
    }
  }
  return mask_ntl;
}

/** In place: all tokens of a role in one turn share a number, which counts once. */
function whitenByRole(batch: Batch, advantage: Float64Array): void {
  const [N, T] = batch.shape;
  for (const role of Object.values(tokenRole)) {
    const turns: number[][] = [];
    for (let n = 0; n < N; n++) {
      for (let t = 0; t < batch.turnCount_n[n]!; t++) {
        if (role === tokenRole.subgoal && t > 0 && batch.switch_nt?.[n * T + t] !== 1) continue;
        const cells = activeTokens(batch, n, t).filter(
          (i) => (batch.role_ntl?.[i] ?? tokenRole.action) === role,
        );
        if (cells.length > 0) turns.push(cells);
      }
    }
    const whitened = whiten(
      Float64Array.from(turns, ([first]) => advantage[first!]!),
      false,
      epsilon,
    );
    turns.forEach((cells, k) => {
      for (const i of cells) advantage[i] = whitened[k]!;
    });
  }
}
