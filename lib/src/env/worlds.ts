import { apiChainWorld } from "./apiChain/apiChain";
import { biArmBanditWorld } from "./biArmBandit";
import { calculatorWorld } from "./calculator/calculator";
import { codebreakerWorld } from "./codebreaker/codebreaker";
import { frozenLakeWorld } from "./grid/frozenLake";
import { sokobanWorld } from "./grid/sokoban";
import { handOverWorld } from "./handOver";
import { keyDoorWorld } from "./keyDoor";
import { lookUpWorld } from "./lookUp";
import { matrixChainWorld } from "./matrixChain";
import { memoryDeskWorld } from "./memoryDesk/memoryDesk";
import { registerBuiltIn } from "./registry";
import { searchQaWorld } from "./searchQa/searchQa";
import { subGoalsWorld } from "./subGoals";
import { tigerWorld } from "./tiger";
import { tMazeWorld } from "./tMaze";
import { toolChainWorld } from "./toolChain";
import type { World } from "./world";

/** The library's worlds, in the order of the tables. `make` knows each of them by its id. */
export const libraryWorlds = [
  biArmBanditWorld,
  matrixChainWorld,
  lookUpWorld,
  tigerWorld,
  keyDoorWorld,
  tMazeWorld,
  frozenLakeWorld,
  sokobanWorld,
  handOverWorld,
  subGoalsWorld,
  toolChainWorld,
  calculatorWorld,
  searchQaWorld,
  memoryDeskWorld,
  codebreakerWorld,
  apiChainWorld,
] as const satisfies readonly World[];

for (const world of libraryWorlds) registerBuiltIn(world);
