/** The jobs that the library itself brings; `task: { export: name }` names one. */
export { echoTrapJob } from "./echoTrap/echoTrapRun";
export { ragenJob } from "./echoTrap/ragenRun";
export { gridJob } from "../sweep/gridJob";
export { orderJob } from "./updateOrder/orderAblation";
export { creditJob } from "./agenticPomdp/creditRun";
export { retrievedJob } from "./agenticPomdp/retrievedRun";
export { curriculumJob } from "./rewardSignal/curriculumRun";
export { goodhartJob } from "./rewardSignal/goodhartRun";
export { rewardJob } from "./rewardSignal/rewardRun";
export { trainJob } from "../sweep/trainJob";
