export {
  echoTrapOptions,
  echoTrapRun,
  echoTrapTraining,
  type EchoTrapCell,
  type EchoTrapJob,
  type EchoTrapResult,
} from "./echoTrapRun";
export {
  changeName,
  echoTrapPartNames,
  echoTrapParts,
  echoTrapRows,
  echoTrapSweep,
  type EchoTrapPart,
  type EchoTrapSweepOptions,
} from "./grid";
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
export {
  runsToCsv,
  storedRuns,
  storedWatches,
  watchesToCsv,
  type StoredRun,
  type StoredWatch,
} from "./stored";
export { summarise, type RunSummary } from "./summary";
export { frequentResponses, type Transcript } from "./transcripts";
export { trapNames, traps, type Trap, type TrapName } from "./traps";
