/** The jobs that the library itself brings; `task: { export: name }` names one. */
export { echoTrapJob } from "./echoTrap/echoTrapRun";
export { ragenJob } from "./echoTrap/ragenRun";
export { gridJob } from "./gridJob";
export { orderJob } from "./orderAblation";
export { trainJob } from "./trainJob";
