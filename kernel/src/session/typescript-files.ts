import { readFileSync, statSync } from "node:fs";
import Module, { createRequire } from "node:module";
import { dirname, extname, resolve } from "node:path";
import { findFile } from "./find-file.js";

type Namespace = Record<string, unknown>;

interface Loaded {
  changed: number;
  module: Module;
}

interface CompilableModule extends Module {
  _compile(code: string, path: string): void;
}

/**
 * Local TypeScript files of a notebook, compiled to CommonJS when they are imported.
 *
 * When any of them has changed since, the next import loads all of them afresh: a helper may have been
 * copied into any other.
 */
export class TypeScriptFiles {
  private readonly loaded = new Map<string, Loaded>();

  load(path: string): Namespace {
    if ([...this.loaded].some(([file, { changed }]) => mtime(file) !== changed)) this.loaded.clear();
    return this.loadModule(path).exports as Namespace;
  }

  private loadModule(path: string): Module {
    const known = this.loaded.get(path);
    if (known) return known.module;
    const module = new Module(path) as CompilableModule;
    module.filename = path;
    module.paths = (Module as unknown as { _nodeModulePaths(folder: string): string[] })._nodeModulePaths(
      dirname(path),
    );
    this.loaded.set(path, { changed: mtime(path), module });
    const plainRequire = createRequire(path);
    const localRequire = (specifier: string): unknown => {
      if (specifier.startsWith(".")) {
        const file = findFile(resolve(dirname(path), specifier));
        if (file !== undefined && /^\.[cm]?tsx?$/.test(extname(file))) return this.loadModule(file).exports;
      }
      return plainRequire(specifier);
    };
    module.require = Object.assign(localRequire, plainRequire) as NodeJS.Require;
    try {
      module._compile(compile(path), path);
      module.loaded = true;
    } catch (error) {
      this.loaded.delete(path);
      throw error;
    }
    return module;
  }
}

function compile(path: string): string {
  // TypeScript is loaded only with the first local file: most notebooks have none, and loading takes 200 ms.
  const ts = createRequire(__filename)("typescript") as typeof import("typescript");
  process.setSourceMapsEnabled(true);
  const { outputText } = ts.transpileModule(readFileSync(path, "utf8"), {
    fileName: path,
    compilerOptions: {
      target: ts.ScriptTarget.ES2022,
      module: ts.ModuleKind.CommonJS,
      esModuleInterop: true,
      jsx: ts.JsxEmit.React,
      inlineSourceMap: true,
    },
  });
  return outputText;
}

function mtime(path: string): number {
  try {
    return statSync(path).mtimeMs;
  } catch {
    return -1;
  }
}
