// One file because every kind of cell is prepared with the same engine, names and policy.
import ts from "typescript";
import { withImports } from "./auto-import.js";
import { withCellNumbers } from "./declared-again.js";
import { withWhereabouts } from "./undeclared-name.js";
import type { Completions, TypeEngine } from "./engine.js";
import { host } from "./host.js";
import { describe, refused } from "./cell-error.js";
import { askedOf, textComplete, textOf, type AskedCell, type CellText } from "./cell-text.js";
import { bindingCode, waited } from "./binding-code.js";
import { ModuleNames } from "./live-names.js";
import { moduleCode } from "./module-code.js";
import { moduleCell } from "./module-cell.js";
import { moduleText, refusal } from "./module-file.js";
import { topLevelAwait, topLevelNames } from "./names.js";
import { sharedNames } from "./referred-names.js";
import { completeMagic } from "../magics/complete.js";
import type { TypePolicy } from "../magics/contract.js";
import type { Dialect } from "../magics/dialects.js";
import type { ModuleMagic } from "../magics/module-line.js";
import { magicAt } from "./magic-info.js";
import { unshifted } from "./magic-shift.js";
import type { Prepared, TypeRequest, TypeRequests } from "./messages.js";
import { aliases, emitOptions, type Aliases } from "./compiler-options.js";
import {
  checkJavaScript,
  ofSloppy,
  returningCell,
  returnsAtTop,
  type CheckedCell,
} from "./javascript-cell.js";
import { JsxChoice, needsJsx, noJsx, withoutJsx } from "./jsx.js";
import { stops, Treatment } from "./treatment.js";
import { objectCell } from "./object-cell.js";
import { syntaxErrors } from "./syntax.js";
import { apartName, apartNames } from "./transform/apart.js";
import { transformCell } from "./transform/cell.js";
import { runtimeName } from "./transform/runtime-name.js";

export interface CellTypesOptions {
  createEngine(cwd: string): TypeEngine;
  /** Treatment of a cell with a type error, until a cell sets it; `error` unless given. */
  policy?: TypePolicy | undefined;
  /** Kernel whose notebooks the cells are read as, until a cell sets it; `typescript` unless given. */
  dialect?: Dialect;
  /** Settings in the notebook's tsconfig.json. */
  own?: ts.CompilerOptions;
}

/** Checks and transforms cells; everything that the kernel asks of TypeScript goes through here. */
export class CellTypes {
  private engine: TypeEngine | undefined;
  /** A cell that passed its check and whose declarations later cells will need. */
  private uncommitted: string | undefined;
  private readonly treatment: Treatment;
  /** Settings in the notebook's tsconfig.json. */
  private readonly own: ts.CompilerOptions;
  private readonly aliases: Aliases | undefined;
  private readonly jsx = new JsxChoice();
  private moduleNames: ModuleNames;
  /** All names that cells have declared. */
  private readonly names = new Set<string>();
  /** The last cell that has declared a name. */
  private readonly declaredIn = new Map<string, string>();
  /** The last cell that would have declared a name, had it not been stopped by an error. */
  private readonly stoppedIn = new Map<string, string>();
  /** Those of values that engines and packages know as globals, too. */
  private readonly apart = new Set<string>();

  constructor(
    private readonly cwd: string,
    private readonly o: CellTypesOptions,
  ) {
    this.moduleNames = new ModuleNames(cwd);
    this.treatment = new Treatment(o.policy, o.dialect);
    this.own = o.own ?? {};
    this.aliases = aliases(this.own);
  }

