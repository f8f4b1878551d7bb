export { CountModel, modelMemories, type CountModelOptions, type CountModelState } from "./countModel";
export {
  hallucinating,
  hallucinations,
  type Hallucination,
  type HallucinationOptions,
} from "./hallucinating";
export { historyModel } from "./historyModel";
