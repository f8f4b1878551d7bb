import { exp } from "../../base/elementary/exp";
import { log } from "../../base/elementary/log";
import { square } from "../../base/elementary/square";
import { mean, positionsByKey } from "../../base/statistics";
import { fraction } from "../../schema";
import { withinGroup } from "../scale";
import { advantage, undiscounted } from "./contract";
import { groupAdvantage64 } from "./groupAdvantage";

export const belief = advantage({
  help: "The group advantage, a little larger on turns that move a belief in success with the outcome, and smaller on others.",
  equation: String.raw`A_k=A\,\big((1-\lambda)+\lambda m_k\big),\quad m_k=\mathrm{clip}(1+b\,\mathrm{sgn}(A)\,z_k,1\pm b),\quad z=\text{z-score of }V_k-V_{k-1},\quad \mathrm{logit}V_k=\mathrm{logit}\bar R+\sum_{j\le k}s_j`,
  source:
    "AgentOPSD, arXiv 2608.05987; verl/trainer/ppo/opsd_utils.py:463 in github.com/ZethWang/AgentOPSD at 0c478b2",
  fields: {
    weight: fraction(0.5, { help: "Share of the advantage that the belief weighs, lambda." }),
    band: fraction(0.2, { help: "By how much a turn's weight may differ from 1, b." }),
  },
  label: ({ weight, band }) => `mean, by belief ±${band} x ${weight}`,
  comparesGroups: true,
  scalesItself: false,
  needsCritic: false,
  criticDiscount: undiscounted,
  wholeTrajectory: false,
  exactBaseline: () => undefined,
  assign({ weight, band }, { batch, reward, scale }) {
    const [N, T] = batch.shape;
    const outcome_n = groupAdvantage64(reward.return_n, batch.groupId, {
      baseline: "mean",
      ...withinGroup(scale),
    });
    const prior_n = new Float64Array(N);
    for (const members of positionsByKey(batch.groupId).values()) {
      const rate = mean(members.map((n) => reward.return_n[n]!));
      for (const n of members) prior_n[n] = Math.min(Math.max(rate, 1e-4), 1 - 1e-4);
    }
    const advantage = new Float64Array(N * T);
    for (let n = 0; n < N; n++) {
      const turns = batch.turnCount_n[n]!;
      const gap_t = Array.from({ length: turns }, (_, t) => batch.step_nt?.[n * T + t] ?? 0);
      const sign = Math.sign(outcome_n[n]!);
      zScores(beliefMoves(prior_n[n]!, gap_t)).forEach((z, t) => {
        const m = Math.min(Math.max(1 + band * sign * z, 1 - band), 1 + band);
        advantage[n * T + t] = outcome_n[n]! * (1 - weight + weight * m);
      });
    }
    return { level: "turn", advantage };
  },
});

const far = 1e-6;

/**
 * Changes of a belief in success from turn to turn, which begins at a prior and adds the evidence of each turn to its log-odds.
 *
 * ```
 * V_k = sigma(logit(V_0) + sum_{j <= k} evidence_j),   between 1e-6 and 1 - 1e-6
 * ```
 */
function beliefMoves(prior: number, evidence_t: readonly number[]): number[] {
  let logOdds = log(prior / (1 - prior));
  let before = prior;
  return evidence_t.map((evidence) => {
    logOdds += evidence;
    const now = Math.min(Math.max(1 / (1 + exp(-logOdds)), far), 1 - far);
    const move = now - before;
    before = now;
    return move;
  });
}

/** (x - mean) / (deviation + 1e-6), n in the variance. */
function zScores(values: readonly number[]): number[] {
  if (values.length === 0) return [];
  const center = mean(values);
  const std = Math.sqrt(mean(values.map((x) => square(x - center))));
  return values.map((x) => (x - center) / (std + 1e-6));
}
