export { mismatchClaims } from "./claims";
export { correctionBias } from "./correctionBias";
export { hotEngine } from "./hotEngine";
export { mismatchJob } from "./mismatchRun";
export { mismatchRuns } from "./stored";
