import { createConverter, type Converter } from "tslab/dist/converter.js";
import ts from "typescript";
import type { CellDiagnostic, Completions, QuickInfo, TypeEngine } from "./engine.js";
import { quickInfoText } from "./inspect.js";
import { exportedNames } from "./names.js";

const errorCategory = 1;

/**
 * tslab's converter as a type checker; the JavaScript it emits is not used.
 *
 * It brings TypeScript 5.0, reads no compiler options, and does not know `exports` maps. It is here
 * for notebooks that rely on its exact checks (`TURNWISE_ENGINE=tslab`).
 */
export class TslabEngine implements TypeEngine {
  readonly name = "tslab";
  private readonly converter: Converter;
  private declarations = "";
  private last: { source: string; declarations: string | undefined } | undefined;

  /** tslab works in the current folder of the process; the type worker runs in the notebook's. */
  constructor() {
    this.converter = createConverter();
  }

  setJsx(): void {
    // Its converter has settings of its own.
  }

  setStrict(): void {
    // Its converter has no such option.
  }

  check(source: string): CellDiagnostic[] {
    const { declOutput, diagnostics } = this.converter.convert(this.declarations, source);
    this.last = { source, declarations: diagnostics.length === 0 ? declOutput : undefined };
    return diagnostics.map(convert);
  }

  commit(source: string): void {
    if (this.last?.source !== source) this.check(source);
    // tslab has no declarations for a cell with errors (under a lax policy): later cells do not know its names.
    this.declarations = this.last?.declarations ?? this.declarations;
  }

  complete(source: string, offset: number, alone = false): Completions {
    const info = this.converter.complete(alone ? "" : this.declarations, source, offset);
    const typed = source.slice(info.start, offset);
    const kinds = new Map(info.original?.entries.map((entry) => [entry.name, String(entry.kind)]));
    return {
      start: info.start,
      end: info.end,
      items: info.candidates
        .filter((name) => name.startsWith(typed))
        .map((name) => ({ text: name, kind: kinds.get(name) ?? "" })),
    };
  }

  inspect(source: string, offset: number, alone = false): QuickInfo | undefined {
    const info = this.converter.inspect(alone ? "" : this.declarations, source, offset);
    if (!info) return undefined;
    const join = (parts: readonly { text: string }[] | undefined): string =>
      (parts ?? []).map((part) => part.text).join("");
    const signature = join(info.displayParts);
    return {
      signature,
      text: quickInfoText(signature, info),
      documentation: join(info.documentation),
    };
  }

  addModule(name: string, source: string): CellDiagnostic[] {
    return this.converter.addModule(name, source).map(convert);
  }

  /** tslab keeps what it was told: the next `addModule` replaces it. */
  removeModule(): void {
    return;
  }

  importModule(name: string, source: string): string[] {
    const file = ts.createSourceFile(`${name}.ts`, source, ts.ScriptTarget.ESNext);
    const names = [...exportedNames(file)].filter((one) => one !== "default");
    const types = new Set(
      file.statements.flatMap((one) =>
        ts.isInterfaceDeclaration(one) || ts.isTypeAliasDeclaration(one) ? [one.name.text] : [],
      ),
    );
    this.commit(`import { ${names.join(", ")} } from ${JSON.stringify(`./${name}`)};`);
    return names.filter((one) => !types.has(one));
  }

  /** tslab takes a module as it was when it was added. */
  renewModules(): Map<string, string[]> {
    return new Map();
  }

  close(): void {
    this.converter.close();
  }
}

function convert(diagnostic: {
  start: { offset: number };
  end: { offset: number };
  messageText: string;
  category: number;
  code: number;
}): CellDiagnostic {
  return {
    start: diagnostic.start.offset,
    length: Math.max(1, diagnostic.end.offset - diagnostic.start.offset),
    code: diagnostic.code,
    message: diagnostic.messageText,
    // Codes from 1000 to 1999 come from the parser.
    syntax: diagnostic.category === errorCategory && diagnostic.code < 2000,
  };
}
