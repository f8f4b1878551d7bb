export {
  curriculumArms,
  curriculumRun,
  type CurriculumArm,
  type CurriculumJob,
  type CurriculumPoint,
} from "./curriculumRun";
export {
  goodhartArms,
  goodhartRun,
  goodhartStart,
  goodhartWorld,
  type GoodhartArm,
  type GoodhartJob,
  type GoodhartPoint,
} from "./goodhartRun";
export {
  rewardCredits,
  rewardRecipe,
  rewardRun,
  rewardTraining,
  rewardWorlds,
  type RewardCredit,
  type RewardJob,
  type RewardResult,
  type RewardWorld,
} from "./rewardRun";
export {
  mixedOptimum,
  mixedReward,
  scoreOfOptimum,
  type MixedOptimum,
  type ScoreOfOptimum,
} from "./scoreOfOptimum";
