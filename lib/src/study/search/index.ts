export { shapleyJob } from "./shapleyRun";
export { dynaJob, simulatorJob } from "./worldModelRun";
