export {
  backendReport,
  loadBackend,
  tf,
  type BackendAttempt,
  type BackendName,
  type BackendReport,
} from "./backend";
export { fusedReport, type FusedReport } from "./fused/engine";
export { MlpOp, type MlpOpShape } from "./fused/mlpOp";
export { createRng, restoreRng, type Rng } from "../base/rng";
export { exp } from "../base/elementary/exp";
