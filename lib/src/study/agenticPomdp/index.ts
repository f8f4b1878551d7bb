export { creditStudy, type CreditQuality, type CreditStudy, type CreditStudyOptions } from "./creditStudy";
export {
  retrievedRecipe,
  retrievedRun,
  retrievedStart,
  retrievedWorld,
  type RetrievedOptions,
  type RetrievedResult,
} from "./retrievedRun";
export { skillReference, skillRun, skills, type SkillName, type SkillResult } from "./skillRun";
export { lookUpIn, rowDifference, turnChoices, type TurnChoice } from "./oneStep";
export { creditPolicy, creditRules, creditRun, creditWorld } from "./creditRun";
