import { power } from "../../base/elementary/power";
import { number, oneOf } from "../../schema";
import { withinGroup } from "../scale";
import { amongRepeated } from "./anchorStates";
import { advantage, undiscounted } from "./contract";
import { groupAdvantage64 } from "./groupAdvantage";
import { gamma } from "./knobs";

/**
 * A²TGPO: the group advantage of the outcome, and on every turn but the last what it and later turns gained.
 *
 * ```
 * A_t = A^E + weight * sum_{t <= k < T} gamma^(k - t) z_k / sqrt(T - t),   z_k = (s_k - mean(s)) / F,   A_T = A^E
 * ```
 * The sum is divided by the root of the number of its terms, so that early turns do not weigh more than late ones. A turn that no
 * peer can be compared with has z = 0.
 *
 * @see A²TGPO, arXiv 2605.06200, Eq. 7 to 9
 */
export const outcomePlusGains = advantage({
  help: "The group advantage of the outcome, plus, on every turn but the last, the step rewards from it on, each compared with those of its peers, divided by the root of their number.",
  equation: String.raw`A_t=A^E+w\frac{1}{\sqrt{T-t}}\sum_{k=t}^{T-1}\gamma^{k-t}z_k,\quad A_T=A^E,\quad A^E_i=\frac{R_i-\mathrm{mean}(R)}{F},\quad z_t=\frac{s_t-\mathrm{mean}_{\text{same }t}(s)}{F}`,
  source:
    "A²TGPO, arXiv 2605.06200, Eq. 7 to 9; the authors' verl/trainer/ppo/core_algos.py:1172 (turn-group-v1d), as copied into github.com/manavsehgal/ai-field-notes at f68990d",
  fields: {
    weight: number(0.3, { atLeast: 0, help: "Weight of the gains beside the outcome, alpha." }),
    gamma: gamma(1),
    among: oneOf(["sameTurn", "allTurns"], {
      help: "Peers of a turn: the group's turns of the same index, or all of its turns; without the last turn of each trajectory.",
    }),
  },
  label: ({ weight, among }) => `outcome + ${weight} gains${among === "allTurns" ? ", all turns" : ""}`,
  comparesGroups: true,
  scalesItself: true,
  needsCritic: false,
  criticDiscount: undiscounted,
  wholeTrajectory: false,
  exactBaseline: () => undefined,
  ranksTurns: true,
  assign(o, { batch, reward, scale }) {
    const [N, T] = batch.shape;
    const within = { baseline: "mean", ...withinGroup(scale) } as const;
    const episode_n = groupAdvantage64(reward.return_n, batch.groupId, within);
    const turns: { readonly nt: number; readonly key: string }[] = [];
    for (let n = 0; n < N; n++) {
      for (let t = 0; t + 1 < batch.turnCount_n[n]!; t++) {
        const peers = o.among === "sameTurn" ? [batch.groupId[n], t] : [batch.groupId[n]];
        turns.push({ nt: n * T + t, key: JSON.stringify(peers) });
      }
    }
    const compared = amongRepeated(
      turns.map(({ nt }) => batch.step_nt?.[nt] ?? 0),
      turns.map(({ key }) => key),
      within,
    );
    const standing_nt = new Float64Array(N * T);
    turns.forEach(({ nt }, k) => (standing_nt[nt] = compared[k]!));
    const advantage = new Float64Array(N * T);
    for (let n = 0; n < N; n++) {
      const last = batch.turnCount_n[n]! - 1;
      for (let t = 0; t <= last; t++) {
        let gained = 0;
        for (let k = t; k < last; k++) gained += power(o.gamma, k - t) * standing_nt[n * T + k]!;
        const rest = t < last ? gained / Math.sqrt(last - t) : 0;
        advantage[n * T + t] = episode_n[n]! + o.weight * rest;
      }
    }
    return { level: "turn", advantage, standing_nt };
  },
});
