import { resolve, sep } from "node:path";
import type { JsonObject } from "../../protocol/message.js";
import { cellPathPrefix, cellPathSuffix, CellScripts, hashSeed, toScript, type CellScript } from "./cells.js";
import { bundleSymbol, type CallFrame, type Paused, type Post, type RemoteObject } from "./inspector.js";
import { Values, type Variable } from "./values.js";

/** The only thread there is to see. */
const threadId = 1;
const kernelFolder = resolve(__dirname, "..", "..") + sep;

type Answer = JsonObject | Promise<JsonObject>;

/** A breakpoint as front ends ask for it; lines count from 1. */
interface Wanted {
  line: number;
  condition?: string;
}

/**
 * Jupyter's debugger: requests of the Debug Adapter Protocol become commands to V8's inspector.
 *
 * It runs outside of the main thread, which stands still at a breakpoint.
 *
 * Source: Jupyter messaging protocol 5.5, "Debug request"; Debug Adapter Protocol 1.x; Chrome DevTools protocol 1.3.
 */
export class DebugAdapter {
  private readonly cells = new CellScripts();
  private readonly values: Values;
  private readonly wanted = new Map<string, Wanted[]>();
  private readonly set = new Map<string, string[]>();
  private readonly urls = new Map<string, string>();
  private frames: CallFrame[] = [];
  private stopped = false;
  private started = false;
  private eventCount = 0;

  constructor(
    private readonly post: Post,
    /** Names of the global object that were there before any cell. */
    private readonly builtIn: ReadonlySet<string>,
    private readonly o: {
      emit(event: JsonObject): void;
      /** Tells the main thread whether its cells wait for their breakpoints before they start. */
      onStarted(started: boolean): void;
      /** True while the running cell is to be stopped: it must not pause any more. */
      interrupting(): boolean;
    },
  ) {
    this.values = new Values(post);
  }

  /** Takes note of a cell that is about to run; resolves when its breakpoints are set. */
  async onCell(script: CellScript): Promise<void> {
    const path = this.cells.add(script);
    if (!this.started) return;
    for (const one of this.wanted.get(path) ?? []) await this.setIn(script, path, one);
  }

  /** Goes on if the program stands at a breakpoint: an interrupt could not reach it there. */
  release(): void {
    if (this.stopped) void this.post("Debugger.resume").catch(() => undefined);
  }

  onScript(scriptId: string, url: string): void {
    if (url !== "") this.urls.set(scriptId, url);
  }

  onPaused(paused: Paused): void {
    this.stopped = true;
    if (this.o.interrupting()) return this.release();
    // Frames come without an address where the script was compiled by hand; the script itself has one.
    this.frames = paused.callFrames
      .map((frame) => ({ ...frame, url: this.urls.get(frame.location.scriptId) ?? frame.url }))
      .filter(({ url }) => url !== "" && !isOwn(url));
    this.event("stopped", { reason: reasonOf(paused), threadId, allThreadsStopped: true });
  }

  onResumed(): void {
    this.stopped = false;
    this.frames = [];
    this.values.clear();
    this.event("continued", { threadId, allThreadsContinued: true });
  }

  /** The response to a request; never rejects. */
  async answer(request: JsonObject): Promise<JsonObject> {
    const command = String(request.command);
    const response = { type: "response", request_seq: request.seq ?? 0, seq: 0, command };
    const handle = this.commands[command];
    if (!handle)
      return { ...response, success: false, message: `The debugger does not know ${command}`, body: {} };
    try {
      const body = await handle((request.arguments ?? {}) as JsonObject);
      return { ...response, success: true, body };
    } catch (error) {
      return { ...response, success: false, message: (error as Error).message, body: {} };
    }
  }

