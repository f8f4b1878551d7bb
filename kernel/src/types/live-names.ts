import ts from "typescript";
import { host } from "./host.js";
import { topLevelNames } from "./names.js";
import { apartName } from "./transform/apart.js";

/** For each file, the pairs of an export (`*` for all) and the notebook's name for it. */
export type LiveNames = Record<string, [exported: string, name: string][]>;

/** The names of the notebook that come from modules which its own cells write, so that they can follow these. */
export class ModuleNames {
  private readonly names = new Map<string, { stem: string; exported: string }>();
  private readonly modules = new Set<string>();

  constructor(private readonly folder: string) {}

  /** A cell was run: what it declares is its own, what it imports from a file comes from there. */
  add(file: ts.SourceFile): void {
    for (const name of topLevelNames(file).keys()) this.names.delete(name);
    for (const statement of file.statements) {
      if (!ts.isImportDeclaration(statement) || !ts.isStringLiteral(statement.moduleSpecifier)) continue;
      const { importClause: clause, moduleSpecifier } = statement;
      if (!clause || clause.isTypeOnly || !/^\.{0,2}\//.test(moduleSpecifier.text)) continue;
      const stem = stemOf(host().files.path.resolve(this.folder, moduleSpecifier.text));
      const note = (exported: string, name: ts.Identifier): void => {
        this.names.set(name.text, { stem, exported });
      };
      if (clause.name) note("default", clause.name);
      const { namedBindings: bindings } = clause;
      if (bindings && ts.isNamespaceImport(bindings)) note("*", bindings.name);
      else if (bindings) {
        for (const { isTypeOnly, name, propertyName } of bindings.elements)
          if (!isTypeOnly) note((propertyName ?? name).text, name);
      }
    }
  }

  /** A cell has written a module: its exports are names of the notebook. */
  addModule(file: string, exported: readonly string[]): void {
    const stem = stemOf(host().files.path.join(this.folder, file));
    this.modules.add(stem);
    for (const [name, known] of this.names)
      if (known.stem === stem && known.exported === name) this.names.delete(name);
    for (const name of exported) this.names.set(name, { stem, exported: name });
  }

  /** Its file has changed: it may export other names. */
  renewModule(file: string, exported: readonly string[]): void {
    const stem = stemOf(host().files.path.join(this.folder, file));
    for (const [name, known] of this.names)
      if (known.stem === stem && known.exported === name && !exported.includes(name)) this.names.delete(name);
    for (const name of exported) if (!this.names.has(name)) this.names.set(name, { stem, exported: name });
  }

  /** The names to renew when one of the modules has changed, except those that a cell is about to declare. */
  live(own: ReadonlySet<string>): LiveNames | undefined {
    const found: LiveNames = {};
    for (const [name, { stem, exported }] of this.names) {
      if (this.modules.has(stem) && !own.has(name))
        (found[`${stem}.ts`] ??= []).push([exported, apartName(name)]);
    }
    return Object.keys(found).length > 0 ? found : undefined;
  }
}

function stemOf(path: string): string {
  return path.replace(/\.[cm]?[jt]s$/, "");
}
