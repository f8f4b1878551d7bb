import { count, flag, fraction, group, number, resolve, whole, type Given, type Static } from "../../schema";

const schema = group({
  iterations: count(10, { help: "Number of times that the tree grows and the policy learns from it." }),
  stepsPerIteration: count(100_000, {
    unit: "environment steps",
    help: "Really taken, for the tree; the last episode is played to its end.",
  }),
  exploration: number(0.5, { atLeast: 0, help: "c of Q + c sqrt(ln N / n), in units of reward." }),
  widening: fraction(0.5, {
    help: "After N visits, ceil((N + 1)^widening) actions are compared after a history, the most promising first.",
  }),
  uniform: fraction(0.2, {
    help: "Share of a rollout's turns that are drawn from all actions equally often.",
  }),
  floor: number(1e-3, {
    above: 0,
    unit: "reward",
    help: "Added to the mean return of an action's episodes, in proportion to which the other turns of a rollout are drawn.",
  }),
  trust: fraction(0, {
    help: "Share of the rollouts that the policy plays itself; for one that generalizes over histories.",
  }),
  minVisits: count(20, { help: "Histories that the tree has met less often are not taught." }),
  imitationSteps: whole(60, {
    atLeast: 0,
    help: "Gradient steps of the policy after each growth of the tree.",
  }),
  learningRate: number(0.3, { above: 0, help: "Learning rate of the policy's Adam." }),
  evaluate: flag(true, { help: "Plays the policy alone after each iteration; its steps are not counted." }),
  evalEpisodes: count(256, { help: "Episodes of each evaluation, the same ones every time." }),
  seed: whole(0, { atLeast: 0, help: "Everything that is drawn is drawn from it." }),
});

export type ExpertIterationSettings = Static<typeof schema>;
/** Options of `expertIteration`; omitted ones have their defaults. */
export type ExpertIterationOptions = Given<typeof schema>;

export const readOptions = (given: ExpertIterationOptions): ExpertIterationSettings =>
  resolve(schema, given, { action: "run expert iteration", owner: "expertIteration" });
