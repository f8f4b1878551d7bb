import { choice, type Static } from "../../../schema";
import { fieldsOf, named } from "../../part";
import type { StepReward } from "./contract";
import { agentBaseline } from "./agentBaseline";
import { counterfactual } from "./counterfactual";
import { evidence } from "./evidence";
import { factual } from "./factual";
import { greedyBaseline } from "./greedyBaseline";
import { hindsight } from "./hindsight";
import { implicit } from "./implicit";
import { informationGain } from "./informationGain";
import { marginal } from "./marginal";
import { monteCarlo } from "./monteCarlo";
import { none } from "./none";
import { teacherGap } from "./teacherGap";
import { vote } from "./vote";

/** Every reward of single turns that has a name; the first is the default of a rule. */
export const stepRewards = {
  none,
  informationGain,
  implicit,
  factual,
  vote,
  marginal,
  monteCarlo,
  greedyBaseline,
  agentBaseline,
  teacherGap,
  hindsight,
  evidence,
  counterfactual,
};

export const stepChoice = choice("kind", fieldsOf(stepRewards), {
  help: "Reward of a single turn in addition to the world's reward, before any advantage.",
});

export type StepChoice = Static<typeof stepChoice>;

/** A rule from a file of an earlier version has no such field. */
export const stepOf = (choice: StepChoice | undefined): StepReward =>
  named<StepReward>(stepRewards, "reward.step", choice?.kind ?? "none");
