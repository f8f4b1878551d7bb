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
import { searchQaWorld } from "./searchQa/searchQa";
import { subGoalsWorld } from "./subGoals";
import { tigerWorld } from "./tiger";
import { tMazeWorld } from "./tMaze";
import { toolChainWorld } from "./toolChain";
import type { Given } from "../schema";
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

type LibraryWorld = (typeof libraryWorlds)[number];

/** The id of one of the library's worlds. */
export type WorldId = LibraryWorld["id"];

/** The options of a world, all of them optional; of a custom world they are unknown. */
export type WorldOptions<Id extends string> = [Extract<LibraryWorld, { readonly id: Id }>] extends [never]
  ? Readonly<Record<string, unknown>>
  : Named<Given<Extract<LibraryWorld, { readonly id: Id }>["options"]>>;

/** Names to choose from; what may stand there is checked at run time, in a sentence. */
type Named<O> = { readonly [K in keyof O]?: unknown } & { readonly maxTurns?: number } & Readonly<
    Record<string, unknown>
  >;
