export { echoTrapOptions, echoTrapRun, echoTrapTraining, type EchoTrapJob } from "./echoTrapRun";
export { leverEffect, type LeverEffect } from "./leverEffect";
export { leverNames, leverRecipe, type LeverName } from "./levers";
export {
  ragenEnvs,
  ragenRecipe,
  ragenRows,
  ragenRun,
  ragenSummary,
  ragenTraining,
  type RagenJob,
  type RagenSummary,
} from "./ragenRun";
export { storedRuns, storedWatches, type StoredRun, type StoredWatch } from "./stored";
export { summarise, type RunSummary } from "./summary";
export { frequentResponses, type Transcript } from "./transcripts";
export { trapNames, traps, type Trap, type TrapName } from "./traps";
