import type { Row } from "./row";
import {
  clip,
  gae,
  clipBias,
  valuesPerTurn,
  ourReuse,
  doubtfulDivision,
  verlDualClips,
  tokenClip,
  tokenCritic,
  dividedByClipBias,
  reuse,
} from "./shared";

/** Rules that credit tokens by a critic's values. */
export const critic = {
  ppo: {
    title: "PPO with GAE",
    equation: String.raw`${gae},\quad L=-\tfrac1M\sum ${clip}`,
    source: "arXiv 1707.06347; verl trainer/ppo/core_algos.py [P]",
    deviations: [valuesPerTurn, verlDualClips(), ourReuse],
    shown: ["its first inner step with lambda = 1 and V = 0 is REINFORCE"],
    fields: { ...tokenCritic, ...tokenClip, aggregate: "tokenMean", update: reuse },
  },
  sPpo: {
    title: "S-PPO",
    equation: clipBias,
    source: "arXiv 2511.20718v1, Eq. 7 [R]",
    deviations: [doubtfulDivision, ourReuse],
    shown: [],
    fields: {
      ...tokenCritic,
      ...tokenClip,
      aggregate: "sequenceMeanTokenMean",
      regularizer: dividedByClipBias,
      update: reuse,
    },
  },
} as const satisfies Readonly<Record<string, Row>>;
