import { choice, type Static } from "../../schema";
import { fieldsOf, named } from "../part";
import { agentPlusStep } from "./agentPlusStep";
import { belief } from "./belief";
import { bestOfGroup } from "./bestOfGroup";
import { biLevelGae } from "./biLevelGae";
import type { Advantage } from "./contract";
import { branches } from "./branches";
import { components } from "./components";
import { custom } from "./custom";
import { episodePlusStep } from "./episodePlusStep";
import { gae } from "./gae";
import { gigpo } from "./gigpo";
import { hgpo } from "./hgpo";
import { hindsight } from "./hindsight";
import { hierarchical } from "./hierarchical";
import { leaveOneOut } from "./leaveOneOut";
import { lengthWeighted } from "./lengthWeighted";
import { mean } from "./mean";
import { outcomePlusGains } from "./outcomePlusGains";
import { outcomePlusStep } from "./outcomePlusStep";
import { perPosition } from "./perPosition";
import { optimalToken } from "./optimalToken";
import { optimalTrajectory } from "./optimalTrajectory";
import { outcomePlusTurn } from "./outcomePlusTurn";
import { perTurn } from "./perTurn";
import { rawReturn } from "./return";
import { returnPlusStep } from "./returnPlusStep";
import { stateGraph } from "./stateGraph";
import { step } from "./step";
import { subtree } from "./subtree";
import { target } from "./target";
import { tree } from "./tree";
import { returnToGo } from "./returnToGo";
import { valueStep } from "./valueStep";
import { verdictSign } from "./verdictSign";

/** Every advantage that has a name; the first is the default of a rule. */
export const advantageKinds = {
  return: rawReturn,
  returnToGo,
  mean,
  leaveOneOut,
  perTurn,
  perPosition,
  episodePlusStep,
  outcomePlusStep,
  verdictSign,
  gae,
  biLevelGae,
  gigpo,
  hierarchical,
  tree,
  subtree,
  step,
  lengthWeighted,
  outcomePlusTurn,
  hgpo,
  agentPlusStep,
  optimalToken,
  components,
  bestOfGroup,
  returnPlusStep,
  branches,
  belief,
  optimalTrajectory,
  stateGraph,
  target,
  hindsight,
  outcomePlusGains,
  valueStep,
};

export const advantageChoice = choice("kind", fieldsOf({ ...advantageKinds, custom }), {
  help: "Credit of a trajectory, turn or token.",
});

export type AdvantageChoice = Static<typeof advantageChoice>;

/** @throws {RangeError} if the kind is unknown */
export const advantageOf = ({ kind }: AdvantageChoice): Advantage =>
  kind === "custom" ? custom : named<Advantage>(advantageKinds, "advantage.kind", kind);
