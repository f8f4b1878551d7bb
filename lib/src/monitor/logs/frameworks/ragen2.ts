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
 * @see RAGEN-2's `docs/reference_mutual_information_metrics.md`, section 9 (names and definitions) and
 * `ragen/trainer/collapse_metrics.py` (`CollapseDetector`)
 */
export const ragen2 = framework({
  ...ragen,
  title: "RAGEN-2",
  metrics: {
    ...ragen.metrics,
    "response/information": both("mi_estimate"),
    "response/conditionalEntropy": both("conditional_entropy_est"),
    "response/retrieval": both("retrieval_above_chance"),
  },
});
