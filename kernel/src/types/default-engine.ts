import { readFileSync } from "node:fs";
import { dialectOfEnvironment } from "../magics/dialects.js";
import { CellTypes } from "./cell-types.js";
import { ownOptions } from "./own-options.js";
import type { TypePolicy } from "../magics/contract.js";
import type { TypeEngine } from "./engine.js";
import { LanguageServiceEngine } from "./language-service.js";

/** TypeScript's language service, or tslab's converter where the environment asks for it. */
function defaultEngine(cwd: string): TypeEngine {
  const { TURNWISE_ENGINE: wanted = "" } = process.env;
  if (wanted === "" || wanted === "typescript") return new LanguageServiceEngine(cwd);
  if (wanted === "tslab") return tslabEngine();
  throw told(`Cannot check cells: TURNWISE_ENGINE must be "typescript" or "tslab", got "${wanted}".`);
}

/** Loaded only here, since it brings a TypeScript of its own, which few need: they install it. */
function tslabEngine(): TypeEngine {
  try {
    require.resolve("tslab/dist/converter.js");
  } catch {
    const { version } = JSON.parse(readFileSync(require.resolve("tslab/package.json"), "utf8")) as {
      version: string;
    };
    throw told(
      `Cannot check cells with tslab (TURNWISE_ENGINE=tslab): the package tslab must be installed next to turnwise-kernel.\n` +
        `To fix it: npm install tslab@${version} where turnwise-kernel is installed; or unset TURNWISE_ENGINE.`,
    );
  }
  // eslint-disable-next-line @typescript-eslint/no-require-imports
  const { TslabEngine } = require("./tslab-engine.js") as typeof import("./tslab-engine.js");
  return new TslabEngine();
}

/** An error whose message says everything: a stack of the type service would hide it. */
function told(message: string): Error {
  return Object.assign(new Error(message), { stack: message });
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
