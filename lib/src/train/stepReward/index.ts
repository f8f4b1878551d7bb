import type { Recipe } from "../../rule";
import type { StepRewarder } from "./contract";
import { informationGain } from "./informationGain";

/** What computes the step reward of a row; undefined where it has none. */
export function stepRewarderOf({ reward }: Recipe): StepRewarder | undefined {
  // A row from a file of an earlier version has no such cell.
  const step = (reward as Partial<Recipe["reward"]>).step ?? { kind: "none" };
  switch (step.kind) {
    case "none":
      return undefined;
    case "informationGain":
      return { judge: ({ batch, policy }) => informationGain(batch, policy, step.weight) };
  }
}
