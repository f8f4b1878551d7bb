import { join } from "node:path";
import ts from "typescript";
import { codeFrame } from "../display/code-frame.js";
import type { ErrorContent } from "../protocol/message.js";
import { directives, type Directives } from "./directives.js";
import type { CellDiagnostic, Completions, TypeEngine } from "./engine.js";
import { isComplete } from "./is-complete.js";
import { LanguageServiceEngine } from "./language-service.js";
import { bindingCode } from "./binding-code.js";
import { ModuleNames } from "./live-names.js";
import { moduleText, refusal } from "./module-file.js";
import { magicCompletions, misplacedMagic, moduleMagic, type ModuleMagic } from "./module-magic.js";
import { topLevelNames } from "./names.js";
import type { Prepared, TypePolicy, TypeRequest, TypeRequests } from "./messages.js";
import { aliases, emitOptions, ownOptions, type Aliases } from "./compiler-options.js";
import { needsJsx } from "./jsx.js";
import { transformCell } from "./transform/cell.js";
import { runtimeName } from "./transform/runtime-name.js";

const mostErrors = 10;

/** Checks and transforms cells; everything that the kernel asks of TypeScript goes through here. */
export class CellTypes {
  private engine: TypeEngine | undefined;
  /** A cell that passed its check and whose declarations later cells will need. */
  private uncommitted: string | undefined;
  private readonly own: ts.CompilerOptions;
  private readonly aliases: Aliases | undefined;
  private moduleNames: ModuleNames;
  private policy: TypePolicy = policyFrom(process.env.TURNWISE_TYPES) ?? "error";

