import type { JsonObject } from "../../../protocol/message.js";
import { Breakpoints } from "./breakpoints.js";
import { cellPathPrefix, cellPathSuffix, CellScripts, hashSeed } from "./cells.js";
import type { CellScript } from "../../state.js";
import { Inspection, kernelFolder } from "./inspection.js";
import type { Paused, Post, RemoteObject } from "./inspector.js";
import { UncaughtErrors } from "./uncaught.js";

/** The only thread that a debugger sees. */
const threadId = 1;
/** So far back is looked for what waits for a function that throws. */
const asyncDepth = 8;

type Answer = JsonObject | Promise<JsonObject>;

/**
 * Jupyter's debugger: requests of the Debug Adapter Protocol become commands to V8's inspector.
 *
 * It runs outside the main thread, which is halted at a breakpoint.
 *
 * Source: Jupyter messaging protocol 5.5, "Debug request"; Debug Adapter Protocol 1.x; Chrome DevTools protocol 1.3.
 */
export class DebugAdapter {
  private readonly cells = new CellScripts();
  private readonly breakpoints: Breakpoints;
  private readonly inspection: Inspection;
  private uncaught: UncaughtErrors | undefined;
  /** The error at which the program has stopped. */
  private thrown: RemoteObject | undefined;
  private stopped = false;
  /** V8 has halted where nobody asked it to; it goes on at once, and a debugger does not hear of it. */
  private passing = false;
  private started = false;
  private eventCount = 0;

  constructor(
    private readonly post: Post,
    builtIn: ReadonlySet<string>,
    private readonly o: {
      emit(event: JsonObject): void;
      /** Says whether cells of the main thread wait for their breakpoints before they start. */
      onStarted(started: boolean): void;
      /** True while the running cell is to be stopped: it must not pause any more. */
      interrupting(): boolean;
    },
  ) {
    this.breakpoints = new Breakpoints(post, this.cells);
    this.inspection = new Inspection(post, this.cells, builtIn);
  }

  /** Registers a cell that is about to run; resolves when its breakpoints are set. */
  async onCell(script: CellScript): Promise<void> {
    const path = this.cells.add(script);
    if (this.started) await this.breakpoints.setAll(script, path);
  }

  /** Resumes a program that is stopped at a breakpoint, where an interrupt could not reach it. */
  release(): void {
    if (this.stopped) void this.post("Debugger.resume").catch(() => undefined);
  }

  onScript(scriptId: string, url: string): void {
    this.inspection.onScript(scriptId, url);
  }

  onPaused(paused: Paused): void {
    this.stopped = true;
    if (this.o.interrupting()) return this.release();
    const reason = reasonOf(paused);
    const { uncaught } = this;
    if (reason !== "exception" || !uncaught) return this.stopAt(paused, reason);
    this.passing = true;
    const judged = uncaught.has(paused).catch(() => true);
    void judged.then((isUncaught) => {
      if (!this.stopped) return;
      if (!isUncaught || this.o.interrupting()) return this.release();
      this.passing = false;
      this.stopAt(paused, reason);
    });
  }

  private stopAt(paused: Paused, reason: string): void {
    this.inspection.onPaused(paused.callFrames);
    this.thrown = reason === "exception" ? paused.data : undefined;
    const text = this.thrown && { text: describe(this.thrown) };
    this.event("stopped", { reason, ...text, threadId, allThreadsStopped: true });
  }

  onResumed(): void {
    this.stopped = false;
    if (this.passing) {
      this.passing = false;
      return;
    }
    this.inspection.onResumed();
    this.event("continued", { threadId, allThreadsContinued: true });
  }

  /** The response to a request; never rejects. */
  async answer(request: JsonObject): Promise<JsonObject> {
    const command = String(request.command);
    const response = { type: "response", request_seq: request.seq ?? 0, seq: 0, command };
    const handle = Object.hasOwn(this.commands, command) ? this.commands[command] : undefined;
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
      breakpoints: this.breakpoints.list(),
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
        supportsSetVariable: true,
        supportsExceptionInfoRequest: true,
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
    setBreakpoints: (args) => this.breakpoints.replace(args),
    setExceptionBreakpoints: async ({ filters }) => {
      const asked = Array.isArray(filters) ? filters : [];
      const onlyUncaught = !asked.includes("all") && asked.includes("uncaught");
      this.uncaught = onlyUncaught ? this.inspection.uncaughtErrors() : undefined;
      await this.post("Debugger.setAsyncCallStackDepth", { maxDepth: onlyUncaught ? asyncDepth : 0 });
      const state = onlyUncaught || asked.includes("all") ? "all" : "none";
      await this.post("Debugger.setPauseOnExceptions", { state });
      return {};
    },
    exceptionInfo: () => {
      const { thrown } = this;
      if (!thrown) throw new Error("Cannot show the exception: the program must have stopped at one.");
      const breakMode = this.uncaught ? "unhandled" : "always";
      return { exceptionId: thrown.className ?? thrown.type, description: describe(thrown), breakMode };
    },
    threads: () => ({ threads: [{ id: threadId, name: "cells" }] }),
    stackTrace: () => {
      const stackFrames = this.inspection.stackFrames();
      return { stackFrames, totalFrames: stackFrames.length };
    },
    scopes: ({ frameId }) => ({ scopes: this.inspection.scopes(frameId) }),
    variables: async ({ variablesReference }) => ({
      variables: await this.inspection.members(variablesReference),
    }),
    inspectVariables: async () => ({ variables: await this.inspection.globals() }),
    richInspectVariables: async ({ variableName, frameId }) => ({
      data: await this.inspection.bundle(String(variableName), frameId),
      metadata: {},
    }),
    setVariable: ({ variablesReference, name, value }) =>
      this.inspection.assign(variablesReference, String(name), String(value)),
    evaluate: ({ expression, frameId }) => this.inspection.result(expression, frameId),
    copyToGlobals: async ({ srcVariableName, dstVariableName, srcFrameId }) => {
      const target = `globalThis[${JSON.stringify(String(dstVariableName))}]`;
      await this.inspection.evaluate(`${target} = ${String(srcVariableName)}`, srcFrameId);
      return {};
    },
    source: ({ source }) => this.inspection.source(source as JsonObject | undefined),
    modules: () => ({ modules: this.inspection.modules() }),
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
    this.breakpoints.clear();
    this.uncaught = undefined;
    this.stopped = false;
    this.event("terminated", {});
    return {};
  }

  private async resume(method: string): Promise<JsonObject> {
    if (!this.stopped) throw new Error("Cannot continue: the program must have stopped, but it is running.");
    await this.post(method);
    return { allThreadsContinued: true };
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

/** An error's first line, or the value that was thrown in its place. */
function describe(thrown: RemoteObject): string {
  return (thrown.description ?? thrown.unserializableValue ?? String(thrown.value)).split("\n")[0]!;
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
