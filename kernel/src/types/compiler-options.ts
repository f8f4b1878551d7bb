import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import ts from "typescript";

const strictFlags = [
  "strict",
  "strictNullChecks",
  "noImplicitAny",
  "noImplicitThis",
  "strictFunctionTypes",
  "strictBindCallApply",
  "strictPropertyInitialization",
  "noUncheckedIndexedAccess",
  "exactOptionalPropertyTypes",
  "useUnknownInCatchVariables",
  "experimentalDecorators",
] as const;

/** The compiler options for cells: as lenient as a notebook needs, as strict as its folder asks for. */
export function compilerOptions(cwd: string): ts.CompilerOptions {
  return {
    strict: false,
    ...ownOptions(cwd),
    target: ts.ScriptTarget.ESNext,
    lib: ["lib.esnext.d.ts"],
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    moduleDetection: ts.ModuleDetectionKind.Force,
    allowImportingTsExtensions: true,
    resolveJsonModule: true,
    esModuleInterop: true,
    allowJs: true,
    skipLibCheck: true,
    noEmitOnError: false,
    allowUnreachableCode: true,
    allowUnusedLabels: true,
    types: ["node"],
    typeRoots: typeRoots(cwd),
  };
}

/** The strictness flags of a tsconfig.json in the notebook's folder or above; without one, none are set. */
function ownOptions(cwd: string): ts.CompilerOptions {
  const path = ts.findConfigFile(cwd, (file) => existsSync(file));
  if (path === undefined) return {};
  const { config } = ts.readConfigFile(path, (file) => ts.sys.readFile(file)) as { config?: unknown };
  if (config === undefined) return {};
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, dirname(path));
  const own: ts.CompilerOptions = {};
  for (const flag of strictFlags) if (options[flag] !== undefined) own[flag] = options[flag];
  return own;
}

/** Where `@types/node` may be: beside the notebook, or wherever npm has put the kernel's dependencies. */
function typeRoots(cwd: string): string[] {
  const roots: string[] = [];
  for (let folder = cwd; ; folder = dirname(folder)) {
    roots.push(join(folder, "node_modules", "@types"));
    if (dirname(folder) === folder) break;
  }
  roots.push(dirname(dirname(require.resolve("@types/node/package.json"))));
  return roots;
}