  private readonly commands: Partial<Record<string, (args: JsonObject) => Answer>> = {
    debugInfo: () => ({
      isStarted: this.started,
      hashMethod: "Murmur2",
      hashSeed,
      tmpFilePrefix: cellPathPrefix,
      tmpFileSuffix: cellPathSuffix,
      breakpoints: [...this.wanted]
        .filter(([, breakpoints]) => breakpoints.length > 0)
        .map(([source, breakpoints]) => ({ source, breakpoints })),
      stoppedThreads: this.stopped ? [threadId] : [],
      richRendering: true,
      exceptionPaths: [],
      copyToGlobals: true,
    }),
    initialize: async () => {
      await this.start();
      return {
        supportsConfigurationDoneRequest: true,
        supportsConditionalBreakpoints: true,
        exceptionBreakpointFilters: [
          { filter: "all", label: "All exceptions", default: false },
          { filter: "uncaught", label: "Uncaught exceptions", default: false },
        ],
      };
    },
    attach: () => {
      this.event("initialized", {});
      return {};
    },
    configurationDone: () => ({}),
    disconnect: () => this.stop(),
    terminate: () => this.stop(),
    dumpCell: ({ code }) => ({ sourcePath: this.cells.pathOf(String(code)) }),
    setBreakpoints: (args) => this.setBreakpoints(args),
    setExceptionBreakpoints: async ({ filters }) => {
      const asked = Array.isArray(filters) ? filters : [];
      const state = asked.includes("all") ? "all" : asked.includes("uncaught") ? "uncaught" : "none";
      await this.post("Debugger.setPauseOnExceptions", { state });
      return {};
    },
    threads: () => ({ threads: [{ id: threadId, name: "cells" }] }),
    stackTrace: () => ({
      stackFrames: this.frames.map((frame, i) => this.stackFrame(frame, i + 1)),
      totalFrames: this.frames.length,
    }),
    scopes: ({ frameId }) => ({ scopes: this.scopes(this.frame(frameId)) }),
    variables: async ({ variablesReference }) => ({
      variables: await this.values.members(Number(variablesReference)),
    }),
    inspectVariables: async () => ({ variables: await this.globals() }),
    richInspectVariables: async ({ variableName, frameId }) => ({
      data: await this.bundle(String(variableName), frameId),
      metadata: {},
    }),
    evaluate: async ({ expression, frameId }) => {
      const { value, type, variablesReference } = this.values.variable(
        "result",
        await this.evaluate(String(expression), frameId),
      );
      return { result: value, type, variablesReference };
    },
    copyToGlobals: async ({ srcVariableName, dstVariableName, srcFrameId }) => {
      const target = `globalThis[${JSON.stringify(String(dstVariableName))}]`;
      await this.evaluate(`${target} = ${String(srcVariableName)}`, srcFrameId);
      return {};
    },
    source: ({ source }) => this.source(source as JsonObject | undefined),
    modules: () => ({
      modules: [...this.urls]
        .filter(([, url]) => url.startsWith("file:") && !isOwn(url))
        .map(([id, url]) => ({ id, name: url.split("/").at(-1), path: url })),
    }),
    continue: () => this.resume("Debugger.resume"),
    next: () => this.resume("Debugger.stepOver"),
    stepIn: () => this.resume("Debugger.stepInto"),
    stepOut: () => this.resume("Debugger.stepOut"),
    pause: async () => {
      await this.post("Debugger.pause");
      return {};
    },
  };

  private async start(): Promise<void> {
    if (this.started) return;
    await this.post("Debugger.enable");
    await this.post("Debugger.setBlackboxPatterns", {
      patterns: ["^node:", escaped(kernelFolder)],
    });
    this.started = true;
    this.o.onStarted(true);
  }

  private async stop(): Promise<JsonObject> {
    this.started = false;
    this.o.onStarted(false);
    if (this.stopped) await this.post("Debugger.resume").catch(() => undefined);
    await this.post("Debugger.disable");
    this.wanted.clear();
    this.set.clear();
    this.stopped = false;
    this.event("terminated", {});
    return {};
  }

  private async resume(method: string): Promise<JsonObject> {
    if (!this.stopped) throw new Error("Cannot go on as the program must have stopped: it runs");
    await this.post(method);
    return { allThreadsContinued: true };
  }

