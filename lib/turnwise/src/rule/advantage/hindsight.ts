import { exp } from "../../base/elementary/exp";
import { power } from "../../base/elementary/power";
import { clamp, mean } from "../../base/statistics";
import { solved } from "../../batch/solved";
import { fraction, number } from "../../schema";
import { withinGroup } from "../scale";
import { advantage, undiscounted } from "./contract";
import { groupAdvantage64 } from "./groupAdvantage";
import { gamma } from "./knobs";

export const hindsight = advantage({
  help: "The group advantage of the episode plus that of the turn among all turns of the group, where a turn is worth the discounted return, more if the outcome makes it likelier in hindsight.",
  equation: String.raw`A_t=A^E+wA^H_t,\quad A^E_i=\frac{R_i-\mathrm{mean}(R)}{F},\quad A^H_t=\frac{Q_t-\mathrm{mean}_{\text{all turns}}(Q)}{F},\quad Q_t=\mathrm{clip}\Big(\frac{e^{s_t/5}}{\mathrm{mean}_k\,e^{s_k/5}},.8,1.2\Big)\gamma^{T-t}R,\quad s_t=\tfrac{1}{|y_t|}\log\pi(y_t\mid h_t,\text{outcome})`,
  source:
    "HCAPO, arXiv 2603.08754, Eq. 5 to 8; docs/methods_hcapo.md in github.com/RainyFields/Agentic-RL-CA at 126e514",
  fields: {
    weight: number(1, { atLeast: 0, help: "Weight of the advantage in hindsight, omega." }),
    gamma: gamma(0.95),
    temperature: number(5, { above: 0, help: "Divisor of the log-probs in hindsight." }),
    low: fraction(0.8, { help: "Least factor on the return of a turn." }),
    high: number(1.2, { atLeast: 1, help: "Largest factor on the return of a turn." }),
    share: fraction(1, {
      help: "Share of a turn's own value; the rest is the value of the turn after it. The paper's smoothing has 0.5.",
    }),
  },
  label: ({ weight }) => `hindsight, w ${weight}`,
  comparesGroups: true,
  scalesItself: true,
  needsCritic: false,
  criticDiscount: undiscounted,
  wholeTrajectory: false,
  exactBaseline: () => undefined,
  assign(o, { batch, reward, scale }) {
    const [N, T] = batch.shape;
    const within = { baseline: "mean", ...withinGroup(scale) } as const;
    const episode_n = groupAdvantage64(reward.return_n, batch.groupId, within);
    const turns: { nt: number; n: number; value: number }[] = [];
    for (let n = 0; n < N; n++) {
      const count = batch.turnCount_n[n]!;
      const likely = Array.from({ length: count }, (_, t) =>
        exp((batch.step_nt?.[n * T + t] ?? 0) / o.temperature),
      );
      const usual = mean(likely);
      const value = likely.map(
        (one, t) => clamp(one / usual, o.low, o.high) * power(o.gamma, count - 1 - t) * reward.return_n[n]!,
      );
      value.forEach((own, t) => {
        const next = value[t + 1] ?? own;
        turns.push({ nt: n * T + t, n, value: o.share * own + (1 - o.share) * next });
      });
    }
    const among = groupAdvantage64(
      turns.map(({ value }) => value),
      turns.map(({ n }) => batch.groupId[n]!),
      within,
    );
    const advantage = new Float64Array(N * T);
    turns.forEach(({ nt, n }, k) => {
      // Hindsight may not speak against a turn of an episode that succeeded.
      const own = solved(batch, n) ? Math.max(0, among[k]!) : among[k]!;
      advantage[nt] = episode_n[n]! + o.weight * own;
    });
    return { level: "turn", advantage };
  },
});
