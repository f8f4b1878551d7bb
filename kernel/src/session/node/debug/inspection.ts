import { resolve, sep } from "node:path";
import type { JsonObject } from "../../../protocol/message.js";
import type { CellScripts } from "./cells.js";
import { eraseTypes } from "./erase.js";
import { argumentOf, bundleSymbol, type CallFrame, type Post, type RemoteObject } from "./inspector.js";
import { UncaughtErrors } from "./uncaught.js";
import { errorOf, valueGroup, Values, type Thrown, type Variable } from "./values.js";

/** The kernel's own code, which is hidden from debuggers. */
export const kernelFolder = resolve(__dirname, "..", "..", "..") + sep;

/** Parts that a debugger can inspect: the stack of a halted program, its scopes and values, and the variables of cells. */
export class Inspection {
  private readonly values: Values;
  private readonly urls = new Map<string, string>();
  private frames: CallFrame[] = [];

  constructor(
    private readonly post: Post,
    private readonly cells: CellScripts,
    /** Names of the global object that were there before any cell. */
    private readonly builtIn: ReadonlySet<string>,
  ) {
    this.values = new Values(post);
  }

  onScript(scriptId: string, url: string): void {
    if (url !== "") this.urls.set(scriptId, url);
  }

  /** The program has halted with this stack. */
  onPaused(callFrames: readonly CallFrame[]): void {
    // Frames of scripts compiled by hand have no URL, but the script has one.
    this.frames = callFrames
      .map((frame) => ({ ...frame, url: this.urls.get(frame.location.scriptId) ?? frame.url }))
      .filter(({ url }) => url !== "" && !isOwn(url));
  }

  /** The program goes on: frames and the numbers of values are no longer valid. */
  onResumed(): void {
    this.frames = [];
    this.values.clear();
  }

  stackFrames(): JsonObject[] {
    return this.frames.map((frame, i) => this.stackFrame(frame, i + 1));
  }

  modules(): JsonObject[] {
    return [...this.urls]
      .filter(([, url]) => url.startsWith("file:") && !isOwn(url))
      .map(([id, url]) => ({ id, name: url.split("/").at(-1), path: url }));
  }

  members(reference: unknown): Promise<Variable[]> {
    return this.values.members(Number(reference));
  }

  async result(expression: unknown, frameId: unknown): Promise<JsonObject> {
    const value = await this.evaluate(String(expression), frameId);
    const { value: result, type, variablesReference } = this.values.variable("result", value);
    return { result, type, variablesReference };
  }

  scopes(frameId: unknown): JsonObject[] {
    const titles: Record<string, string> = { local: "Locals", script: "Cells", module: "Module" };
    const { callFrameId, scopeChain } = this.frame(frameId);
    return scopeChain
      .map((scope, number) => ({ ...scope, number }))
      .filter(({ type }) => type !== "global")
      .map(({ type, name, object, number }) => ({
        name: titles[type] ?? (name ? `Closure (${name})` : type === "closure" ? "Closure" : "Block"),
        variablesReference: this.values.reference(object, { callFrameId, scopeNumber: number }),
        expensive: false,
      }));
  }

  /** The variables of the cells: lexical ones, and those that functions and `var` put on the global object. */
  async globals(): Promise<Variable[]> {
    // Where nothing halts, a list is valid until the next one.
    if (this.frames.length === 0) await this.values.release();
    const { names } = (await this.post("Runtime.globalLexicalScopeNames")) as { names: string[] };
    const own = (await this.post("Runtime.evaluate", {
      expression: "Object.getOwnPropertyNames(globalThis)",
      returnByValue: true,
    })) as { result: { value: string[] } };
    const variables: Variable[] = [];
    const all = [...names, ...own.result.value.filter((name) => !this.builtIn.has(name))];
    for (const name of new Set(all)) {
      if (!/^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(name)) continue;
      // A variable has no value if its cell threw before setting it.
      const value = await this.values.evaluate(name);
      if (value) variables.push(this.values.variable(name, value));
    }
    return variables;
  }

