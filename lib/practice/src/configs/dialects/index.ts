import { agentLightning } from "./agentLightning";
import { areal } from "./areal";
import { cosmosRl } from "./cosmosRl";
import { easyR1 } from "./easyR1";
import { formerRagen } from "./formerRagen";
import { mlxLmLora } from "./mlxLmLora";
import { msSwift } from "./msSwift";
import { nemoRl } from "./nemoRl";
import { oat } from "./oat";
import { openInstruct } from "./openInstruct";
import { openR1 } from "./openR1";
import { ragen } from "./ragen";
import { rLlm } from "./rLlm";
import { roll } from "./roll";
import { searchR1 } from "./searchR1";
import { miles, slime } from "./slime";
import { tinker } from "./tinker";
import { trlPpo } from "./trlPpo";
import { unsloth } from "./unsloth";
import { verlAgent } from "./verlAgent";
import type { Dialect } from "./contract";

/** Trainers that are read by the reader of another; of several that fit equally, the first counts. */
export const dialects = {
  "ms-swift": msSwift,
  unsloth,
  "open-r1": openR1,
  "open-instruct": openInstruct,
  "search-r1": searchR1,
  "verl-agent": verlAgent,
  ragen,
  "ragen-2025-03": formerRagen,
  rllm: rLlm,
  "agent-lightning": agentLightning,
  easyr1: easyR1,
  "nemo-rl": nemoRl,
  areal,
  roll,
  "cosmos-rl": cosmosRl,
  "mlx-lm-lora": mlxLmLora,
  "trl-ppo": trlPpo,
  oat,
  tinker,
  slime,
  miles,
} as const satisfies Readonly<Record<string, Dialect>>;

export type DialectName = keyof typeof dialects;
