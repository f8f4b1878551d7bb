import "./worlds";

export * from "./env";
export * from "./errors";
export { GameEnv, type Game } from "./game";
export { envFacts, make, register, registeredIds } from "./registry";
export { unwrapped, Wrapper } from "./wrapper";
export { sharedVocabulary } from "./sharedVocabulary";
export { longPages } from "./longPages";
export { checkEnv } from "./checkEnv";
export { newWorld } from "./newWorld";
export { makeVector, vectorSeed } from "./vector";
export { RecordStatistics, RecordTranscript } from "./recorders";
export { lookUp } from "./lookUp";
export { curriculum } from "./curriculum/curriculum";
export { LevelSampler } from "./curriculum/levelSampler";
export * from "./tool";
export { toolChain } from "./toolChain";
export { tMaze } from "./tMaze";
