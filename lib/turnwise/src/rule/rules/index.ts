import { criticFree } from "./criticFree";
import { critic } from "./critic";
import { multiTurn } from "./multiTurn";
import { offPolicy } from "./offPolicy";
import { stepCredit } from "./stepCredit";
import { multiAgent } from "./multiAgent";

export type { RecipeOverrides } from "./row";

/** The parts of the printed table: what a group is called, and its rows. */
export const rowGroups = {
  "critic-free": criticFree,
  critic,
  "multi-turn": multiTurn,
  "off-policy corrections": offPolicy,
  "step credit": stepCredit,
  "multi-agent": multiAgent,
} as const;

/**
 * The plainest rule is the raw return, no ratio, the mean over tokens, one step, no regularizer. Epochs, minibatches and
 * optimizers are this library's own settings for small policies; all other fields follow the source, and `deviations` lists
 * where they depart from it.
 */
export const rows = {
  ...criticFree,
  ...critic,
  ...multiTurn,
  ...offPolicy,
  ...stepCredit,
  ...multiAgent,
} as const;

/** The name of a rule of the table. */
export type RecipeName = keyof typeof rows;