  /** Loads the type libraries, so that the first check is quick, and what a completion needs. */
  warmUp(): void {
    if (this.treatment.policy !== "off") this.loaded().check("1");
    this.loaded().complete("[].", 3);
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
        return textComplete(asked.request.code, this.textOf(asked.request.code));
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
        this.declaredIn.clear();
        this.stoppedIn.clear();
        this.apart.clear();
        this.engine?.close();
        this.engine = undefined;
        return undefined;
      default:
        return asked satisfies never;
    }
  }

  private complete({ code, offset }: TypeRequests["complete"]["request"]): Completions {
    const magic = completeMagic(code.slice(0, offset), host().magics);
    if (magic) {
      const items = magic.words.map((text) => ({ text, kind: "keyword" }));
      return { start: magic.start, end: offset, items };
    }
    const { source, alone, text } = this.textOf(code);
    if (text) return { start: offset, end: offset, items: [] };
    const found = this.loaded().complete(source, offset, alone);
    return found.imports ? withImports(found, found.imports, code, source) : found;
  }

  private textOf(code: string): CellText {
    return textOf(code, (name) => this.names.has(name));
  }

  /** Checks a cell and, when it may run, turns it into a script. */
  prepare(
    { code, name, expressions, hasRun = false }: TypeRequests["prepare"]["request"],
    o: { restoring?: boolean } = {},
  ): Prepared {
    const leave = /^\s*(exit|quit)(\(\))?;?\s*$/.exec(code)?.[1];
    if (leave !== undefined && !this.names.has(leave))
      return { ok: true, code: "", map: [], vars: [], expressions: {}, exits: true };
    let asked: AskedCell;
    try {
      asked = askedOf(code, (one) => this.names.has(one), {
        setTypes: (policy) => this.setPolicy(policy),
        setDialect: (dialect) => this.setPolicy(this.treatment.setDialect(dialect)),
      });
    } catch (error) {
      return refused(error as Error);
    }
    const { directives, file } = asked;
    const object = objectCell(asked.read);
    const read = object ?? asked.read;
    const { text, source } = read;
    const { form } = host();
    if (file) return this.prepareFile(file, name, o.restoring ?? false);
    if (text) return { ok: true, ...transformCell(read.runs, name, { form }), expressions: {} };
    const { policy, sloppy } = this.treatment.of(read);
    const { module } = directives;
    if (module !== undefined)
      return moduleCell({ module, source, name, policy, own: this.own, engine: () => this.loaded() });
    for (const [stem, names] of this.engine?.renewModules() ?? []) {
      this.moduleNames.renewModule(`${stem}.ts`, names);
    }
    const elements = !directives.jsx && needsJsx(source);
    const jsx = directives.jsx || elements;
    const parsed = ts.createSourceFile(jsx ? `${name}x` : name, source, ts.ScriptTarget.ESNext);
    let warning: string | undefined;
    const known = (one: string): boolean => this.apart.has(one);
    this.jsx.hear(source);
    let options = this.own;
    if (elements && options.jsx === undefined) {
      const here = topLevelNames(parsed);
      const chosen = this.jsx.of(this.cwd, (one) => here.has(one) || this.names.has(one));
      if (!chosen) return refused(noJsx());
      options = { ...options, ...chosen };
      if (policy !== "off") this.loaded().setJsx(chosen);
    }
    const errors = syntaxErrors(source, parsed.fileName);
    const broken = sloppy ? ofSloppy(errors) : errors;
    if (sloppy && broken.length === 0 && returnsAtTop(parsed)) return returningCell(read, name, known);
    const { found: inSource, implied } =
      broken.length > 0
        ? { found: broken, implied: [] }
        : this.findings(source, { jsx: directives.jsx, hasRun, policy, sloppy });
    const { source: written } = asked.read;
    // Without the parenthesis that the cell does not have.
    const found = object ? inSource.map((one) => ({ ...one, start: Math.max(0, one.start - 1) })) : inSource;
    const stopping = found.filter((diagnostic) => diagnostic.syntax || (stops(policy) && !hasRun));
    const shared = sharedNames(parsed);
    const names = { ...shared, declares: [...shared.declares, ...implied] };
    if (stopping.length > 0) {
      for (const one of names.declares) this.stoppedIn.set(one, name);
      return { ok: false, error: describe(stopping, written, name), names };
    }
    if (found.length > 0 && policy === "warn") warning = describe(found, written, name).traceback.join("\n");
    this.moduleNames.add(parsed);
    for (const one of names.declares) {
      this.names.add(one);
      this.declaredIn.set(one, name);
    }
    for (const one of apartNames(parsed)) this.apart.add(one);
    const live = this.moduleNames.live(new Set(names.declares));
    const emitted = emitOptions(options);
    return {
      ok: true,
      ...unshifted(
        transformCell(read.runs, name, { jsx, form, sloppy, options: emitted, known }),
        read.shifts,
      ),
      ...(this.aliases && { aliases: this.aliases }),
      expressions: Object.fromEntries(
        Object.entries(expressions).map(([key, text]) => [
          key,
          transformCell(text, `expression_${key}.ts`, { form, known }).code,
        ]),
      ),
      names,
      ...(warning !== undefined && { warning }),
      ...(live && { live }),
    };
  }

  /** A cell with `%%module` becomes a file beside the notebook, whose exports are names of the notebook. */
  private prepareFile(magic: ModuleMagic, name: string, restoring: boolean): Prepared {
    const { file, source } = magic;
    const stem = file.replace(/^\.\//, "").replace(/\.ts$/, "");
    const { files } = host();
    const text = moduleText(magic, files);
    const kept = restoring ? undefined : refusal(this.cwd, magic, text, files);
    if (kept !== undefined) return refused(new RangeError(kept));
    const broken = syntaxErrors(source, name);
    if (broken.length > 0) return { ok: false, error: describe(broken, source, name) };
    const made = host().form === "global" ? moduleCode(text, `${stem}.ts`, host().transpile) : undefined;
    const engine = this.loaded();
    const found = engine.addModule(stem, source);
    const stopping = found.filter((diagnostic) => diagnostic.syntax || stops(this.treatment.policy));
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
          `Cannot write ${file}: a module must not await at its top level, since threads load it in one go, ` +
            `but line ${line + 1} does. Await in a function that it exports.`,
        ),
      );
    }
    // What counts after a restart of this process is the file, which may have been edited since.
    if (restoring) engine.removeModule(stem);
    const values = engine.importModule(stem, source);
    this.moduleNames.addModule(file, values);
    for (const one of values) if (apartName(one) !== one) this.apart.add(one);
    const path = files.path.join(this.cwd, `${stem}.ts`);
    const names = this.moduleNames.live(new Set())?.[path] ?? [];
    const asPath = JSON.stringify(path);
    const written = (given: object): string =>
      `${runtimeName}.file(${asPath},${JSON.stringify({ ...magic, text, ...given })})`;
    // In the global form the session sets the names itself, which no declaration inside of a function could.
    const code = made
      ? `await ${written({ made, names })};`
      : `"use strict";${waited(written({}))};${bindingCode(names, waited(`${runtimeName}.exports(${asPath})`))}`;
    const warning =
      found.length > 0 && this.treatment.policy === "warn" ? describe(found, source, name) : undefined;
    return {
      ok: true,
      code,
      map: [],
      vars: [],
      expressions: {},
      ...(warning && { warning: warning.traceback.join("\n") }),
    };
  }

  /** Errors of a cell, and the globals that its assignments make. */
  private findings(
    source: string,
    o: { jsx: boolean; hasRun: boolean; policy: TypePolicy; sloppy: boolean },
  ): Pick<CheckedCell, "found" | "implied"> {
    if (o.jsx) this.uncommitted = withoutJsx(source);
    if (o.policy === "off" || o.jsx) return { found: [], implied: [] };
    const engine = this.loaded();
    const checked = o.sloppy
      ? checkJavaScript(engine, source, (one) => this.names.has(one))
      : { found: engine.check(source), source, implied: [] };
    const { implied } = checked;
    const found = checked.found.map((one) => ({
      ...one,
      message: withWhereabouts(
        withCellNumbers(one.message, (name) => this.declaredIn.get(name)),
        (name) => this.stoppedIn.get(name),
      ),
    }));
    const isStopped =
      found.some(({ syntax }) => syntax) || (found.length > 0 && stops(o.policy) && !o.hasRun);
    // What a cell declares is known from the moment it starts, as variables also survive an error at run time.
    if (!isStopped) this.uncommitted = checked.source;
    return { found, implied };
  }

  private loaded(): TypeEngine {
    if (!this.engine) {
      this.engine = this.o.createEngine(this.cwd);
      this.engine.setStrict(this.treatment.policy === "strict");
    }
    return this.engine;
  }

  private setPolicy(policy: TypePolicy): void {
    this.treatment.policy = policy;
    this.engine?.setStrict(policy === "strict");
  }
}
