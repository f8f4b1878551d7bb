import { standardDeviation } from "../../base/statistics";
import { fraction, number } from "../../schema";
import { filter, type Group } from "./contract";

/** With n - 1, as torch.std; a group of one has none. */
const spread = ({ returns, deviation }: Group): number =>
  deviation === 0 ? 0 : standardDeviation(returns, true);

export const topP = filter({
  help: "The groups of largest reward deviation, until they hold a share p of the sum of all deviations; p = 1 keeps every group.",
  equation: String.raw`\sum_{g\in\text{kept}}\mathrm{std}_g(R)\ge p\sum_g\mathrm{std}_g(R)-\epsilon`,
  source: "RAGEN-2, arXiv 2604.06268; github.com/mll-lab-nu/RAGEN, ragen/trainer/rollout_filter.py:115",
  fields: {
    p: fraction(0.9, { help: "Which share of the sum of deviations the groups that are kept must hold." }),
    epsilon: number(0.01, {
      atLeast: 0,
      help: "Tolerance on `p`, so that rounding never keeps an extra group.",
      unit: "reward",
    }),
  },
  label: ({ p }) => `topP ${p}`,
  kept: ({ p, epsilon }, groups) => {
    if (p === 1) return groups;
    const ranked = groups
      .map((group) => ({ group, spread: spread(group) }))
      .sort((a, b) => b.spread - a.spread || (a.group.id < b.group.id ? -1 : 1));
    const wanted = p * ranked.reduce((sum, one) => sum + one.spread, 0) - epsilon;
    let held = 0;
    const kept = ranked.filter((one) => {
      if (held >= wanted || one.spread === 0) return false;
      held += one.spread;
      return true;
    });
    return kept.map(({ group }) => group);
  },
  generations: () => 1,
});