  constructor(
    private readonly cwd: string,
    private readonly createEngine: (cwd: string) => TypeEngine = defaultEngine,
  ) {
    this.moduleNames = new ModuleNames(cwd);
    this.own = ownOptions(cwd);
    this.aliases = aliases(this.own);
  }

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
        return this.complete(asked.request);
      case "inspect": {
        const { source, alone } = textOf(asked.request.code);
        return this.loaded().inspect(source, asked.request.offset, alone);
      }
      case "isComplete":
        return isComplete(textOf(asked.request.code).source);
      case "restore":
        for (const cell of asked.request.cells) {
          this.prepare(cell, { restoring: true });
          this.afterAnswer();
        }
        return undefined;
      case "reset":
        this.uncommitted = undefined;
        this.moduleNames = new ModuleNames(this.cwd);
        this.engine?.close();
        this.engine = undefined;
        return undefined;
      default:
        return asked satisfies never;
    }
  }

  private complete({ code, offset }: TypeRequests["complete"]["request"]): Completions {
    const magics = magicCompletions(code.slice(0, offset));
    if (magics.length > 0) {
      const items = magics.map((text) => ({ text, kind: "keyword" }));
      return { start: code.slice(0, offset).search(/%/), end: offset, items };
    }
    const { source, alone } = textOf(code);
    return this.loaded().complete(source, offset, alone);
  }

  /** Checks a cell and, when it may run, turns it into a script. */
  prepare(
    { code, name, expressions }: TypeRequests["prepare"]["request"],
    o: { restoring?: boolean } = {},
  ): Prepared {
    let asked: Directives;
    let magic: ModuleMagic | undefined;
    try {
      magic = moduleMagic(code);
      asked = directives(magic?.source ?? code);
    } catch (error) {
      return refused(error as Error);
    }
    const { source, policy, module } = asked;
    if (policy) this.policy = policy;
    if (magic) return this.prepareFile({ ...magic, source }, name, o.restoring ?? false);
    if (module !== undefined) return this.prepareModule(module, source, name);
    for (const [stem, names] of this.engine?.renewModules() ?? []) {
      this.moduleNames.renewModule(`${stem}.ts`, names);
    }
    const jsx = asked.jsx || (this.own.jsx !== undefined && needsJsx(source));
    const file = ts.createSourceFile(jsx ? `${name}x` : name, source, ts.ScriptTarget.ESNext);
    let warning: string | undefined;
    const found = this.findings(file, source, asked.jsx);
    const stopping = found.filter((diagnostic) => diagnostic.syntax || this.policy === "error");
    if (stopping.length > 0) {
      const misplaced = stopping[0]!.syntax ? misplacedMagic(code) : undefined;
      if (misplaced !== undefined) return refused(new RangeError(misplaced));
      return { ok: false, error: describe(stopping, source, name) };
    }
    if (found.length > 0 && this.policy === "warn")
      warning = describe(found, source, name).traceback.join("\n");
    this.moduleNames.add(file);
    const live = this.moduleNames.live(new Set(topLevelNames(file).keys()));
    return {
      ok: true,
      ...transformCell(source, name, { jsx, options: emitOptions(this.own) }),
      ...(this.aliases && { aliases: this.aliases }),
      expressions: Object.fromEntries(
        Object.entries(expressions).map(([key, text]) => [
          key,
          transformCell(text, `expression_${key}.ts`).code,
        ]),
      ),
      ...(warning !== undefined && { warning }),
      ...(live && { live }),
    };
  }

  /** A cell with `%%module` becomes a file beside the notebook, whose exports are names of the notebook. */
  private prepareFile(magic: ModuleMagic, name: string, restoring: boolean): Prepared {
    const { file, source } = magic;
    const stem = file.replace(/^\.\//, "").replace(/\.ts$/, "");
    const text = moduleText(magic);
    const kept = restoring ? undefined : refusal(this.cwd, magic, text);
    if (kept !== undefined) return refused(new RangeError(kept));
    const engine = this.loaded();
    const found = engine.addModule(stem, source);
    const stopping = found.filter((diagnostic) => diagnostic.syntax || this.policy === "error");
    if (stopping.length > 0) {
      engine.removeModule(stem);
      return { ok: false, error: describe(stopping, source, name) };
    }
    const parsed = ts.createSourceFile(name, source, ts.ScriptTarget.ESNext, true);
    const waits = topLevelAwait(parsed);
    if (waits !== undefined) {
      engine.removeModule(stem);
      const { line } = parsed.getLineAndCharacterOfPosition(waits.getStart(parsed));
      return refused(
        new RangeError(
          `Cannot write ${file} as a module must not await at its top level, since threads load it in one go: ` +
            `line ${line + 1} does; await in a function that it exports`,
        ),
      );
    }
    // What counts after a restart of this process is the file, which may have been edited since.
    if (restoring) engine.removeModule(stem);
    const values = engine.importModule(stem, source);
    this.moduleNames.addModule(file, values);
    const path = join(this.cwd, `${stem}.ts`);
    const names = this.moduleNames.live(new Set())?.[path] ?? [];
    const [asPath, asMagic] = [JSON.stringify(path), JSON.stringify({ ...magic, text })];
    const code = `"use strict";${runtimeName}.file(${asPath},${asMagic});${bindingCode(names, `${runtimeName}.exports(${asPath})`)}`;
    const warning = found.length > 0 && this.policy === "warn" ? describe(found, source, name) : undefined;
    return {
      ok: true,
      code,
      map: [],
      vars: [],
      expressions: {},
      ...(warning && { warning: warning.traceback.join("\n") }),
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
        ...emitOptions(this.own),
      },
    });
    const code = `${runtimeName}.module(${JSON.stringify(module)},${JSON.stringify(outputText)});`;
    return { ok: true, code, map: [], vars: [], expressions: {} };
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

/** The program text of a cell, and whether it is that of a module; a magic line that is not finished changes nothing. */
function textOf(code: string): { source: string; alone: boolean } {
  try {
    const magic = moduleMagic(code);
    return { source: magic?.source ?? code, alone: magic !== undefined };
  } catch {
    return { source: code, alone: false };
  }
}

function refused({ name: ename, message: evalue }: Error): Prepared {
  return { ok: false, error: { ename, evalue, traceback: [`${ename}: ${evalue}`] } };
}

function topLevelAwait(node: ts.Node): ts.Node | undefined {
  if (ts.isFunctionLike(node) || ts.isClassLike(node)) return undefined;
  if (ts.isAwaitExpression(node) || (ts.isForOfStatement(node) && node.awaitModifier)) return node;
  return ts.forEachChild(node, topLevelAwait);
}
