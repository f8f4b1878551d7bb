export { distilJob } from "./distilRun";
export { boundaryJob } from "./boundaryRun";
export { calibrationJob, samplerJob } from "./partitionRun";
