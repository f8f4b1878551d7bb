import { registerBuiltIn } from "./registry";
import { libraryWorlds } from "./worlds";

for (const world of libraryWorlds) registerBuiltIn(world);
