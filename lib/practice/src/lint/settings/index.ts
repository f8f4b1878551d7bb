import type { TrainerName } from "../../configs/recognize";
import type { SettingTable } from "./contract";
import { openRlhf } from "./openRlhf";
import { primeRl } from "./primeRl";
import { skyRl } from "./skyRl";
import { trl } from "./trl";
import { verl } from "./verl";

/** Name of each setting in each trainer, and its default. */
export const settings = {
  trl,
  verl,
  openrlhf: openRlhf,
  skyrl: skyRl,
  "prime-rl": primeRl,
} as const satisfies Readonly<Record<TrainerName, SettingTable>>;
