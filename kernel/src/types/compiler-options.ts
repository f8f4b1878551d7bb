import ts from "typescript";
import { host } from "./host.js";
import { libraries } from "./node-limits.js";

/** Options that a tsconfig.json decides for cells; the kernel decides all others. */
const obeyed = [
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
  "lib",
  "baseUrl",
  "paths",
  // Where relative paths begin, if there is no baseUrl; TypeScript notes it when it reads the file.
  "pathsBasePath",
] as const;

/** Options that a tsconfig.json decides for the JavaScript that is made of cells and of local files. */
const emitted = [
  "experimentalDecorators",
  "emitDecoratorMetadata",
  "useDefineForClassFields",
  "jsx",
  "jsxFactory",
  "jsxFragmentFactory",
  "jsxImportSource",
] as const;

/** Lookup of module names besides packages: TypeScript's `paths`, and the folder that they begin in. */
export interface Aliases {
  base: string;
  paths: Record<string, string[]>;
}

/** The compiler options for cells: as lenient as a notebook needs, as strict as its folder asks for. */
export function compilerOptions(cwd: string, own: ts.CompilerOptions): ts.CompilerOptions {
  return {
    strict: false,
    lib: libraries(),
    ...only(own, obeyed),
    ...emitOptions(own),
    target: ts.ScriptTarget.ESNext,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    moduleDetection: ts.ModuleDetectionKind.Force,
    allowImportingTsExtensions: true,
    noUncheckedSideEffectImports: true,
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

/** The part of the options that shapes the JavaScript. */
export function emitOptions(own: ts.CompilerOptions): ts.CompilerOptions {
  const found = only(own, emitted);
  // Node runs no JSX: "preserve", which is meant for another compiler behind this one, makes no sense here.
  const kept = [ts.JsxEmit.Preserve, ts.JsxEmit.ReactNative, undefined].includes(found.jsx);
  return { ...found, jsx: kept ? ts.JsxEmit.React : found.jsx! };
}

/** The aliases of modules that a tsconfig.json defines. */
export function aliases({ baseUrl, paths, pathsBasePath }: ts.CompilerOptions): Aliases | undefined {
  const base = baseUrl ?? (pathsBasePath as string | undefined);
  if (base === undefined || (!paths && baseUrl === undefined)) return undefined;
  return { base, paths: { ...paths, ...(baseUrl !== undefined && { "*": ["*"] }) } };
}

function only(own: ts.CompilerOptions, names: readonly string[]): ts.CompilerOptions {
  return Object.fromEntries(names.filter((name) => own[name] !== undefined).map((name) => [name, own[name]]));
}

/** Possible places of `@types/node`: next to the notebook, or wherever npm has put the kernel's dependencies. */
function typeRoots(cwd: string): string[] {
  const roots: string[] = [];
  const { dirname, join } = host().files.path;
  for (let folder = cwd; ; folder = dirname(folder)) {
    roots.push(join(folder, "node_modules", "@types"));
    if (dirname(folder) === folder) break;
  }
  roots.push(host().typeRoot());
  return roots;
}
