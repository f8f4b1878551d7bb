import type ts from "typescript";
import { parseDocComment, type DocComment } from "./docComment.js";
import type { Declarations } from "./place.js";

/** The declaration of an exported name. */
export interface Declared extends DocComment {
  name: string;
  /** As in the type declarations, without bodies and comments. */
  signature: string;
  file: string;
}

/**
 * Reads the declarations of several entries of a package, each file once: no types are checked, so this takes a fraction of
 * what the language service needs.
 */
export class DeclarationReader {
  private readonly read = new Map<string, Map<string, Declared>>();

  constructor(private readonly place: Declarations) {}

  /** Exports of all files read so far, such as the types of an exported function's options. */
  everything(): Map<string, Declared> {
    return new Map([...this.read.values()].flatMap((names) => [...names]));
  }

  /** The exports of a file by name. */
  exportsOf(file: string): Map<string, Declared> {
    const known = this.read.get(file);
    if (known) return known;
    const found = new Map<string, Declared>();
    this.read.set(file, found);
    const { typescript } = this.place;
    const source = typescript.createSourceFile(
      file,
      this.place.read(file),
      typescript.ScriptTarget.ESNext,
      true,
    );
    for (const statement of source.statements) {
      if (typescript.isExportDeclaration(statement)) this.follow(statement, file, found);
      else this.declare(statement, source, found);
    }
    return found;
  }

  /** Declarations at the top level of a text, exported or not. */
  declaredIn(file: string, text: string): Map<string, Declared> {
    const found = new Map<string, Declared>();
    const { typescript } = this.place;
    const source = typescript.createSourceFile(file, text, typescript.ScriptTarget.ESNext, true);
    for (const statement of source.statements) this.declare(statement, source, found);
    return found;
  }

  private follow(statement: ts.ExportDeclaration, file: string, found: Map<string, Declared>): void {
    const { typescript } = this.place;
    const specifier = statement.moduleSpecifier;
    const target =
      specifier && typescript.isStringLiteral(specifier)
        ? declarationFile(file, specifier.text, this.place)
        : undefined;
    if (target === undefined) return;
    const there = this.exportsOf(target);
    const clause = statement.exportClause;
    if (!clause) {
      for (const [name, declared] of there) if (!found.has(name)) found.set(name, declared);
    } else if (typescript.isNamespaceExport(clause)) {
      const name = clause.name.getText();
      const signature = `namespace ${name} { ${[...there.keys()].join(", ")} }`;
      found.set(name, { name, signature, file: target, text: "", tags: [] });
    } else if (typescript.isNamedExports(clause)) {
      for (const { name, propertyName } of clause.elements) {
        const declared = there.get((propertyName ?? name).text);
        if (declared) found.set(name.text, { ...declared, name: name.text });
      }
    }
  }

  private declare(statement: ts.Statement, source: ts.SourceFile, found: Map<string, Declared>): void {
    const { typescript } = this.place;
    const names = typescript.isVariableStatement(statement)
      ? statement.declarationList.declarations.map(({ name }) => name.getText(source))
      : typescript.isFunctionDeclaration(statement) ||
          typescript.isClassDeclaration(statement) ||
          typescript.isInterfaceDeclaration(statement) ||
          typescript.isTypeAliasDeclaration(statement)
        ? [statement.name?.text ?? ""]
        : [];
    const comments = typescript.getLeadingCommentRanges(source.text, statement.pos) ?? [];
    const last = comments
      .map(({ pos, end }) => source.text.slice(pos, end))
      .findLast((text) => text.startsWith("/**"));
    const doc = parseDocComment(last ?? "/** */");
    const body = typescript.isFunctionDeclaration(statement) ? statement.body : undefined;
    const signature = source.text
      .slice(statement.getStart(source), body?.getStart(source) ?? statement.end)
      .replace(/^export (declare )?/, "")
      .trim();
    for (const name of names.filter((one) => one !== "")) {
      const earlier = found.get(name);
      // Overloads of a function: one entry with all signatures and the first comment.
      if (earlier?.file === source.fileName) {
        earlier.signature += `\n${signature}`;
        if (earlier.text === "" && earlier.tags.length === 0) Object.assign(earlier, doc);
      } else found.set(name, { name, signature, file: source.fileName, ...doc });
    }
  }
}

function declarationFile(from: string, specifier: string, place: Declarations): string | undefined {
  const { dirname, join } = place;
  if (!specifier.startsWith(".")) return undefined;
  const base = join(dirname(from), specifier.replace(/\.js$/, ""));
  return [`${base}.d.ts`, join(base, "index.d.ts")].find((file) => place.exists(file));
}
