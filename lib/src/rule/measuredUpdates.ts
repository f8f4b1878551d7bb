/**
 * Means over the worlds of the report card, from datasets/measured/report-card.jsonl. Written by `npm run generated`.
 */
export const measuredUpdates: Readonly<
  Partial<
    Record<
      string,
      { readonly bias: number; readonly cosine: number; readonly gain: number; readonly falls: number }
    >
  >
> = {
  reinforce: { bias: 0.05, cosine: 0.51, gain: 0.48, falls: 0.15 },
  reinforcePlusPlus: { bias: 0.24, cosine: 0.6, gain: 0.5, falls: 0.12 },
  rloo: { bias: 0.0, cosine: 0.6, gain: 0.5, falls: 0.07 },
  loop: { bias: 0.05, cosine: 0.6, gain: 0.5, falls: 0.12 },
  grpo: { bias: 0.32, cosine: 0.58, gain: 0.48, falls: 0.13 },
  verlGrpo: { bias: 0.17, cosine: 0.6, gain: 0.5, falls: 0.12 },
  drGrpo: { bias: 0.0, cosine: 0.6, gain: 0.5, falls: 0.11 },
  dapo: { bias: 0.21, cosine: 0.6, gain: 0.6, falls: 0.13 },
  gspo: { bias: 0.32, cosine: 0.58, gain: 0.45, falls: 0.12 },
  sapo: { bias: 0.32, cosine: 0.58, gain: 0.48, falls: 0.13 },
  ppo: { bias: 0.19, cosine: 0.61, gain: 0.56, falls: 0.08 },
  sPpo: { bias: 0.36, cosine: 0.57, gain: 0.52, falls: 0.09 },
  mGrpo: { bias: 0.32, cosine: 0.58, gain: 0.48, falls: 0.13 },
  starPo: { bias: 0.18, cosine: 0.57, gain: 0.56, falls: 0.12 },
  starPoS: { bias: 0.18, cosine: 0.57, gain: 0.56, falls: 0.12 },
  stepPo: { bias: 0.19, cosine: 0.61, gain: 0.56, falls: 0.08 },
  turnPpo: { bias: 0.36, cosine: 0.57, gain: 0.52, falls: 0.09 },
  soPpo: { bias: 0.36, cosine: 0.57, gain: 0.52, falls: 0.09 },
  soGrpo: { bias: 0.32, cosine: 0.58, gain: 0.48, falls: 0.13 },
  seeUpo: { bias: 0.0, cosine: 0.6, gain: 0.5, falls: 0.12 },
  seeUpoAuthors: { bias: 0.29, cosine: 0.5, gain: 0.49, falls: 0.18 },
  gigpo: { bias: 0.12, cosine: 0.51, gain: 0.5, falls: 0.18 },
  hiper: { bias: 0.17, cosine: 0.57, gain: 0.56, falls: 0.14 },
  drMas: { bias: 0.2, cosine: 0.6, gain: 0.5, falls: 0.12 },
  happo: { bias: 0.23, cosine: 0.62, gain: 0.58, falls: 0.07 },
};
