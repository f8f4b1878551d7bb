import ts from "typescript";
import { collectNames } from "./binding-names.js";
import type { Edits, PositionMap } from "./edits.js";
import { functionStart, sloppyStart } from "./function-start.js";
import { runtimeName } from "./runtime-name.js";
import { isAmbient } from "./strip.js";

/**
 * The top-level names of a cell as properties of the global object, where V8's REPL mode is not at hand: then functions of earlier
 * cells see what later ones assign, and any name may be declared again.
 */
export class GlobalNames {
  /** Those that the cell declares. */
  readonly names = new Set<string>();
  /** Declared twice in one cell: these declarations stay, so that V8 refuses them as it does in any script. */
  private readonly twice: ReadonlySet<string>;

  /** @param vars the names of all `var` of the cell */
  constructor(file: ts.SourceFile, vars: ReadonlySet<string>) {
    const seen = new Set(vars);
    const twice = new Set<string>();
    const functions = new Set<string>();
    for (const statement of file.statements) {
      const own = ts.isFunctionDeclaration(statement) ? functionNames(statement) : lexicalNames(statement);
      for (const name of own) {
        // Of several functions by one name the last counts.
        if (seen.has(name) && !(functions.has(name) && ts.isFunctionDeclaration(statement))) twice.add(name);
        if (ts.isFunctionDeclaration(statement)) functions.add(name);
        seen.add(name);
      }
    }
    this.twice = twice;
  }

  /** Makes names global, unless V8 is to refuse their declaration. */
  take(names: readonly string[]): boolean {
    if (names.some((name) => this.twice.has(name))) return false;
    for (const name of names) this.names.add(name);
    return true;
  }

  /** Turns `let a = 1, b` into assignments. */
  assign(file: ts.SourceFile, list: ts.VariableDeclarationList, keyword: string, edits: Edits): boolean {
    // Without a value a constant is an error, which an assignment would hide.
    if (keyword === "const" && list.declarations.some(({ initializer }) => !initializer)) return false;
    const names: string[] = [];
    for (const { name } of list.declarations) collectNames(name, names);
    if (!this.take(names)) return false;
    const start = list.getStart(file);
    edits.blank(start, start + keyword.length, ";");
    for (const [i, { name, initializer }] of list.declarations.entries()) {
      if (!initializer) edits.insert(name.end, "=void 0");
      // At the start of a statement a brace would open a block.
      else if (i === 0 && ts.isObjectBindingPattern(name)) edits.insert(name.getStart(file), "0,");
    }
    return true;
  }

  /** Turns `class A {}` into an assignment of a class by that name. */
  assignClass(file: ts.SourceFile, node: ts.ClassDeclaration & { name: ts.Identifier }, edits: Edits): void {
    if (!this.take([node.name.text])) return;
    const keyword = node.getChildren(file).find(({ kind }) => kind === ts.SyntaxKind.ClassKeyword)!;
    edits.insert(keyword.getStart(file), `;${node.name.text}=`);
    edits.insert(node.end, ";");
  }
}

function functionNames({ name, body }: ts.FunctionDeclaration): string[] {
  return name && body ? [name.text] : [];
}

function lexicalNames(statement: ts.Statement): string[] {
  if (isAmbient(statement)) return [];
  if (ts.isClassDeclaration(statement)) return statement.name ? [statement.name.text] : [];
  const names: string[] = [];
  if (ts.isVariableStatement(statement)) {
    const { declarationList: list } = statement;
    if ((list.flags & ts.NodeFlags.BlockScoped) !== 0)
      for (const { name } of list.declarations) collectNames(name, names);
  }
  return names;
}

/** Makes V8 refuse a `return` outside of functions, which it would take for one of the function around the cell. */
export function refuseReturns(file: ts.SourceFile, edits: Edits): void {
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) || ts.isClassLike(node) || ts.isModuleDeclaration(node)) return;
    if (ts.isReturnStatement(node)) {
      const start = node.getStart(file);
      edits.insert(start, "class _{static{");
      edits.insert(start + "return".length, "}}");
    }
    ts.forEachChild(node, visit);
  };
  file.statements.forEach(visit);
}

/** The cell as the text of an asynchronous function, which declares its names first. */
export function asFunction(
  edits: Edits,
  o: {
    hoisted: [number, number][];
    names: readonly string[];
    vars: readonly string[];
    anew: readonly string[];
    sloppy: boolean;
  },
): { code: string; map: PositionMap; vars: string[] } {
  const fresh = [...o.names, ...o.anew];
  const declares =
    fresh.length + o.vars.length > 0
      ? `${runtimeName}.d(${JSON.stringify(fresh)},${JSON.stringify(o.vars)});`
      : "";
  const anew = o.anew.map((name) => `${name}=void 0;`).join("");
  const { code, map } = edits.build(o.hoisted, `${o.sloppy ? sloppyStart : functionStart}${declares}${anew}`);
  return { code: `${code}\n})`, map, vars: [] };
}
