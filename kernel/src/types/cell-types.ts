import ts from "typescript";
import { codeFrame } from "../display/code-frame.js";
import type { ErrorContent } from "../protocol/message.js";
import { directives, type Directives } from "./directives.js";
import type { CellDiagnostic, TypeEngine } from "./engine.js";
import { isComplete } from "./is-complete.js";
import { LanguageServiceEngine } from "./language-service.js";
import type { Prepared, TypePolicy, TypeRequest, TypeRequests } from "./messages.js";
import { transformCell } from "./transform/cell.js";
import { runtimeName } from "./transform/runtime-name.js";

const mostErrors = 10;

/** Checks and transforms cells; everything that the kernel asks of TypeScript goes through here. */
export class CellTypes {
  private engine: TypeEngine | undefined;
  /** A cell that passed its check and whose declarations later cells will need. */
  private uncommitted: string | undefined;
  private policy: TypePolicy = policyFrom(process.env.TURNWISE_TYPES) ?? "error";

  constructor(
    private readonly cwd: string,
    private readonly createEngine: (cwd: string) => TypeEngine = defaultEngine,
  ) {}

  /** Loads the type libraries, so that the first check is quick. */
  warmUp(): void {
    if (this.policy !== "off") this.loaded().check("1");
  }

  /** Records what the last checked cell declares, after its answer has left: the cell need not wait for it. */
  afterAnswer(): void {
    const { uncommitted } = this;
    this.uncommitted = undefined;
    if (uncommitted !== undefined) this.loaded().commit(uncommitted);
  }

  answer(asked: TypeRequest): TypeRequests[TypeRequest["kind"]]["answer"] {
    this.afterAnswer();
    switch (asked.kind) {
      case "prepare":
        return this.prepare(asked.request);
      case "complete":
        return this.loaded().complete(asked.request.code, asked.request.offset);
      case "inspect":
        return this.loaded().inspect(asked.request.code, asked.request.offset);
      case "isComplete":
        return isComplete(asked.request.code);
      case "restore":
        for (const cell of asked.request.cells) {
          this.prepare(cell);
          this.afterAnswer();
        }
        return undefined;
      case "reset":
        this.uncommitted = undefined;
        this.engine?.close();
        this.engine = undefined;
        return undefined;
      default:
        return asked satisfies never;
    }
  }

  /** Checks a cell and, when it may run, turns it into a script. */
  prepare({ code, name, expressions }: TypeRequests["prepare"]["request"]): Prepared {
    let asked: Directives;
    try {
      asked = directives(code);
    } catch (error) {
      const { name: ename, message: evalue } = error as Error;
      return { ok: false, error: { ename, evalue, traceback: [`${ename}: ${evalue}`] } };
    }
    const { source, policy, jsx, module } = asked;
    if (policy) this.policy = policy;
    if (module !== undefined) return this.prepareModule(module, source, name);
    const file = ts.createSourceFile(name, source, ts.ScriptTarget.ESNext);
    let warning: string | undefined;
    const found = this.findings(file, source, jsx);
    const stopping = found.filter((diagnostic) => diagnostic.syntax || this.policy === "error");
    if (stopping.length > 0) return { ok: false, error: describe(stopping, source, name) };
    if (found.length > 0 && this.policy === "warn")
      warning = describe(found, source, name).traceback.join("\n");
    return {
      ok: true,
      ...transformCell(source, name, jsx),
      expressions: Object.fromEntries(
        Object.entries(expressions).map(([key, text]) => [
          key,
          transformCell(text, `expression_${key}.ts`).code,
        ]),
      ),
      ...(warning !== undefined && { warning }),
    };
  }

  /** A cell with a `@module` directive defines a module that later cells import as `./<name>`. */
  private prepareModule(module: string, source: string, name: string): Prepared {
    const found = this.policy === "off" ? [] : this.loaded().addModule(module, source);
    const stopping = found.filter((diagnostic) => diagnostic.syntax || this.policy === "error");
    if (stopping.length > 0) return { ok: false, error: describe(stopping, source, name) };
    const { outputText } = ts.transpileModule(source, {
      fileName: `${module}.ts`,
      compilerOptions: {
        target: ts.ScriptTarget.ES2022,
        module: ts.ModuleKind.CommonJS,
        esModuleInterop: true,
        jsx: ts.JsxEmit.React,
      },
    });
    const code = `${runtimeName}.module(${JSON.stringify(module)},${JSON.stringify(outputText)});`;
    return { ok: true, code, map: [], expressions: {} };
  }

  private findings(file: ts.SourceFile, source: string, jsx: boolean): CellDiagnostic[] {
    if (this.policy === "off" || jsx) {
      // The parser's own diagnostics need no type library.
      if (jsx) this.uncommitted = withoutJsx(source);
      const { parseDiagnostics } = file as unknown as { parseDiagnostics: ts.DiagnosticWithLocation[] };
      return (jsx ? [] : parseDiagnostics).map((diagnostic) => ({
        start: diagnostic.start,
        length: diagnostic.length,
        code: diagnostic.code,
        message: ts.flattenDiagnosticMessageText(diagnostic.messageText, "\n"),
        syntax: true,
      }));
    }
    const engine = this.loaded();
    const found = engine.check(source);
    const stops =
      found.some((diagnostic) => diagnostic.syntax) || (found.length > 0 && this.policy === "error");
    // What a cell declares is known from the moment it starts, as variables also survive an error at run time.
    if (!stops) this.uncommitted = source;
    return found;
  }

  private loaded(): TypeEngine {
    return (this.engine ??= this.createEngine(this.cwd));
  }
}

/** What later cells may know of a cell with JSX: the names that it declares, with the types of their values. */
function withoutJsx(source: string): string {
  const { outputText } = ts.transpileModule(source, {
    fileName: "cell.tsx",
    compilerOptions: {
      target: ts.ScriptTarget.ESNext,
      module: ts.ModuleKind.ESNext,
      jsx: ts.JsxEmit.React,
    },
  });
  return outputText;
}

/** TypeScript's language service, or tslab's converter where the environment asks for it. */
function defaultEngine(cwd: string): TypeEngine {
  if (process.env.TURNWISE_ENGINE !== "tslab") return new LanguageServiceEngine(cwd);
  // Loaded only here, since it brings a TypeScript of its own.
  // eslint-disable-next-line @typescript-eslint/no-require-imports
  const { TslabEngine } = require("./tslab-engine.js") as typeof import("./tslab-engine.js");
  return new TslabEngine();
}

/** The `error` message for diagnostics: line, column, TypeScript's code, and the line itself with carets. */
function describe(found: CellDiagnostic[], source: string, name: string): ErrorContent {
  const file = ts.createSourceFile(name, source, ts.ScriptTarget.ESNext);
  const lines: string[] = [];
  let evalue = "";
  for (const diagnostic of found.slice(0, mostErrors)) {
    const { line, character } = file.getLineAndCharacterOfPosition(diagnostic.start);
    const title = `${name}:${line + 1}:${character + 1} - TS${diagnostic.code}: ${diagnostic.message}`;
    if (evalue === "") evalue = title;
    lines.push(title, ...codeFrame(source, line, character, diagnostic.length));
  }
  if (found.length > mostErrors) lines.push(`... and ${found.length - mostErrors} more`);
  return { ename: found[0]!.syntax ? "SyntaxError" : "TypeScriptError", evalue, traceback: lines };
}

function policyFrom(text: string | undefined): TypePolicy | undefined {
  return text === "error" || text === "warn" || text === "off" ? text : undefined;
}
