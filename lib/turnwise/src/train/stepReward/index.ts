import type { Policy } from "../../policy/policy";
import type { Recipe } from "../../rule";
import type { StepRewarder } from "./contract";
import { AgentBaseline } from "./agentBaseline";
import { counterfactual } from "./counterfactual";
import { greedyBaseline } from "./greedyBaseline";
import { ImplicitReward } from "./implicit";
import { factual } from "./factual";
import { Hindsight } from "./hindsight";
import { evidence, informationGain } from "./informationGain";
import { TeacherGap } from "./teacherGap";
import { Votes } from "./vote";
import { marginal } from "./marginal";
import { MonteCarloReward } from "./monteCarlo";

/** Function that computes the step reward of a rule; undefined if it has none. What learns begins as a copy of the policy. */
export function stepRewarderOf({ reward }: Recipe, policy: Policy): StepRewarder | undefined {
  // A rule from a file of an earlier version has no such field.
  const step = (reward as Partial<Recipe["reward"]>).step ?? { kind: "none" };
  switch (step.kind) {
    case "none":
      return undefined;
    case "informationGain":
      return { judge: (input) => informationGain(input.batch, input.policy, step.weight) };
    case "implicit":
      return new ImplicitReward(policy, step);
    case "factual":
      return { judge: (input) => factual(input, step.error) };
    case "vote":
      return new Votes(step);
    case "monteCarlo":
      return new MonteCarloReward(step);
    case "marginal":
      return { judge: (input) => marginal(input, step) };
    case "greedyBaseline":
      return { judge: greedyBaseline };
    case "agentBaseline":
      return new AgentBaseline(step);
    case "teacherGap":
      return new TeacherGap();
    case "hindsight":
      return new Hindsight();
    case "counterfactual":
      return { judge: (input) => counterfactual(input, step) };
    case "evidence":
      return { judge: (input) => evidence(input.batch, input.policy) };
  }
}
