import Module, { createRequire } from "node:module";
import path from "node:path";
import type { JobFunction } from "../../job";
import { isOwn } from "../isOwn";
import type { Namespace } from "../notebook";
import { isTypeScript, type FreshModule, type ModuleHost } from "./moduleHost";

interface CompilableModule extends Module {
  _compile(code: string, file: string): void;
}

const sweepFolder = path.join(__dirname, "..", "..");

export const modules: ModuleHost = {
  trainJob: () =>
    // Loaded here and not above, so that a worker for another module starts at once.
    // eslint-disable-next-line @typescript-eslint/no-require-imports
    (require("../../trainJob") as { readonly trainJob: unknown }).trainJob as JobFunction,
  seedTask: { module: path.join(sweepFolder, "seedJob.js"), export: "seedJob", own: true },
  ready: () => Promise.resolve(),
  resolve(module, exported) {
    const own = isOwn(module);
    // The library's own tiers are found from here: the working folder need not have the library installed.
    const from = createRequire(own ? __filename : path.join(process.cwd(), "sweep.js"));
    const file = from.resolve(module);
    return own ? definingFile(file, exported) : file;
  },
  load: (file) => createRequire(file)(file) as Namespace,
  compiles: isTypeScript,
  compiler(file) {
    for (const from of [file, __filename]) {
      try {
        return createRequire(from)("typescript") as unknown;
      } catch {
        continue;
      }
    }
    return undefined;
  },
  fresh(file, local): FreshModule {
    process.setSourceMapsEnabled(true);
    const module = new Module(file) as CompilableModule;
    module.filename = file;
    module.paths = (Module as unknown as { _nodeModulePaths(folder: string): string[] })._nodeModulePaths(
      path.dirname(file),
    );
    const near = createRequire(file);
    const require = (specifier: string): unknown => local(specifier) ?? requirePackage(near, specifier);
    module.require = Object.assign(require, near) as NodeJS.Require;
    return {
      get exports() {
        return module.exports as unknown;
      },
      run: (code) => module._compile(code, file),
    };
  },
};

/**
 * The file that defines what a tier exports, if this thread has loaded it: other threads then load what that file needs, and
 * not the whole tier.
 */
function definingFile(tier: string, name: string): string {
  const value = (require.cache[tier]?.exports as Namespace | undefined)?.[name];
  if (typeof value !== "function") return tier;
  // A tier passes its names on by getters; only the file that defines one holds its value.
  const defines = (exports: unknown): boolean =>
    typeof exports === "object" &&
    exports !== null &&
    Object.getOwnPropertyDescriptor(exports, name)?.value === value;
  return Object.values(require.cache).find((loaded) => defines(loaded?.exports))?.filename ?? tier;
}

/** The library and its packages are those of this file, so that there is one registry of worlds and one TensorFlow.js. */
function requirePackage(near: NodeJS.Require, specifier: string): unknown {
  const own = createRequire(__filename);
  if (isOwn(specifier)) return own(specifier);
  try {
    near.resolve(specifier);
  } catch (error) {
    if (/^[./]/.test(specifier)) throw error;
    try {
      own.resolve(specifier);
    } catch {
      throw error;
    }
    return own(specifier);
  }
  return near(specifier);
}
