export * as games from "../tree/games";
export { buildTree, type Tree } from "../tree";
export { enumerateReturn, type ExactReturn, type HistoryValue } from "./enumerateReturn";
export * from "./groupExpectation";
export { optimalPolicy } from "./optimalPolicy";
export { optimalReturn, type Optimum } from "./optimalReturn";
export { worldCard } from "./worldCard";
export { randomReturn, referenceReturns, score, type ReferenceReturns } from "./score";
export type { Turn } from "./turns";
export { probabilityOf, randomPolicy, tablePolicy, uniformPolicy, type TablePolicy } from "./tablePolicy";
export { exactTurns, type ExactTurns } from "./turnAdvantage";
export { evaluateTree, treeGradient, treeReturn, type TreeEvaluation } from "./evaluateTree";
export { returnDistribution } from "./returnDistribution";
export { clipStep, exactRule, gradientStep, reuseStep, type ExactRule, type ExactStep } from "./exactRule";
export { exactIteration, exactRun, type Certificate, type ExactRun, type Move } from "./exactIteration";
export {
  deterministicPolicies,
  nashGap,
  nashPoints,
  treeOptimum,
  type NashGap,
  type TreeOptimum,
} from "./treeOptimum";
export { advantageTable, decompositionError, type AdvantageEntry } from "./advantageTable";
export { impliedDrift, simplexArgmax, surrogateValue, type SurrogateRow } from "./surrogateRow";
export { driftCheck, type DriftCheck } from "./driftCheck";
export { phasePath, phasePortrait, returnSurface, type Axis, type PhasePoint } from "./phasePortrait";
export {
  simplexPath,
  simplexPortrait,
  simplexSurface,
  type Simplex,
  type SimplexCell,
  type SimplexPoint,
} from "./simplexPortrait";
export {
  decreaseRate,
  failureRate,
  type DecreaseRate,
  type EnsembleOptions,
  type FailureRate,
} from "./ensemble";
export { exactRuleOf } from "./exactRuleOf";
export { checkRule } from "./checkRule/checkRule";
export type { CheckName, Finding } from "./checkRule/finding";
export type { RuleCard } from "./checkRule/ruleCard";
export { sampledIteration, sampledRun } from "./sampledIteration";
export { monotonicityGrid, regimes, type GridCell, type Regime } from "./monotonicityGrid";
