import assert from "node:assert/strict";
import { groupAdvantage } from "turnwise";
import { assertClose } from "./support";

interface Outcome {
  readonly reward: number;
  readonly probability: number;
}

/** E[A_1 | R_1 = reward] over every composition of the other G - 1 members, through `groupAdvantage` itself. */
function expectedAdvantage(
  reward: number,
  others: readonly Outcome[],
  G: number,
  scale: "none" | "group",
): number {
  let sum = 0;
  const visit = (k: number, left: number, rewards: readonly number[], weight: number): void => {
    if (k === others.length - 1) {
      const last = new Array<number>(left).fill(others[k]!.reward);
      const group = [reward, ...rewards, ...last];
      const o = { baseline: "mean", scale, unbiased: false, epsilon: 0 } as const;
      const [a] = groupAdvantage(
        group,
        group.map(() => 0),
        o,
      );
      sum += weight * others[k]!.probability ** left * a!;
      return;
    }
    let choose = 1;
    for (let count = 0; count <= left; count++) {
      const drawn = [...rewards, ...new Array<number>(count).fill(others[k]!.reward)];
      visit(k + 1, left - count, drawn, weight * choose * others[k]!.probability ** count);
      choose = (choose * (left - count)) / (count + 1);
    }
  };
  visit(0, G - 1, [], 1);
  return sum;
}

/** RAGEN's bandit: safe pays .1, risky 1 with probability 1/4 else 0; D = E[A | risky] - E[A | safe]. */
function bandit(p: number, G: number, scale: "none" | "group"): number {
  const others = [
    { reward: 0.1, probability: 1 - p },
    { reward: 1, probability: p / 4 },
    { reward: 0, probability: (3 * p) / 4 },
  ];
  const of = (reward: number): number => expectedAdvantage(reward, others, G, scale);
  return 0.25 * of(1) + 0.75 * of(0) - of(0.1);
}

describe("group advantages, averaged over every composition of a group", () => {
  it("prefer the worse arm by D_2 = -1/2 at every policy when the group of two is divided by its std", () => {
    for (const p of [0.01, 0.1, 0.5, 0.9, 0.99]) assertClose([bandit(p, 2, "group")], [-0.5], 1e-6);
  });

  it("have D_8(.5) = -.1942 and D_16(.5) = +.209: the sign turns with the size of the group", () => {
    assertClose([bandit(0.5, 8, "group")], [-0.1942], 1e-4);
    assertClose([bandit(0.5, 16, "group")], [0.209], 1e-3);
  });

  it("are (G - 1) / G of the true difference .15 without the division", () => {
    for (const G of [2, 4, 8]) {
      assertClose([bandit(0.3, G, "none")], [((G - 1) / G) * 0.15], 1e-6);
    }
  });

  it("scale the gradient of a binary reward by c_8(.441) = 1.864685", () => {
    const others = [
      { reward: 1, probability: 0.441 },
      { reward: 0, probability: 0.559 },
    ];
    const c = expectedAdvantage(1, others, 8, "group") - expectedAdvantage(0, others, 8, "group");
    // The published p is rounded to three digits, which moves c by 4e-6.
    assertClose([c], [1.864685], 5e-6);
  });

  it("reverse the gradient of two contexts that the policy cannot tell apart", () => {
    // Context 1 (.4): x pays 1; context 2 (.6): y pays .1. p(x) = .5; J = .4 p + .06 (1 - p) = .23.
    // Groups {x, y} in the exact proportion 2 : 3; A(x) - A(y) per context is 1 and -.1 (none), 2 and -2 (group).
    const reward = [1, 0, 1, 0, 0, 0.1, 0, 0.1, 0, 0.1];
    const groupId = [0, 0, 1, 1, 2, 2, 3, 3, 4, 4];
    const gradient = (scale: "none" | "group" | "batch"): number => {
      const a = groupAdvantage(reward, groupId, { baseline: "mean", scale, unbiased: false, epsilon: 0 });
      // d log pi / d logit(x) is +.5 for x (even places) and -.5 for y.
      return a.reduce((sum, advantage, i) => sum + advantage * (i % 2 === 0 ? 0.5 : -0.5), 0) / a.length;
    };
    assertClose([gradient("none"), gradient("group"), gradient("batch")], [0.085, -0.1, 0.2668], 1e-4);
    // A step of 1 on both logits moves their difference by 2 g: p = sigmoid(2 g).
    const J = (g: number): number => 0.06 + 0.34 / (1 + Math.exp(-2 * g));
    assertClose([J(0), J(gradient("group")), J(gradient("none"))], [0.23, 0.2131, 0.2444], 1e-4);
    assert.ok(J(gradient("batch")) > J(0));
  });
});
