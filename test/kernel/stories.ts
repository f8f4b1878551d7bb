/**
 * What a researcher types to try an idea: each story is the cells of one notebook, in at most 15 lines
 * of at most 100 columns together. They are tested by the files ownStories, in three tiers, and timed by test/bench/stories.ts.
 */
export interface Story {
  readonly title: string;
  readonly cells: readonly string[];
  /** What the last cell shows. */
  readonly shows: RegExp;
}

const update = `const update = { optimizer: { kind: "sgd", learningRate: 8 } } as const;`;

const advantage: Story = {
  title: "a custom advantage, trained and drawn against the exact optimum",
  cells: [
    `import { custom, learningCurve, make, median, optimalReturn, recipe, trainSeeds } from "turnwise";
${update}
const middling = custom.advantage("above the median", ({ return_n }, { groups }) => {
  const A_n = return_n.map(() => 0);
  for (const group of groups) {
    const middle = median(group.map((n) => return_n[n]!));
    for (const n of group) A_n[n] = return_n[n]! - middle;
  }
  return A_n;
});`,
    `const row = recipe("drGrpo", { update, advantage: middling });
const setting = { env: "LookUp-v0", policy: { syntaxPrior: 3 }, recipe: row, updates: 60 } as const;
const runs = await trainSeeds({ ...setting, exactEvery: 5 }, 5);
const optimum = optimalReturn(make("LookUp-v0")).J;
learningCurve(runs, { metric: "return/exact", optimum });`,
  ],
  shows: /^Learning curve of return\/exact .* ends at 0\.\d+ \(interval .*The optimum is 1\.000/,
};

const checked: Story = {
  title: "a mistake in it, found by checkRule",
  cells: [
    `import { checkRule, custom, recipe } from "turnwise";

const slip = custom.advantage("slip", ({ return_n }, { groups }) => {
  const A_n = return_n.map(() => 0);
  for (const group of groups) {
    const mean = group.reduce((sum, n) => sum + n / group.length, 0);
    for (const n of group) A_n[n] = return_n[n]! - mean;
  }
  return A_n;
});
checkRule(recipe("drGrpo", { advantage: slip }));`,
  ],
  shows: /faults: row order, batch size\n[^]*✗ row order +Rows in another order change the gradient/,
};

const gate: Story = {
  title: "a custom gate with stop-gradient: CISPO",
  cells: [
    `import { custom, learningCurve, recipe, trainSeeds } from "turnwise";
${update}
const cispo = recipe("grpo", {
  update,
  gate: custom("cispo", (tf, { ratio, advantage, logProb, stopGradient }) => {
    const weight = stopGradient(tf.minimum(ratio, 1.2));
    return tf.mul(tf.mul(weight, advantage), logProb);
  }),
});
const setting = { env: "LookUp-v0", policy: { syntaxPrior: 3 }, updates: 60 } as const;
const runs = await trainSeeds({ ...setting, recipe: cispo }, 5);
learningCurve(runs, { metric: "reward/mean" });`,
  ],
  shows: /^Learning curve of reward\/mean .* ends at 0\.[89]/,
};

/**
 * A whole loss beside the row that has its derivative in closed form: how far any number of 20 records is apart. What is printed
 * of ratios and clipping is left out, as nobody knows what a loss makes of a ratio.
 */
const loss = (name: "grpo" | "gspo" | "sapo", body: readonly string[]): Story => ({
  title: `a custom whole loss: the records of ${name} over 20 updates`,
  cells: [
    `import { custom, recipe, trainSeeds } from "turnwise";

const mine = custom.loss("mine", (tf, x) => {
${body.map((line) => `  ${line}`).join("\n")}
});
const setting = { env: "LookUp-v0", updates: 20, exactEvery: 1 } as const;
const [own] = (await trainSeeds({ ...setting, recipe: recipe("${name}", { loss: mine }) }, 1)).runs;
const [closed] = (await trainSeeds({ ...setting, recipe: "${name}" }, 1)).runs;
const names = Object.keys(own![0]!.metrics).filter((name) => !name.startsWith("policy/ratio"));
const gap = (k: number, name: string) => own![k]!.metrics[name]! - closed![k]!.metrics[name]!;
Math.max(...own!.flatMap((_, k) => names.map((name) => Math.abs(gap(k, name)))));`,
  ],
  shows: /^[\d.e-]+$/,
});

const ratio = [
  "const A = x.advantage_ntl;",
  "const r = tf.exp(tf.sub(x.logProb_ntl, x.oldLogProb_ntl));",
] as const;

/** The whole losses of the table, as their papers write them. */
export const losses: Readonly<Record<"grpo" | "gspo" | "sapo", Story>> = {
  grpo: loss("grpo", [
    ...ratio,
    "const clipped = tf.clipByValue(r, 0.8, 1.2);",
    "return tf.neg(x.sequenceMean(tf.minimum(tf.mul(r, A), tf.mul(clipped, A))));",
  ]),
  gspo: loss("gspo", [
    "const A = x.advantage_ntl;",
    "const logRatio = tf.sub(x.logProb_ntl, x.oldLogProb_ntl);",
    "const s = tf.exp(x.maskedMean(logRatio, x.mask_ntl, [1, 2]));",
    "const clipped = tf.clipByValue(s, 1 - 3e-4, 1 + 4e-4);",
    "return tf.neg(x.sequenceMean(tf.minimum(tf.mul(s, A), tf.mul(clipped, A))));",
  ]),
  sapo: loss("sapo", [
    ...ratio,
    "const tau = tf.where(tf.greater(A, 0), tf.onesLike(A), tf.fill([...x.shape], 1.05));",
    "const f = tf.mul(tf.div(4, tau), tf.sigmoid(tf.mul(tau, tf.sub(r, 1))));",
    "return tf.neg(x.sequenceMean(tf.mul(f, A)));",
  ]),
};

const linear = `autodiffPolicy({
  name: "linear",
  parameters: ({ features, vocabulary }) => ({ W: [features, vocabulary] }),
  logits: (tf, { W }, x) => tf.matMul(x.features, W),
});`;

const policy: Story = {
  title: "an own policy from a cell, checked and trained",
  cells: [
    `import { autodiffPolicy, checkPolicy, recipe, trainSeeds } from "turnwise";

const linear = ${linear}
checkPolicy(linear, "KeyDoor-v0");`,
    `${update}
const row = recipe("rloo", { update });
const runs = await trainSeeds({ env: "KeyDoor-v0", policy: linear, recipe: row, updates: 40 }, 3);
display(runs);
runs.final("reward/mean").low > 0.8;`,
  ],
  shows: /^true$/,
};

const gamble = `const words = { vocabulary: ["save", "gamble"], observationVocabulary: ["choose", "paid"] };
const spec = { id: "Gamble-v0", skill: "risk", ...words, maxTurns: 1, maxTokens: 1, options: {} };
const choose = { state: null, observation: { tokens: [2], text: "choose" }, terminated: false };
const paid = { state: null, observation: { tokens: [3], text: "paid" }, terminated: true };
const save = [{ ...paid, reward: 0.4, probability: 1 }];
const gamble = [1, 0].map((reward) => ({ ...paid, reward, probability: reward ? 0.25 : 0.75 }));
const start = () => [{ ...choose, reward: 0, probability: 1 }];
const transition = (_: null, [token]: Action) => (token === 0 ? save : gamble);
register("Gamble-v0", () => new GameEnv({ spec, start, transition, render: () => "" }));`;

const world: Story = {
  title: "an own world from a cell, with its card",
  cells: [
    `import { GameEnv, register, type Action } from "turnwise";
import { worldCard } from "turnwise/exact";

${gamble}
worldCard("Gamble-v0");`,
  ],
  shows:
    /^Gamble-v0\nrisk\n✓ keeps the contract[^]*the best agent gets +0\.4, exactly[^]*the random agent gets +0\.325, exactly/,
};

const worldModule: Story = {
  title: "an own world from %%module, swept on two workers",
  cells: [
    `%%module gamble.ts
import { GameEnv, register, type Action } from "turnwise";

${gamble}`,
    `import { sweep, sweepTable } from "turnwise";

const run = sweep({ env: "Gamble-v0", recipe: ["rloo", "ppo"], updates: 9, seeds: 20, workers: 2 });
await run;
sweepTable(run);`,
  ],
  shows: /^40 of 40 jobs, finished\nrecipe=rloo +20\/20 +done[^]*\nrecipe=ppo +20\/20 +done/,
};

const policyModule: Story = {
  title: "an own policy and rule from %%module, trained on two workers",
  cells: [
    `%%module mine.ts
import { autodiffPolicy, custom, recipe } from "turnwise";

export const linear = ${linear}
const squared = custom.advantage("squared", ({ return_n }) => return_n.map((R) => R * R - 0.5));
export const row = recipe("rloo", { advantage: squared });`,
    `import { trainSeeds } from "turnwise";

const setting = { env: "KeyDoor-v0", policy: linear, recipe: row, updates: 20 } as const;
await trainSeeds(setting, 4, { workers: 2 });`,
  ],
  shows: /^rloo \+ squared: 4 seeds, 20 updates each/,
};

/** The second cell is interrupted by its reader. */
export const twenty: Story = {
  title: "20 seeds on two workers, interrupted, resumed, drawn with bands, saved as SVG and CSV",
  cells: [
    `%%module winners.ts
import { custom, groupAdvantage, recipe } from "turnwise";

const winners = custom.advantage("winners", ({ return_n, groupId }) =>
  groupAdvantage(return_n, groupId, { baseline: "mean", scale: "none" }).map((A) => Math.max(0, A)),
);
export const row = recipe("drGrpo", { advantage: winners });`,
    `import { learningCurve, trainSeeds } from "turnwise";

const setting = { env: "LookUp-v0", recipe: row, updates: 150 } as const;
const some = await trainSeeds(setting, 20, { workers: 2 });`,
    `const all = await trainSeeds(setting, 20, { workers: 2, resume: some });
const chart = learningCurve(all, { metric: "reward/mean" });
await chart.save("winners.svg");
await all.save("winners.csv");
chart;`,
  ],
  shows: /^Learning curve of reward\/mean .* \(interval .* after 150 updates/,
};

export const stories: readonly Story[] = [
  advantage,
  checked,
  gate,
  ...Object.values(losses),
  policy,
  world,
  worldModule,
  policyModule,
  twenty,
];

/** Those that train next to nothing. */
export const quickStories: readonly Story[] = [checked, world];

/** Those that differ from others in a formula alone, and the long one, which sweep.slow.test.ts has in small. */
export const moreStories: readonly Story[] = [gate, losses.gspo, losses.sapo, policyModule, twenty];

/** Lines with code on them, in all cells of a story. */
export const linesOf = ({ cells }: Story): number =>
  cells
    .join("\n")
    .split("\n")
    .filter((line) => line.trim() !== "").length;
