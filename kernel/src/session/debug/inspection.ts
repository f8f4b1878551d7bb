import { resolve, sep } from "node:path";
import type { JsonObject } from "../../protocol/message.js";
import type { CellScripts } from "./cells.js";
import { bundleSymbol, type CallFrame, type Post, type RemoteObject } from "./inspector.js";
import { Values, type Variable } from "./values.js";

/** The kernel's own code, which is hidden from debuggers. */
export const kernelFolder = resolve(__dirname, "..", "..") + sep;

/** What a debugger can look at: the stack of a halted program, its scopes and values, and the variables of cells. */
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
    return this.frame(frameId)
      .scopeChain.filter(({ type }) => type !== "global")
      .map(({ type, name, object }) => ({
        name: titles[type] ?? (name ? `Closure (${name})` : type === "closure" ? "Closure" : "Block"),
        variablesReference: this.values.reference(object),
        expensive: false,
      }));
  }

  /** The variables of the cells: lexical ones, and those that functions and `var` put on the global object. */
  async globals(): Promise<Variable[]> {
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

  async evaluate(expression: string, frameId: unknown): Promise<RemoteObject> {
    const frame =
      this.frames.length > 0 && frameId !== undefined && frameId !== null ? this.frame(frameId) : undefined;
    const { result, exceptionDetails } = (await (frame
      ? this.post("Debugger.evaluateOnCallFrame", {
          callFrameId: frame.callFrameId,
          expression,
          silent: true,
        })
      : this.post("Runtime.evaluate", { expression, replMode: true, silent: true }))) as {
      result: RemoteObject;
      exceptionDetails?: { exception?: RemoteObject; text: string };
    };
    if (exceptionDetails) {
      throw new Error(exceptionDetails.exception?.description?.split("\n")[0] ?? exceptionDetails.text);
    }
    return result;
  }

  async bundle(name: string, frameId: unknown): Promise<JsonObject> {
    const value = await this.evaluate(name, frameId);
    const { result } = (await this.post("Runtime.callFunctionOn", {
      functionDeclaration: `function (value) { return globalThis[Symbol.for("${bundleSymbol}")](value); }`,
      ...(value.objectId === undefined ? { executionContextId: 1 } : { objectId: value.objectId }),
      arguments: [
        value.objectId !== undefined
          ? { objectId: value.objectId }
          : value.unserializableValue !== undefined
            ? { unserializableValue: value.unserializableValue }
            : { value: value.value },
      ],
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
      throw new RangeError(
        `Cannot show the source as its path must be that of a loaded script: current value is ${path}`,
      );
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
      throw new RangeError(
        `Cannot inspect the frame as its id must be one of the stack: current value is ${String(id)}`,
      );
    return frame;
  }
}

function isOwn(url: string): boolean {
  return url.startsWith("node:") || url.includes(kernelFolder);
}
