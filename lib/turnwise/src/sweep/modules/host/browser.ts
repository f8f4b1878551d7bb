import { files } from "#files";
import { path } from "#path";
import { page } from "../../../base/host/page";
import { didYouMean } from "../../../base/suggest";
import type { JobFunction } from "../../job";
import { seedJob } from "../../seedJob";
import { trainJob } from "../../trainJob";
import type { Namespace } from "../notebook";
import { isTypeScript, type FreshModule, type ModuleHost } from "./moduleHost";

const SEED_JOB = "turnwise:seedJob";

/** Modules that the page has loaded for code that cannot wait. */
const loaded = new Map<string, Namespace>();

export const modules: ModuleHost = {
  trainJob: () => trainJob as JobFunction,
  seedTask: { module: SEED_JOB, export: "seedJob", own: true },
  async ready({ module = "", modules: own }) {
    const code = Object.values(own?.sources ?? {}).join("\n");
    for (const [name, given] of Object.entries(page().modules ?? {})) {
      if (loaded.has(name) || typeof given !== "function") continue;
      const named = name === module || code.includes(`"${name}"`) || code.includes(`'${name}'`);
      if (named) loaded.set(name, await (given as () => Promise<Namespace>)());
    }
  },
  resolve(module) {
    const names = Object.keys(page().modules ?? {});
    if (names.includes(module)) return module;
    throw new RangeError(`the page has no module "${module}".${didYouMean(module, names)}`);
  },
  load(file) {
    if (file === SEED_JOB) return { seedJob };
    const found = atOnce(file);
    if (found) return found;
    throw new RangeError(`the page has not loaded "${file}"`);
  },
  compiles: (file) => /(?<!\.d)\.[cm]?[jt]sx?$/.test(file),
  compiler: (file) => (isTypeScript(file) ? undefined : asWritten),
  fresh(file, local): FreshModule {
    const module: { exports: unknown } = { exports: {} };
    const require = (specifier: string): unknown => {
      const found =
        local(specifier) ?? json(path.resolve(path.dirname(file), specifier)) ?? atOnce(specifier);
      if (found !== undefined) return found;
      const names = Object.keys(page().modules ?? {}).join(", ");
      throw new RangeError(
        `Cannot import "${specifier}": the page must have it, but the modules are ${names || "none"}.`,
      );
    };
    return {
      get exports() {
        return module.exports;
      },
      run(code) {
        const parameters = ["exports", "require", "module", "__filename", "__dirname"];
        // Named, so that stacks tell the lines of the module.
        const body = `${code}\n//# sourceURL=${file}`;

        new Function(...parameters, body)(module.exports, require, module, file, path.dirname(file));
      },
    };
  },
};

/** For modules of JavaScript in the form that Node calls CommonJS. */
const asWritten = {
  ScriptTarget: {},
  ModuleKind: {},
  JsxEmit: {},
  transpileModule: (text: string) => ({ outputText: text }),
  preProcessFile: (text: string) => ({
    importedFiles: [...text.matchAll(/\brequire\(["'](\.[^"']+)["']\)/g)].map(([, fileName]) => ({
      fileName,
    })),
  }),
};

/** A file of data beside a module. */
function json(file: string): unknown {
  if (!file.endsWith(".json") || !files.statSync(file, { throwIfNoEntry: false })?.isFile()) return undefined;
  return JSON.parse(files.readFileSync(file, "utf8")) as unknown;
}

function atOnce(name: string): Namespace | undefined {
  const given = page().modules?.[name];
  return typeof given === "function" ? loaded.get(name) : given;
}
