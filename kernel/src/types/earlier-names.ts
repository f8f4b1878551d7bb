import ts from "typescript";
import { exportedNames, topLevelNames, type NameKind } from "./names.js";

/**
 * The names that cells have declared, handed on to later cells.
 *
 * Behind a cell's text, where no position changes, stand declarations of the earlier names it mentions:
 * `declare let x: typeof import("./cell_3").x` for variables, so that assignments are checked, and imports for
 * functions, classes, types and imported names.
 */
export class EarlierNames {
  private readonly names = new Map<string, { module: string; kind: NameKind }>();

  /** All names, for completions, which may propose any of them. */
  all(): ReadonlySet<string> {
    return new Set(this.names.keys());
  }

  /** A module has declared names; a name declared again is the newer one. */
  add(module: string, names: ReadonlyMap<string, NameKind>): void {
    for (const [name, kind] of names) this.names.set(name, { module, kind });
  }

  /** The module that has declared a name last. */
  moduleOf(name: string): string | undefined {
    return this.names.get(name)?.module;
  }

  /** A module has changed: what it no longer exports is unknown. */
  remove(module: string): void {
    for (const [name, known] of this.names) if (known.module === module) this.names.delete(name);
  }

  /** The cell and, behind it, its exports and the earlier names it uses. */
  moduleText(source: string, wanted: ReadonlySet<string>, fileName = "cell.ts"): string {
    const file = ts.createSourceFile(fileName, source, ts.ScriptTarget.ESNext);
    const own = topLevelNames(file);
    const already = exportedNames(file);
    const exported = [...own.keys()].filter((name) => !already.has(name));
    const lines = [`export { ${exported.join(", ")} };`];
    const imports = new Map<string, string[]>();
    for (const name of wanted) {
      const earlier = this.names.get(name);
      if (!earlier || own.has(name)) continue;
      const module = JSON.stringify(`./${earlier.module}`);
      if (earlier.kind === "declaration") imports.set(module, [...(imports.get(module) ?? []), name]);
      else {
        const keyword = earlier.kind === "constant" ? "const" : "let";
        lines.push(`declare ${keyword} ${name}: typeof import(${module}).${name};`);
      }
    }
    for (const [module, names] of imports) lines.push(`import { ${names.join(", ")} } from ${module};`);
    // A comment at the end of the cell must not swallow the first line.
    return `${source}\n;${lines.join("\n")}`;
  }
}
