// The registry names the worlds through this file, as a re-export loads them only when one is asked for.
export { libraryWorlds, type WorldId, type WorldOptions } from "./worlds";
