import { choice, count, group, number, orNull, renamed, type Static } from "../schema";
import { stepScaleChoice } from "./stepScale";

const learningRate = (initial: number) =>
  number(initial, {
    atLeast: 0,
    help: "Step size of the optimizer.",
    slider: { min: 1e-3, max: 100, log: true },
  });

const maxGradNorm = orNull(
  number(1, { above: 0, help: "The largest L2 norm of a gradient; null leaves gradients alone." }),
);

const belowOne = (initial: number, help: string) => number(initial, { atLeast: 0, below: 1, help });

export const optimizerChoice = choice(
  "kind",
  {
    adam: {
      learningRate: learningRate(0.03),
      beta1: belowOne(0.9, "Memory of the running mean of gradients."),
      beta2: belowOne(0.999, "Memory of the running mean of squared gradients."),
      epsilon: number(1e-8, { above: 0, help: "Added to the root of the running mean of squares." }),
      maxGradNorm: renamed("gradClip", maxGradNorm),
    },
    sgd: { learningRate: learningRate(1), maxGradNorm: renamed("gradClip", maxGradNorm) },
  },
  { help: "Optimizer, which turns a gradient into a step." },
);

/** Number of times a batch is reused: epochs x minibatches optimizer steps for each turn set. */
export const updateFields = group({
  epochs: count(1, { help: "Number of passes over a batch.", slider: { min: 1, max: 8 } }),
  minibatches: count(1, { help: "Into how many optimizer steps an epoch is divided." }),
  optimizer: renamed("optimiser", optimizerChoice),
  stepScale: stepScaleChoice,
});

export type OptimizerChoice = Static<typeof optimizerChoice>;
