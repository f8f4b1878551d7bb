import { card, type Card } from "../../base/card";
import type { Checkpoint } from "../../train/checkpoint";

/** True for what `run.checkpoint()` and `loadCheckpoint` give. */
export function isCheckpoint(value: object): boolean {
  return (value as Partial<Checkpoint>).format === "turnwise-checkpoint" && "policy" in value;
}

/** A checkpoint in place of its thousands of numbers: what it is a checkpoint of, and how to go on from it. */
export function checkpointCard({ env, recipe, update, samples, policy, compute, kernels }: Checkpoint): Card {
  return card({
    title: `Checkpoint of ${recipe.name} in ${env.id} after update ${update}`,
    about: "All that the next update depends on, as plain data.",
    rows: [
      ["policy", `${policy.name}, ${policy.parameters.length} parameters`],
      ["trajectories so far", String(samples)],
      ...(compute === undefined ? [] : [["computed in", compute]]),
      ...(kernels === undefined ? [] : [["by the kernels", kernelsOf(kernels)]]),
    ],
    next: [
      { does: "To go on", code: `train({ resume: checkpoint, updates: ${update * 2 || 100} })` },
      { does: "To keep it", code: `await saveCheckpoint("my-run", checkpoint)` },
    ],
  });
}

function kernelsOf({ name, bitsOfWasm }: NonNullable<Checkpoint["kernels"]>): string {
  return `${name}, ${bitsOfWasm ? "with the bits of" : "whose last bits are not those of"} plain WebAssembly`;
}