  /** Sets a variable of a scope, a member of a value, or with the reference 0 a variable of the notebook. */
  async assign(reference: unknown, name: string, text: string): Promise<JsonObject> {
    const holder = Number(reference ?? 0);
    const top = this.frames.length > 0 ? 1 : undefined;
    const expression = `(${text}\n)`;
    let value: RemoteObject;
    if (holder === 0) value = await this.evaluate(`${name} = ${expression}`, top);
    else {
      value = await this.evaluate(expression, top);
      await this.values.assign(holder, name, value);
    }
    const { value: shown, type, variablesReference } = this.values.variable(name, value);
    return { value: shown, type, variablesReference };
  }

  /** Tells uncaught errors from others, by the scripts that are known here. */
  uncaughtErrors(): UncaughtErrors {
    return new UncaughtErrors(this.post, {
      counts: (id) => !isOwn(this.urls.get(id) ?? "node:"),
      isCell: (id) => this.cells.has(this.urls.get(id) ?? ""),
    });
  }

  async evaluate(typed: string, frameId: unknown): Promise<RemoteObject> {
    const expression = eraseTypes(typed);
    const frame =
      this.frames.length > 0 && frameId !== undefined && frameId !== null ? this.frame(frameId) : undefined;
    const { result, exceptionDetails } = (await (frame
      ? this.post("Debugger.evaluateOnCallFrame", {
          callFrameId: frame.callFrameId,
          expression,
          silent: true,
        })
      : this.post("Runtime.evaluate", {
          expression,
          replMode: true,
          silent: true,
          objectGroup: valueGroup,
        }))) as {
      result: RemoteObject;
      exceptionDetails?: Thrown;
    };
    if (exceptionDetails) throw errorOf(exceptionDetails);
    return result;
  }

  async bundle(name: string, frameId: unknown): Promise<JsonObject> {
    const value = await this.evaluate(name, frameId);
    const { result } = (await this.post("Runtime.callFunctionOn", {
      functionDeclaration: `function (value) { return globalThis[Symbol.for("${bundleSymbol}")](value); }`,
      ...(value.objectId === undefined ? { executionContextId: 1 } : { objectId: value.objectId }),
      arguments: [argumentOf(value)],
      returnByValue: true,
      silent: true,
    })) as { result: { value?: JsonObject } };
    return result.value ?? { "text/plain": this.values.variable(name, value).value };
  }

  async source(source: JsonObject | undefined): Promise<JsonObject> {
    const path = String(source?.path);
    const cell = this.cells.sourceOf(path);
    if (cell !== undefined) return { content: cell, mimeType: "text/typescript" };
    const script = [...this.urls].find(([, url]) => url === path);
    if (!script)
      throw new RangeError(`Cannot show the source: its path must be that of a loaded script, got ${path}.`);
    const { scriptSource } = (await this.post("Debugger.getScriptSource", { scriptId: script[0] })) as {
      scriptSource: string;
    };
    return { content: scriptSource, mimeType: "text/javascript" };
  }

  private stackFrame(frame: CallFrame, id: number): JsonObject {
    const { lineNumber, columnNumber = 0 } = frame.location;
    const at = this.cells.toSource(frame.url, lineNumber, columnNumber);
    return {
      id,
      name: frame.functionName === "" ? (at ? frame.url : "(anonymous)") : frame.functionName,
      source: { path: at?.path ?? frame.url, name: frame.url.split("/").at(-1) },
      line: (at?.line ?? lineNumber) + 1,
      column: (at?.column ?? columnNumber) + 1,
    };
  }

  private frame(id: unknown): CallFrame {
    const frame = this.frames[Number(id) - 1];
    if (!frame)
      throw new RangeError(`Cannot inspect the frame: its id must be one of the stack, got ${String(id)}.`);
    return frame;
  }
}

function isOwn(url: string): boolean {
  return url.startsWith("node:") || url.includes(kernelFolder);
}
