export const clip = String.raw`\min\!\big(rA,\ \mathrm{clip}(r,1-\epsilon_{lo},1+\epsilon_{hi})A\big)`;
export const clippedTokens = String.raw`r_t=\frac{\pi_\theta(y_t\mid\cdot)}{\pi_{old}(y_t\mid\cdot)}`;
export const groupStd = String.raw`A_i=\frac{R_i-\mathrm{mean}(R)}{\mathrm{std}(R)+\varepsilon}`;
export const turnRatio = String.raw`w_k=\exp\Big(\tfrac{1}{|y^k|}\sum_{t\in k}\log\tfrac{\pi_\theta(y_t)}{\pi_{old}(y_t)}\Big)`;
export const gae = String.raw`\delta_t=R_t+\gamma V_{t+1}-V_t,\quad A_t=\sum_l(\gamma\lambda)^l\delta_{t+l}`;
export const clipBias = String.raw`g\leftarrow g\,/\,\max(1,\lVert C\rVert_2),\quad C=\mathbb{E}\big[\tfrac{1}{|y|}\sum_{t\,clipped}w_tA_t\nabla\log\pi\big]`;

export const valuesPerTurn =
  "where the critic values turns only, a token has the value of its turn; advantages are whitened over the batch, as verl does, with 1e-6 beside the deviation instead of sqrt(var + 1e-8) (verl/utils/torch_functional.py:343) [P]";
export const ourReuse = "epochs, minibatches and learning rate are ours, for small policies";
export const noKl =
  "the KL term is off, as TRL's default beta = 0 [P]; switch it on with regularizer.klReference";
export const trlEpsilon =
  "the standard deviation has n - 1, as torch.std, and 1e-6 beside it, as in verl; TRL has 1e-4 (trl/trainer/grpo_trainer.py:2787) [P]";
export const doubtfulDivision =
  'reviews give division by ||C||; the floor 1 is our guard, since C = 0 whenever nothing is clipped; the formula of the second version ("clipping-triggered normalization") is unverified [U]';

/** Term that verl's loss adds to every rule that runs there; 0.9.1 is the release that `lib/turnwise/CONFORMANCE.md` runs. */
export const verlDualClips = (more = ""): string =>
  `verl's vanilla loss never clips alone: it always dual-clips at 3 (0.9.1, verl/trainer/ppo/core_algos.py:1323)${more}; gate: "dualClip" does [P]`;

export const tokenClip = { ratio: "token", gate: "clip" } as const;
export const turnClip = { ratio: { level: "turn", pooling: "geometric" }, gate: "clip" } as const;
export const sumOfLogProbs = {
  ratio: "none",
  gate: "none",
  aggregate: { kind: "constant", length: 1 },
} as const;
export const groupMeanAndStd = { advantage: "mean", scale: "group" } as const;
export const tokenCritic = { advantage: { kind: "gae", level: "token" }, scale: "batch" } as const;
export const turnCritic = { advantage: { kind: "gae", level: "turn" }, scale: "batch" } as const;
export const dividedByClipBias = { clippingTriggered: { kind: "gradNorm", floor: 1 } } as const;
export const reuse = { epochs: 2, minibatches: 2 } as const;
export const oneStep = { epochs: 1, minibatches: 1, optimizer: { learningRate: 0.1 } } as const;
