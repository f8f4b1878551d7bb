import { framework } from "../framework";
import { ragen } from "./ragen";

const both = (name: string): string[] => [
  `collapse_trajectory_sample/${name}`,
  `collapse_first_turn_sample/${name}`,
];

/**
 * RAGEN-2: RAGEN's names and those of its detector of collapses, every few steps.
 *
 * Information and entropy are per token of the reasoning, ours per response: only their course can be compared, which is what
 * the monitor does. A sample of all turns is preferred to one of first turns.
 *
 * The filter counts the groups whose score is 0; by default the score is the standard deviation of rewards within the group.
 *
 * @see https://github.com/mll-lab-nu/RAGEN at 20daedc47558e000f7de912b060646bf2e8026bd:
 * `docs/reference_mutual_information_metrics.md`, section 9 (names and definitions), `ragen/trainer/collapse_metrics.py`
 * (`CollapseDetector`) and `ragen/trainer/rollout_filter.py` (rollout/filter)
 */
export const ragen2 = framework({
  ...ragen,
  title: "RAGEN-2",
  metrics: {
    ...ragen.metrics,
    "response/mutualInformation": both("mi_estimate"),
    "response/conditionalEntropy": both("conditional_entropy_est"),
    "response/retrievalAboveChance": both("retrieval_above_chance"),
  },
  derived: {
    ...ragen.derived,
    "reward/fracZeroStd": {
      uses: ["rollout/filter_zero_count", "rollout/filter_kept_count", "rollout/filter_kept_ratio"],
      from: (read) => {
        const zero = read("rollout/filter_zero_count");
        const [kept, share] = [read("rollout/filter_kept_count"), read("rollout/filter_kept_ratio")];
        // Of all groups, of which the kept ones are a share.
        return zero === undefined || !kept || share === undefined ? undefined : (zero * share) / kept;
      },
    },
  },
});
