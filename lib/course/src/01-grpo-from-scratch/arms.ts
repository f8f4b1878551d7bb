import { custom, recipe, type Recipe, type RecipeOverrides } from "turnwise/internal/rule/index";

/** Loop of the lesson: plain gradient steps, each the sum over a batch's tokens divided by its episodes. */
const ownLoop = (learningRate = 4, epochs = 1): RecipeOverrides => ({
  aggregate: { kind: "constant", length: 1 },
  update: { epochs, minibatches: 1, optimizer: { kind: "sgd", learningRate, maxGradNorm: null } },
});

const bonus = (extra: number): RecipeOverrides => ({
  reward: custom.reward("bonus", ({ turnCount_n }) => Array.from(turnCount_n, () => extra)),
});

const lessMean = custom.advantage("less the mean of the batch", ({ return_n }) => {
  const mean = return_n.reduce((sum, R) => sum + R, 0) / return_n.length;
  return return_n.map((R) => R - mean);
});

const noGate: RecipeOverrides = { ratio: "none", gate: "none" };
const ratioAlone = custom.gate("the ratio alone", {
  objective: ({ ratio, advantage }) => ratio * advantage,
  slope: ({ advantage }) => advantage,
});

/** The update rules that the lesson compares, as rows of the table. Each is what the lesson writes by hand. */
export const grpoArms = {
  reinforce: recipe("reinforce", ownLoop()),
  "bonus 1": recipe("reinforce", { ...ownLoop(), ...bonus(1) }),
  "bonus 3": recipe("reinforce", { ...ownLoop(), ...bonus(3) }),
  baseline: recipe("reinforce", { ...ownLoop(), advantage: lessMean }),
  "baseline, bonus 3": recipe("reinforce", { ...ownLoop(), ...bonus(3), advantage: lessMean }),
  group: recipe("grpo", { ...ownLoop(), ...noGate, scale: "none" }),
  "group, twice the step": recipe("grpo", { ...ownLoop(8), ...noGate, scale: "none" }),
  "group / spread": recipe("grpo", { ...ownLoop(), ...noGate }),
  "16 passes": recipe("grpo", { ...ownLoop(4, 16), ...noGate }),
  "16 passes, ratio": recipe("grpo", { ...ownLoop(4, 16), gate: ratioAlone }),
  "16 passes, ratio and clip": recipe("grpo", ownLoop(4, 16)),
} satisfies Record<string, Recipe>;

/** A name of `grpoArms`. */
export type GrpoArm = keyof typeof grpoArms;
