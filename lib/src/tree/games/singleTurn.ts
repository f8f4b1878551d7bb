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

/**
 * Three dice, a, b and c, each of which is beaten by another: a beats b, b beats c and c beats a in 5 of 9 throws.
 *
 * Shows that for G = 2 dividing by the group's standard deviation leaves the sign of the difference alone: the expected
 * advantage of a is (q_b - q_c)/9 whatever `prize` is, q the policy, so the expected update turns about the middle and
 * settles nowhere. The means are (.6 + prize)/3, .5 and .5; with the default 1.2, so the optimum is 1.2.
 *
 * @param o.prize the highest face of a (3)
 * @throws RangeError unless prize is above .8, the highest face of the others
 * @see intransitive dice, Gardner, Scientific American 223, 1970; as a bandit [D]
 */
export function dice(o: { prize?: number } = {}): Tree {
  const { prize = 3 } = o;
  if (!(prize > 0.8 && prize < Infinity)) {
    throw new RangeError(
      `Cannot make the game dice as prize must be finite and > .8: current value is ${prize}`,
    );
  }
  const fair = (...faces: number[]): { probability: number; reward: number }[] =>
    faces.map((reward) => ({ probability: 1 / 3, reward }));
  return buildTree({
    name: "dice",
    start: [{ node: "dice" }],
    nodes: {
      dice: { actions: { a: fair(0.2, 0.4, prize), b: fair(0.1, 0.6, 0.8), c: fair(0.3, 0.5, 0.7) } },
    },
  });
}
