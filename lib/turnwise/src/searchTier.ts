// The tier turnwise/search. It stands beside the rooms, since what thinks ahead is spread over several floors of them.

export { countSteps, type StepCounter } from "./search/stepCounter";
export {
  CountModel,
  hallucinating,
  historyModel,
  type CountModelOptions,
  type HallucinationOptions,
} from "./search/model";
export { dyna, type DynaRecord, type DynaRun } from "./train/dyna/dyna";
export { type DynaCheckpoint, type DynaOptions } from "./train/dyna/options";
export { inTurns } from "./env/inTurns";
export { shapley, type Shapley } from "./exact/shapley/shapley";
export { teamShapley, type TeamShapley } from "./exact/shapley/teamShapley";
export { beliefSimulator, oracleSimulator, type Simulation, type Simulator } from "./search/simulator";
export { mcts, ucb1, type Decision, type Search, type SearchOptions } from "./search/search";
export { playSearch, type SearchedPlay } from "./search/playSearch";
export { accuracyOfPartition, partitions, type Partition } from "./exact/partition";
export { PartitionSampler, type PartitionSamplerOptions } from "./env/curriculum/partitionSampler";
export { expertIteration, type ExpertIterationRecord } from "./train/expertIteration/expertIteration";
export { type ExpertIterationOptions } from "./train/expertIteration/options";
