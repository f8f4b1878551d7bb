import type { TypeEngine } from "./engine.js";
import { LanguageServiceEngine } from "./language-service.js";

/** TypeScript's language service, or tslab's converter where the environment asks for it. */
export function defaultEngine(cwd: string): TypeEngine {
  if (process.env.TURNWISE_ENGINE !== "tslab") return new LanguageServiceEngine(cwd);
  // Loaded only here, since it brings a TypeScript of its own.
  // eslint-disable-next-line @typescript-eslint/no-require-imports
  const { TslabEngine } = require("./tslab-engine.js") as typeof import("./tslab-engine.js");
  return new TslabEngine();
}