  private async setBreakpoints(args: JsonObject): Promise<JsonObject> {
    const path = String((args.source as JsonObject | undefined)?.path);
    const asked = (Array.isArray(args.breakpoints) ? args.breakpoints : []) as Wanted[];
    for (const id of this.set.get(path) ?? []) {
      await this.post("Debugger.removeBreakpoint", { breakpointId: id });
    }
    this.set.delete(path);
    this.wanted.set(
      path,
      asked.map(({ line, condition }) => ({ line, ...(condition !== undefined && { condition }) })),
    );
    for (const script of this.cells.scriptsOf(path)) {
      for (const one of asked) await this.setIn(script, path, one);
    }
    return {
      breakpoints: asked.map(({ line }, i) => ({ id: i + 1, verified: true, line, source: { path } })),
    };
  }

  private async setIn(script: CellScript, path: string, { line, condition }: Wanted): Promise<void> {
    const at = toScript(script.map, line - 1);
    if (!at) return;
    const { breakpointId } = (await this.post("Debugger.setBreakpointByUrl", {
      url: script.name,
      lineNumber: at.line,
      columnNumber: at.column,
      ...(condition !== undefined && { condition }),
    })) as { breakpointId: string };
    this.set.set(path, [...(this.set.get(path) ?? []), breakpointId]);
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
      throw new RangeError(`Cannot look into the frame as its id must be of the stack: ${String(id)}`);
    return frame;
  }

  private scopes(frame: CallFrame): JsonObject[] {
    const titles: Record<string, string> = { local: "Locals", script: "Cells", module: "Module" };
    return frame.scopeChain
      .filter(({ type }) => type !== "global")
      .map(({ type, name, object }) => ({
        name: titles[type] ?? (name ? `Closure (${name})` : type === "closure" ? "Closure" : "Block"),
        variablesReference: this.values.reference(object),
        expensive: false,
      }));
  }

  /** The variables of the cells: lexical ones, and those that functions and `var` put on the global object. */
  private async globals(): Promise<Variable[]> {
    const { names } = (await this.post("Runtime.globalLexicalScopeNames")) as { names: string[] };
    const own = (await this.post("Runtime.evaluate", {
      expression: "Object.getOwnPropertyNames(globalThis)",
      returnByValue: true,
    })) as { result: { value: string[] } };
    const variables: Variable[] = [];
    const all = [...names, ...own.result.value.filter((name) => !this.builtIn.has(name))];
    for (const name of new Set(all)) {
      if (!/^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(name)) continue;
      // A variable whose cell threw before it was set has no value to show.
      const value = await this.values.evaluate(name);
      if (value) variables.push(this.values.variable(name, value));
    }
    return variables;
  }

  private async evaluate(expression: string, frameId: unknown): Promise<RemoteObject> {
    const frame = this.stopped && frameId !== undefined && frameId !== null ? this.frame(frameId) : undefined;
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

  private async bundle(name: string, frameId: unknown): Promise<JsonObject> {
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

  private async source(source: JsonObject | undefined): Promise<JsonObject> {
    const path = String(source?.path);
    const cell = this.cells.sourceOf(path);
    if (cell !== undefined) return { content: cell, mimeType: "text/typescript" };
    const script = [...this.urls].find(([, url]) => url === path);
    if (!script) throw new RangeError(`Cannot show the source as its path must be a loaded one: ${path}`);
    const { scriptSource } = (await this.post("Debugger.getScriptSource", { scriptId: script[0] })) as {
      scriptSource: string;
    };
    return { content: scriptSource, mimeType: "text/javascript" };
  }

  private event(event: string, body: JsonObject): void {
    this.o.emit({ type: "event", seq: ++this.eventCount, event, body });
  }
}

function reasonOf({ reason, hitBreakpoints }: Paused): string {
  if (hitBreakpoints && hitBreakpoints.length > 0) return "breakpoint";
  if (reason === "exception" || reason === "promiseRejection") return "exception";
  return reason === "debugCommand" ? "pause" : "step";
}

function isOwn(url: string): boolean {
  return url.startsWith("node:") || url.includes(kernelFolder);
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
