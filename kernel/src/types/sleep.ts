import ts from "typescript";

// What TypeScript knows of its own nodes and does not declare.
type Mutable<T> = { -readonly [K in keyof T]: T[K] };
interface Bound {
  locals?: ts.SymbolTable | undefined;
  symbol?: ts.Symbol | undefined;
  moduleAugmentations?: readonly unknown[];
  patternAmbientModules?: readonly unknown[];
  externalModuleIndicator?: unknown;
  imports?: readonly ts.Node[];
  /** The next node that has names, which leads to all others. */
  nextContainer?: ts.Node | undefined;
}
type Module = ts.ModuleDeclaration & Bound;
type File = Mutable<ts.SourceFile> & Bound & Record<string, unknown>;
type Bind = (file: ts.SourceFile, options: ts.CompilerOptions) => void;
const { bindSourceFile } = ts as unknown as { bindSourceFile: Bind };

const statements = ["statements", "endOfFileToken"];
const tables = ["identifiers", "classifiableNames", "nameTable"];

/**
 * Lets a parsed library forget what it declares until somebody asks for it. Nine of ten libraries in reach of a cell are never
 * asked: only their place in the program counts. TypeScript reads two things of such a file, its imports and its symbols;
 * these stay the same objects, and their exports come when they are asked for.
 *
 * A file that adds to other modules or to the globals stays as it is, since each program asks for that.
 *
 * @param parse Parses the file again, into an object of its own.
 */
export function letSleep(one: ts.SourceFile, parse: () => ts.SourceFile): boolean {
  const file = one as File;
  const modules = sleepers(file);
  if (modules === undefined) return false;
  const own = modules.length === 0 && file.symbol ? [file.symbol] : [];
  const symbols = new Set([...own, ...modules.map((module) => (module as Module).symbol!)]);
  const places: [of: object, name: string][] = [
    ...[...symbols].map((symbol): [object, string] => [symbol, "exports"]),
    ...modules.map((module): [object, string] => [module, "body"]),
    ...[...(modules.length === 0 ? statements : []), ...tables].map((name): [object, string] => [file, name]),
  ];
  const wake = (): void => {
    for (const [of, name] of places) plain(of, name, undefined);
    awaken(file, modules, parse());
  };
  for (const [of, name] of places) late(of, name, wake);
  if (typeof file.externalModuleIndicator === "object")
    file.externalModuleIndicator = withoutRelatives(file.externalModuleIndicator as ts.Node, 0, one);
  file.imports = file.imports?.map((specifier) => withoutRelatives(specifier, 2, one));
  for (const module of modules) module.locals = undefined;
  for (const one of [file, ...modules]) one.nextContainer = undefined;
  if (modules.length === 0) file.locals = new Map() as unknown as ts.SymbolTable;
  return true;
}

/** The ambient modules of a file that may sleep: none if it is a module itself. Undefined if it must not sleep. */
function sleepers(file: File): Module[] | undefined {
  if (!file.isDeclarationFile || !file.locals || file.moduleAugmentations?.length !== 0) return undefined;
  if (file.patternAmbientModules?.length) return undefined;
  if (file.externalModuleIndicator !== undefined)
    return (file.symbol as unknown as { globalExports?: unknown }).globalExports ? undefined : [];
  const modules = file.statements.filter(
    (one): one is Module =>
      ts.isModuleDeclaration(one) && ts.isStringLiteral(one.name) && one.body !== undefined,
  );
  return modules.length === file.statements.length && modules.length > 0 ? modules : undefined;
}

/** Puts what was parsed into the file that others know, and lets TypeScript bind it there. */
function awaken(file: File, modules: readonly Module[], parsed: ts.SourceFile): void {
  const from = parsed as File;
  const known = { symbol: file.symbol, locals: file.locals };
  const old = modules.map((module) => module.symbol!);
  for (const name of ["identifiers", ...(modules.length === 0 ? statements : [])]) file[name] = from[name];
  if (modules.length > 0) {
    parsed.statements.forEach((statement, i) => {
      (modules[i] as Mutable<ts.ModuleDeclaration>).body = (statement as ts.ModuleDeclaration).body!;
    });
  }
  file.locals = undefined;
  file.symbol = undefined;
  bindSourceFile(file, {});
  if (modules.length === 0) {
    adopt(known.symbol!, file.symbol as unknown as ts.Symbol);
  } else {
    modules.forEach((module, i) => {
      adopt(old[i]!, module.symbol!);
      module.symbol = old[i]!;
    });
    file.locals = known.locals;
  }
  file.symbol = known.symbol;
}

/** Parts that TypeScript reads of a node that says where a module is: its ancestors, but not its siblings. */
function withoutRelatives(node: ts.Node, levels: number, file: ts.SourceFile): ts.Node {
  const kept = ["kind", "pos", "end", "flags", "text", "isTypeOnly", "phaseModifier"];
  const lone = Object.create(Object.getPrototypeOf(node) as object) as Record<string, unknown>;
  const full = node as unknown as Record<string, unknown>;
  for (const name of kept) if (Object.hasOwn(full, name)) lone[name] = full[name];
  for (const name of ["attributes", "importClause"]) {
    const part = full[name] as ts.Node | undefined;
    if (part) lone[name] = withoutRelatives(part, 0, file);
  }
  const { parent } = node as { parent?: ts.Node };
  lone.parent =
    levels > 0 && parent && !ts.isSourceFile(parent) ? withoutRelatives(parent, levels - 1, file) : file;
  return lone as unknown as ts.Node;
}

/** Gives a symbol that others know what a new one of the same thing has. */
function adopt(known: ts.Symbol, found: ts.Symbol): void {
  if (known === found || !found.exports) return;
  known.exports = found.exports;
  for (const symbol of found.exports.values()) (symbol as unknown as { parent: ts.Symbol }).parent = known;
}

/** Makes a property that is looked up when somebody asks for it. */
export function late(of: object, name: string, wake: () => void): void {
  Object.defineProperty(of, name, {
    configurable: true,
    enumerable: true,
    get() {
      wake();
      return (of as Record<string, unknown>)[name];
    },
    set(value: unknown) {
      plain(of, name, value);
    },
  });
}

/** Makes it a property like others again. */
export function plain(of: object, name: string, value: unknown): void {
  Object.defineProperty(of, name, { configurable: true, enumerable: true, writable: true, value });
}
