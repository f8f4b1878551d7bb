/**
 * Names for the cells of a notebook, at most 120; test/lib/tiers.test.ts counts them. More stands in `turnwise/exact`
 * (small games solved exactly), `turnwise/plot` (every chart), `turnwise/verdict` (what a claim needs) and
 * `turnwise/tensor`.
 *
 * What a name needs is loaded when the name is first used; see lib/turnwise/bin/lazy.cjs.
 */

// From here on, notebooks show rules, records and batches as cards, and help(...) knows options, metrics and worlds.
import "./plot/cards/found";

// Train
export {
  createOptimizer,
  imitate,
  loadCheckpoint,
  NonFiniteError,
  optionsTable,
  plainTrain,
  saveCheckpoint,
  train,
  trainInFolder,
  type Checkpoint,
  type Optimizer,
  type RetrievedTokens,
  type TrainOptions,
  type TrainRecord,
  type TrainRun,
} from "./train";
export {
  merge,
  readRecords,
  readSweep,
  saveRecords,
  sweep,
  SweepError,
  trainSeeds,
  type JobContext,
  type SeedRuns,
  type SweepOptions,
  type SweepResult,
  type SweepRun,
} from "./sweep";
export { difference } from "./base/difference";
export { bootstrapInterval, type Interval } from "./base/interval";
export { createRng, type Rng } from "./base/rng";
export { median } from "./base/statistics";

// Rules
export {
  advantages,
  checklistReward,
  compareRecipes,
  custom,
  explain,
  gae,
  groupAdvantage,
  groupValues,
  importanceRatio,
  preferenceLoss,
  recipe,
  recipeNames,
  recipes,
  shapedReward,
  surrogateGradient,
  surrogateLoss,
  tokenCredit,
  type Recipe,
  type RecipeName,
  type RecipeOverrides,
  type TensorBatch,
} from "./rule";
export { tf } from "#tensor/public";

// Worlds
export {
  calculatorTasks,
  checkEnv,
  curriculum,
  parseJsonl,
  GameEnv,
  LevelSampler,
  make,
  makeVector,
  worldTemplate,
  RecordStatistics,
  RecordTranscript,
  register,
  envInfo,
  registeredIds,
  sharedVocabulary,
  Wrapper,
  type Action,
  type EnumerableEnv,
  type Env,
  type EnvSpec,
  type Game,
  type Observation,
  type Outcome,
  type RewardKind,
  type StepResult,
} from "./env";
export { checkRule, enumerateReturn, optimalReturn, score } from "./exact";

// Agents
export {
  autodiffPolicy,
  createPolicy,
  LogLinearPolicy,
  NeuralPolicy,
  TabularPolicy,
  toolChainPolicy,
  type Policy,
  type PolicyOptions,
} from "./policy";
export { checkPolicy, collect, scriptedBatch, type Batch } from "./rollout";

// See
export {
  drawTrajectory,
  estimateChart,
  heatMap,
  learningCurve,
  ledger,
  lineChart,
  liveCurve,
  sweepTable,
  table,
  toDataFrame,
  type Claim,
} from "./plot";
export { EchoTrapMonitor, glossary, monitor, type MetricName, type Metrics } from "./monitor";

export { reportCard } from "./card";

// Play
export { playground } from "./play";

// Names of an earlier version
export * from "./deprecatedNames";
