import { TypeService } from "./type-service.js";

/**
 * The type service, which starts when this module is loaded: of all that a first cell needs, it takes the longest.
 * To be imported before anything else.
 */
export const types = new TypeService(process.cwd());

types.warmUp();
