export { echoTrapClaims } from "./claims";
export * from "./alarms";
export { collapsePhase } from "./collapsePhase";
export { echoTrapJob, echoTrapRun, echoTrapTraining } from "./echoTrapRun";
export {
  changeName,
  echoTrapPartNames,
  echoTrapParts,
  echoTrapRows,
  echoTrapSeeds,
  echoTrapSweep,
} from "./grid";
export { eventOrder } from "./eventOrder";
export { leverMatrix } from "./leverMatrix";
export { leverSweep } from "../shared/echoTrap/leverSweep";
export { leverEffect } from "../shared/echoTrap/leverEffect";
export { leverRecipe, type LeverName } from "../shared/echoTrap/levers";
export { ragenEnvs, ragenJob, ragenRows, ragenRun } from "./ragenRun";
export { ragenReport, storedRagenRuns, type RagenLine } from "./ragenStored";
export { runsToCsv, storedRuns, type StoredRun } from "../shared/echoTrap/stored";
export { frequentResponses } from "./transcripts";
export { traps, type Trap, type TrapName } from "../shared/echoTrap/traps";
export { leverMatrixChart } from "./leverMatrixChart";
export { leverSweepChart } from "./leverSweepChart";
export { drawAnatomy, drawSteps } from "./drawAnatomy";
export { drawEcho } from "./drawEcho";
export { drawEstimates } from "./drawEstimates";
export { drawOneSymptom } from "./drawOneSymptom";
export { drawResponses } from "./drawResponses";
export { drawThreeTraps } from "./drawThreeTraps";
export { drawFixes } from "./drawFixes";
export { firstCollapse, liveRun } from "./liveRun";
export * from "./deprecatedNames";
