export { CountModel, type CountModelOptions, type CountModelState } from "./countModel";
export { hallucinating, type HallucinationOptions } from "./hallucinating";
export { historyModel } from "./historyModel";
