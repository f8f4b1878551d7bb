import { dialectOfEnvironment } from "../magics/dialects.js";
import { CellTypes } from "./cell-types.js";
import { ownOptions } from "./own-options.js";
import type { TypePolicy } from "../magics/contract.js";
import type { TypeEngine } from "./engine.js";
import { LanguageServiceEngine } from "./language-service.js";

/** TypeScript's language service, or tslab's converter where the environment asks for it. */
function defaultEngine(cwd: string): TypeEngine {
  if (process.env.TURNWISE_ENGINE !== "tslab") return new LanguageServiceEngine(cwd);
  // Loaded only here, since it brings a TypeScript of its own.
  // eslint-disable-next-line @typescript-eslint/no-require-imports
  const { TslabEngine } = require("./tslab-engine.js") as typeof import("./tslab-engine.js");
  return new TslabEngine();
}

function defaultPolicy(): TypePolicy | undefined {
  const text = process.env.TURNWISE_TYPES;
  return text === "strict" || text === "error" || text === "warn" || text === "off" ? text : undefined;
}

/** Checker of the cells of a folder: with the settings of the environment and of the folder's tsconfig.json. */
export function cellTypesIn(cwd: string): CellTypes {
  return new CellTypes(cwd, {
    createEngine: defaultEngine,
    policy: defaultPolicy(),
    dialect: dialectOfEnvironment(),
    own: ownOptions(cwd),
  });
}
