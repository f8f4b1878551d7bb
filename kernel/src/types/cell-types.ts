import { join } from "node:path";
import ts from "typescript";
import { codeFrame } from "../display/code-frame.js";
import type { ErrorContent } from "../protocol/message.js";
import type { CellDiagnostic, Completions, TypeEngine } from "./engine.js";
import { defaultEngine } from "./default-engine.js";
import { askedOf, textComplete, textOf, type AskedCell, type CellText } from "./cell-text.js";
import { bindingCode } from "./binding-code.js";
import { ModuleNames } from "./live-names.js";
import { moduleText, refusal } from "./module-file.js";
import { topLevelAwait, topLevelNames } from "./names.js";
import { completeMagic } from "../magics/complete.js";
import type { TypePolicy } from "../magics/contract.js";
import { magics } from "../magics/index.js";
import type { ModuleMagic } from "../magics/module-line.js";
import { magicAt } from "./magic-info.js";
import { unshifted } from "./magic-shift.js";
import type { Prepared, TypeRequest, TypeRequests } from "./messages.js";
import { aliases, emitOptions, ownOptions, type Aliases } from "./compiler-options.js";
import { needsJsx } from "./jsx.js";
import { syntaxErrors } from "./syntax.js";
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
  /** All names that cells have declared. */
  private readonly names = new Set<string>();
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
        const { code, offset } = asked.request;
        const { source, alone, text } = this.textOf(code);
        return magicAt(code, offset) ?? (text ? undefined : this.loaded().inspect(source, offset, alone));
      }
      case "isComplete":
        return textComplete(this.textOf(asked.request.code));
      case "restore":
        for (const cell of asked.request.cells) {
          this.prepare(cell, { restoring: true });
          this.afterAnswer();
        }
        return undefined;
      case "reset":
        this.uncommitted = undefined;
        this.moduleNames = new ModuleNames(this.cwd);
        this.names.clear();
        this.engine?.close();
        this.engine = undefined;
        return undefined;
      default:
        return asked satisfies never;
    }
  }

  private complete({ code, offset }: TypeRequests["complete"]["request"]): Completions {
    const magic = completeMagic(code.slice(0, offset), magics);
    if (magic) {
      const items = magic.words.map((text) => ({ text, kind: "keyword" }));
      return { start: magic.start, end: offset, items };
    }
    const { source, alone, text } = this.textOf(code);
    return text ? { start: offset, end: offset, items: [] } : this.loaded().complete(source, offset, alone);
  }

  private textOf(code: string): CellText {
    return textOf(code, (name) => this.names.has(name));
  }

  /** Checks a cell and, when it may run, turns it into a script. */
  prepare(
    { code, name, expressions }: TypeRequests["prepare"]["request"],
    o: { restoring?: boolean } = {},
  ): Prepared {
    const leave = /^\s*(exit|quit)(\(\))?;?\s*$/.exec(code)?.[1];
    if (leave !== undefined && !this.names.has(leave))
      return { ok: true, code: "", map: [], vars: [], expressions: {}, exits: true };
    let asked: AskedCell;
    try {
      asked = askedOf(
        code,
        (one) => this.names.has(one),
        (policy) => this.setPolicy(policy),
      );
    } catch (error) {
      return refused(error as Error);
    }
    const { read, directives, file } = asked;
    const { text, source } = read;
    if (file) return this.prepareFile(file, name, o.restoring ?? false);
    if (text) return { ok: true, ...transformCell(read.runs, name), expressions: {} };
    const { module } = directives;
    if (module !== undefined) return this.prepareModule(module, source, name);
    for (const [stem, names] of this.engine?.renewModules() ?? []) {
      this.moduleNames.renewModule(`${stem}.ts`, names);
    }
    const jsx = directives.jsx || (this.own.jsx !== undefined && needsJsx(source));
    const parsed = ts.createSourceFile(jsx ? `${name}x` : name, source, ts.ScriptTarget.ESNext);
    let warning: string | undefined;
    const broken = syntaxErrors(source, parsed.fileName);
    const found = broken.length > 0 ? broken : this.findings(source, directives.jsx);
    const stopping = found.filter((diagnostic) => diagnostic.syntax || this.stops);
    if (stopping.length > 0) {
      return { ok: false, error: describe(stopping, source, name) };
    }
    if (found.length > 0 && this.policy === "warn")
      warning = describe(found, source, name).traceback.join("\n");
    this.moduleNames.add(parsed);
    const own = new Set(topLevelNames(parsed).keys());
    for (const one of own) this.names.add(one);
    const live = this.moduleNames.live(own);
    return {
      ok: true,
      ...unshifted(transformCell(read.runs, name, { jsx, options: emitOptions(this.own) }), read.shifts),
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
    const broken = syntaxErrors(source, name);
    if (broken.length > 0) return { ok: false, error: describe(broken, source, name) };
    const found = engine.addModule(stem, source);
    const stopping = found.filter((diagnostic) => diagnostic.syntax || this.stops);
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
    const broken = syntaxErrors(source, name);
    const checked = broken.length > 0 || this.policy === "off";
    const found = checked ? broken : this.loaded().addModule(module, source);
    const stopping = found.filter((diagnostic) => diagnostic.syntax || this.stops);
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

  private findings(source: string, jsx: boolean): CellDiagnostic[] {
    if (jsx) this.uncommitted = withoutJsx(source);
    if (this.policy === "off" || jsx) return [];
    const engine = this.loaded();
    const found = engine.check(source);
    const stops = found.some((diagnostic) => diagnostic.syntax) || (found.length > 0 && this.stops);
    // What a cell declares is known from the moment it starts, as variables also survive an error at run time.
    if (!stops) this.uncommitted = source;
    return found;
  }

  private loaded(): TypeEngine {
    if (!this.engine) {
      this.engine = this.createEngine(this.cwd);
      this.engine.setStrict(this.policy === "strict");
    }
    return this.engine;
  }

  private setPolicy(policy: TypePolicy): void {
    this.policy = policy;
    this.engine?.setStrict(policy === "strict");
  }

  /** Type errors stop a cell. */
  private get stops(): boolean {
    return this.policy === "error" || this.policy === "strict";
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
  return text === "strict" || text === "error" || text === "warn" || text === "off" ? text : undefined;
}

function refused({ name: ename, message: evalue }: Error): Prepared {
  return { ok: false, error: { ename, evalue, traceback: [`${ename}: ${evalue}`] } };
}
