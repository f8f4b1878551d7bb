/** The jobs that the library itself brings; `task: { export: name }` names one. */
export { echoTrapJob } from "./echoTrap/echoTrapRun";
export { ragenJob } from "./echoTrap/ragenRun";
export { gridJob } from "./gridJob";
export { orderJob } from "./orderAblation";
export { creditJob } from "./agentic/creditRun";
export { retrievedJob } from "./agentic/retrievedRun";
export { curriculumJob } from "./rewardSignal/curriculumRun";
export { goodhartJob } from "./rewardSignal/goodhartRun";
export { rewardJob } from "./rewardSignal/rewardRun";
export { trainJob } from "./trainJob";
