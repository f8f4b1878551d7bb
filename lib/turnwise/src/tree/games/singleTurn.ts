import { buildTree, type Tree } from "../tree";
import { checkProbability } from "./check";

/**
 * A small sure reward against a large rare one (RAGEN's bandit).
 *
 * In small groups, dividing by the group's standard deviation prefers the arm that wins often to the one that pays more.
 * J(p) = safe (1 - p) + chance x prize x p with p = pi(risky). By default the arms are worth .1 and .25; the optimum is .25.
 *
 * @see RAGEN, arXiv 2504.20073; the arms are those of https://github.com/RAGEN-AI/RAGEN
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
 * A sure salary against a slot machine that pays rarely and pays more: `jackpot` in the words of the course.
 *
 * J(p) = salary (1 - p) + chance x prize x p with p = pi(machine). By default the two are worth .15 and .25; the optimum is .25.
 */
export function slotMachine(o: { salary?: number; chance?: number; prize?: number } = {}): Tree {
  const { salary = 0.15, chance = 0.25, prize = 1 } = o;
  checkProbability("slotMachine", "chance", chance);
  const machine = [
    { probability: chance, reward: prize },
    { probability: 1 - chance, reward: 0 },
  ];
  return buildTree({
    name: "the slot machine and the salary",
    start: [{ node: "morning" }],
    nodes: { morning: { actions: { salary, machine } } },
  });
}

/**
 * Two tasks that the policy cannot tell apart: x pays in the first, y in the second.
 *
 * Dividing by each task's own standard deviation optimizes another objective, whatever the group size.
 * J(p) = first x largePay p + (1 - first) smallPay (1 - p) with p = pi(x). By default J = .4 p + .06 (1 - p); the optimum is .4.
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
 * Three intransitive dice: in 5 of 9 throws a beats b, b beats c, and c beats a.
 *
 * In groups of 2, dividing by the standard deviation leaves only the sign of the difference. With q the policy, the expected
 * advantage of a is (q_b - q_c)/9 whatever `prize` is, so the expected update circles around the middle and never settles.
 * The means are (.6 + prize)/3, .5 and .5. By default the optimum is 1.2.
 *
 * @param o.prize the highest face of a (3)
 * @throws {RangeError} if `prize` is not above .8, the highest face of the others
 * @see Gardner, "The paradox of the nontransitive dice", Scientific American 223 (1970)
 */
export function dice(o: { prize?: number } = {}): Tree {
  const { prize = 3 } = o;
  if (!(prize > 0.8 && prize < Infinity)) {
    throw new RangeError(`Cannot make the game dice: prize must be finite and > .8, got ${prize}.`);
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
