/** Names of an earlier version, for one minor version more: each is its present namesake. */
export {
  /** @deprecated Use `createOptimizer`. */
  createOptimizer as createOptimiser,
  /** @deprecated Use `Optimizer`. */
  type Optimizer as Optimiser,
} from "./train";
export {
  /** @deprecated Use `envInfo`. */
  envInfo as envFacts,
  /** @deprecated Use `worldTemplate`. */
  worldTemplate as newWorld,
  /** @deprecated Use `parseJsonl`. */
  parseJsonl as fromJsonl,
} from "./env";
