import { buildTree, type Tree } from "../tree";
import { checkProbability } from "./check";

/**
 * A sure small reward against a rare large one (RAGEN's bandit).
 *
 * Shows that dividing by the group's standard deviation prefers what wins often to what pays more, for small groups.
 * J(p) = safe (1 - p) + chance x prize x p, p = pi(risky); with the defaults .1 against .25, so the optimum is .25.
 *
 * @see RAGEN, arXiv 2504.20073; arms as in its repository [P]
 */
export function jackpot(o: { safe?: number; chance?: number; prize?: number } = {}): Tree {
  const { safe = 0.1, chance = 0.25, prize = 1 } = o;
  checkProbability("jackpot", "chance", chance);
  return buildTree({
    name: "jackpot",
    start: [{ node: "arms" }],
    nodes: {
      arms: {
        actions: {
          safe,
          risky: [
            { probability: chance, reward: prize },
            { probability: 1 - chance, reward: 0 },
          ],
        },
      },
    },
  });
}

/**
 * Two tasks that the policy cannot tell apart; x pays in the first, y in the second.
 *
 * Shows that dividing by each task's own standard deviation optimises another objective, for every group size.
 * J(p) = first x largePay p + (1 - first) smallPay (1 - p), p = pi(x); with the defaults .4 p + .06 (1 - p): optimum .4.
 *
 * @see [D] derived for this project
 */
export function hiddenContexts(o: { first?: number; largePay?: number; smallPay?: number } = {}): Tree {
  const { first = 0.4, largePay = 1, smallPay = 0.1 } = o;
  checkProbability("hiddenContexts", "first", first);
  return buildTree({
    name: "hidden contexts",
    start: [
      { node: "first", probability: first },
      { node: "second", probability: 1 - first },
    ],
    nodes: {
      first: { sees: "blind", actions: { x: largePay, y: 0 } },
      second: { sees: "blind", actions: { x: 0, y: smallPay } },
    },
  });
}
