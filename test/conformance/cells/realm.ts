// Uses internals of turnwise-kernel/session, turnwise-kernel/types.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { Session } from "node:inspector";
import { dirname, resolve } from "node:path";
import { inspect } from "node:util";
import vm from "node:vm";
import { Evaluator } from "turnwise-kernel/dist/session/node/evaluator.js";
import { stateBytes } from "turnwise-kernel/dist/session/state.js";
import { runtimeName } from "turnwise-kernel/dist/types/transform/runtime-name.js";

const load = createRequire(__filename);

/** A file that runs longer is taken for one that does not end. */
const patienceMs = 2_000;

const libraries = new Map<string, vm.Script>();

let newest = 0;
const contexts = new Session();
contexts.connect();
contexts.on("Runtime.executionContextCreated", ({ params }) => (newest = params.context.id));
contexts.post("Runtime.enable");

/** A global object of its own, with the console and the timers of Node, as a session and a file both find it. */
export class Realm {
  readonly printed: string[] = [];
  /** The last script did not compile. */
  refused = false;
  readonly global: typeof globalThis & Record<PropertyKey, unknown>;
  private readonly contextId: number;
  private evaluator: Evaluator | undefined;

  constructor() {
    this.global = vm.createContext(vm.constants.DONT_CONTEXTIFY) as typeof this.global;
    this.contextId = newest;
    const { global } = this;
    // Where an error was made is no part of what is compared.
    global.Error.stackTraceLimit = 0;
    const print = (...values: unknown[]): void => {
      this.printed.push(values.map((one) => (typeof one === "string" ? one : describe(one))).join(" "));
    };
    const console = Object.fromEntries(
      ["log", "info", "warn", "error", "debug", "trace", "dir"].map((name) => [name, print]),
    );
    const { setTimeout, setInterval, setImmediate, clearTimeout, clearInterval, clearImmediate } = globalThis;
    const timers = { setTimeout, setInterval, setImmediate, clearTimeout, clearInterval, clearImmediate };
    for (const [name, value] of Object.entries({
      console,
      print,
      ...timers,
      queueMicrotask,
      $262: host(global),
    }))
      Object.defineProperty(global, name, { value, writable: true, configurable: true, enumerable: false });
  }

  /** Runs a text that is the same for many realms. */
  library(text: string): void {
    let script = libraries.get(text);
    if (!script) libraries.set(text, (script = new vm.Script(text, { filename: "library.js" })));
    script.runInContext(this.global);
  }

  /** Runs a text as Node runs a script. */
  script(text: string, fileName: string): unknown {
    this.refused = true;
    const script = new vm.Script(text, { filename: fileName });
    this.refused = false;
    return script.runInContext(this.global, { timeout: patienceMs });
  }

  /** The evaluator of a session, for this realm. */
  cells(): Evaluator {
    if (this.evaluator) return this.evaluator;
    this.evaluator = new Evaluator({ contextId: this.contextId, global: this.global });
    Object.defineProperty(this.global, runtimeName, { value: this.runtime() });
    return this.evaluator;
  }

  /** What a name means, described; undefined if it means nothing. */
  valueOf(name: string): string | undefined {
    try {
      return describe(new vm.Script(name).runInContext(this.global));
    } catch {
      return undefined;
    }
  }

  close(): void {
    this.evaluator?.inspector.disconnect();
  }

  /** The marks of a session, made within the realm so that its promises are the realm's. */
  private runtime(): Record<string, unknown> {
    const runtime: Record<string, unknown> = { c: "cell", v: undefined };
    const loaded = new Map<string, unknown>();
    const require = (path: string): unknown => {
      if (!path.startsWith("/")) return load(path);
      const known = loaded.get(path);
      if (known !== undefined) return known;
      const module = { exports: {} };
      loaded.set(path, module.exports);
      const names = ["module", "exports", "require"];
      const wrapped = vm.compileFunction(readFileSync(path, "utf8"), names, {
        filename: path,
        parsingContext: this.global,
      });
      const inner = (name: string): unknown =>
        require(name.startsWith(".") ? resolve(dirname(path), name) : name);
      (wrapped as (...args: unknown[]) => void)(module, module.exports, inner);
      return module.exports;
    };
    const { Interrupts } = require(
      load.resolve("turnwise-kernel/dist/session/interrupt.js"),
    ) as typeof import("turnwise-kernel/dist/session/interrupt.js");
    const nothing = (): void => undefined;
    const interrupts = new Interrupts(
      new Int32Array(stateBytes / 4),
      () => runtime.c as string,
      (cell) => (runtime.c = cell),
      nothing,
      () => [],
    );
    return Object.assign(runtime, {
      t: interrupts.tick,
      w: interrupts.wait,
      it: interrupts.iterate,
      r: (_cell: string, value: unknown) => value,
    });
  }
}

/** A value in words that say more than its type, and run nothing of it. */
export function describe(value: unknown): string {
  try {
    return inspect(value, {
      depth: 2,
      showProxy: true,
      breakLength: Infinity,
      maxArrayLength: 20,
      maxStringLength: 200,
    });
  } catch {
    return typeof value;
  }
}

/** What test262 asks of a host. */
function host(global: object): Record<string, unknown> {
  return {
    global,
    gc: () => undefined,
    createRealm: () => host(vm.createContext(vm.constants.DONT_CONTEXTIFY)),
    evalScript: (text: string): unknown => new vm.Script(text).runInContext(global as vm.Context),
    detachArrayBuffer: (buffer: ArrayBuffer): void => void structuredClone(buffer, { transfer: [buffer] }),
  };
}
