import ts from "typescript";
import { host } from "./host.js";

// "has no exported member", also with a proposal, and "declares it locally, but it is not exported".
const missingExport = new Set([2305, 2459, 2460, 2614, 2724]);

/** A name that an import asks for and its module does not export. */
interface MissingExport {
  name: string;
  specifier: string;
  /** The other entry points of the module's package, as they are imported. */
  entryPoints: string[];
}

/** The export that a diagnostic says is missing, if its package has other entry points where the name may be. */
export function missedImport(diagnostic: ts.Diagnostic, program: ts.Program): MissingExport | undefined {
  const { file, start, length } = diagnostic;
  if (!missingExport.has(diagnostic.code) || !file || start === undefined) return undefined;
  const declaration = file.statements.find(
    (statement) => ts.isImportDeclaration(statement) && statement.pos <= start && start < statement.end,
  ) as ts.ImportDeclaration | undefined;
  if (!declaration || !ts.isStringLiteral(declaration.moduleSpecifier)) return undefined;
  const module = program.getTypeChecker().getSymbolAtLocation(declaration.moduleSpecifier);
  const source = module?.declarations?.[0]?.getSourceFile();
  const specifier = declaration.moduleSpecifier.text;
  const entryPoints = source ? otherEntryPoints(specifier, source.fileName) : [];
  if (entryPoints.length === 0) return undefined;
  return { name: file.text.slice(start, start + (length ?? 0)), specifier, entryPoints };
}

/** The text of a module that imports all of these entry points, so that `exporterOf` can ask what each exports. */
export function importAll({ entryPoints }: MissingExport): string {
  return entryPoints.map((one) => `import ${JSON.stringify(one)};`).join("\n");
}

/** The first of the entry points that exports the name. */
export function exporterOf({ name }: MissingExport, program: ts.Program, file: string): string | undefined {
  const checker = program.getTypeChecker();
  for (const statement of program.getSourceFile(file)?.statements ?? []) {
    if (!ts.isImportDeclaration(statement) || !ts.isStringLiteral(statement.moduleSpecifier)) continue;
    const module = checker.getSymbolAtLocation(statement.moduleSpecifier);
    const names = module ? checker.getExportsOfModule(module) : [];
    if (names.some((symbol) => symbol.name === name)) return statement.moduleSpecifier.text;
  }
  return undefined;
}

/** Adds the right entry point to a diagnostic's message, in place of TypeScript's own, worse proposal. */
export function withHint(message: string, name: string, entryPoint: string): string {
  const from = JSON.stringify(entryPoint);
  const plain = message.replace(/ Did you mean .*$/s, "");
  return `${plain} ${name} is exported by ${from}: import { ${name} } from ${from}`;
}

/** The other entry points of the package that a specifier names, by the `exports` of its package.json; short ones first. */
function otherEntryPoints(specifier: string, resolvedFile: string): string[] {
  if (specifier.startsWith(".") || specifier.startsWith("/")) return [];
  const name = specifier
    .split("/")
    .slice(0, specifier.startsWith("@") ? 2 : 1)
    .join("/");
  const entries = Object.entries(exportsOf(name, host().files.path.dirname(resolvedFile)) ?? {});
  return entries
    .filter(([path, target]) => /^\.($|\/[^*]+$)/.test(path) && !path.endsWith(".json") && target !== null)
    .map(([path]) => name + path.slice(1))
    .filter((one) => one !== specifier)
    .sort((a, b) => a.length - b.length || (a < b ? -1 : 1));
}

/** Looks for the package.json of that name in the folder and above; packages of a workspace lie outside node_modules. */
function exportsOf(name: string, folder: string): Record<string, unknown> | undefined {
  const { dirname, join } = host().files.path;
  const found = readPackage(join(folder, "package.json"));
  if (found?.name === name) return found.exports;
  return dirname(folder) === folder ? undefined : exportsOf(name, dirname(folder));
}

function readPackage(path: string): { name?: string; exports?: Record<string, unknown> } | undefined {
  const text = host().files.read(path);
  try {
    return text === undefined ? undefined : (JSON.parse(text) as { name?: string });
  } catch {
    return undefined;
  }
}
