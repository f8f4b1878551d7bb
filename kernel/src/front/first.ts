import { findSnapshot } from "../types/snapshot.js";
import { makeSnapshotLater } from "./snapshot-later.js";
import { TypeService } from "./type-service.js";

// A kernelspec under the name of another kernel asks for that one's dialect. The processes of this kernel read it from the environment.
const asked = process.argv.find((word) => word.startsWith("--dialect="));
if (asked !== undefined) process.env.TURNWISE_DIALECT = asked.slice("--dialect=".length);

/**
 * The type service. It starts when this module is loaded, as of all that a first cell needs it takes the longest.
 * Import this module before anything else.
 */
export const types = new TypeService(process.cwd());

types.warmUp();
// One that a debugger or a signal has halted would not hear that its kernel is gone.
process.once("exit", () => types.stop());
const wanted = process.env.TURNWISE_SNAPSHOT !== "off" && process.env.TURNWISE_ENGINE !== "tslab";
if (wanted && findSnapshot() === undefined) makeSnapshotLater();
