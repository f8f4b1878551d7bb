import type { PlaygroundOptions } from "./options";
import { Playground } from "./playground";

/**
 * Opens a playground. In turnwise's kernel its controls appear at once; elsewhere `run(updates)` trains and the object shows its
 * state.
 *
 * @throws {RangeError} if a setting is unknown or the settings do not fit together
 * @example
 * import { playground } from "turnwise";
 * playground({ start: { env: "LookUp-v0", recipe: "seeUpo" } });
 */
export function playground(options: PlaygroundOptions = {}): Playground {
  return new Playground(options);
}
