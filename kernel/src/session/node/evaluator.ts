import { Session } from "node:inspector";
import type { CellEvaluator, Evaluation } from "../evaluation.js";
import { writtenName } from "../../types/transform/apart-name.js";
import { HeldPromises } from "./held-promises.js";

interface EvaluateResponse {
  result: { objectId?: string };
  exceptionDetails?: {
    text: string;
    lineNumber: number;
    columnNumber: number;
    scriptId?: string;
    exception?: { objectId?: string; description?: string; className?: string };
  };
}

const group = "cell";

/** Place where scripts run: the thread's own realm, or a context created within it. */
export interface Realm {
  contextId: number;
  global: Pick<typeof globalThis, "SyntaxError">;
}

// V8 counts contexts from 1.
const ownRealm: Realm = { contextId: 1, global: globalThis };

/**
 * Runs scripts in V8's REPL mode, through an inspector session of the same thread: top-level variables are live
 * bindings that later scripts see and may redeclare, and `await` works at top level.
 */
export class Evaluator implements CellEvaluator {
  /** The inspector of this very thread. */
  readonly inspector = new Session();
  private readonly waitedFor = new HeldPromises();

  constructor(private readonly realm: Realm = ownRealm) {
    this.inspector.connect();
  }

  /**
   * Runs a script and calls `done` with its outcome; never, if V8 terminates the script.
   * It takes a callback instead of returning a promise, as a termination drops every pending promise job.
   */
  run(
    code: string,
    scriptName: string,
    o: { pausable?: boolean; ended?: () => void },
    done: (result: Evaluation) => void,
  ): void {
    // What a script gives is kept elsewhere: as its last value, a long text would be copied into the inspector's answer.
    const expression = `${code}\n;0\n//# sourceURL=${scriptName}`;
    const { contextId } = this.realm;
    // If silent, V8 would not pause at exceptions for a debugger.
    const asked = { expression, contextId, replMode: true, objectGroup: group, silent: !o.pausable } as never;
    this.waitedFor.during((release) =>
      this.inspector.post("Runtime.evaluate", asked, (error: Error | null, response?: unknown) => {
        if (error) return;
        o.ended?.();
        release();
        done(this.read(response as EvaluateResponse));
      }),
    );
  }

  /** V8 has ended a script: it will not answer, and nobody waits for that any more. */
  abandon(): void {
    this.inspector.disconnect();
    this.inspector.connect();
    this.waitedFor.clear();
  }

  /**
   * Those names of a script's `var` that it has to declare itself. The others the notebook has already: they keep their value,
   * as in any script.
   */
  missing(names: readonly string[]): string[] {
    if (names.length === 0) return [];
    const known = new Set(this.declaredNames());
    return names.filter((name) => !known.has(name) || !this.isInitialized(name));
  }

  /** V8 knows every name of a script from its first line on: one that the script does not come to hides the global of that name. */
  uncover(): void {
    const { global, contextId } = this.realm;
    const hidden = this.declaredNames().filter(
      (name) => Object.hasOwn(global, writtenName(name)) && !this.isInitialized(name),
    );
    if (hidden.length === 0) return;
    const all = hidden.map((name) => `${name}=globalThis.${writtenName(name)}`).join(",");
    const asked = { expression: `let ${all};0`, contextId, replMode: true, silent: true } as never;
    this.inspector.post("Runtime.evaluate", asked);
  }

  /** V8 declares the names of its scripts by itself. */
  declare(): void {
    throw new Error(
      "Cannot declare names for a script: it must have the global form, since V8's REPL mode needs none.",
    );
  }

  private declaredNames(): string[] {
    let names: string[] = [];
    const asked = { executionContextId: this.realm.contextId };
    this.inspector.post("Runtime.globalLexicalScopeNames", asked, (_error, response?: unknown) => {
      names = (response as { names: string[] }).names;
    });
    return names;
  }

  /** Whether a name can be used: if an earlier cell failed before its declaration, the name exists but cannot. */
  private isInitialized(name: string): boolean {
    let failed = false;
    const { contextId } = this.realm;
    const asked = { expression: `${name};0`, contextId, silent: true };
    this.inspector.post("Runtime.evaluate", asked, (error, response) => {
      failed = error !== null || (response as EvaluateResponse).exceptionDetails !== undefined;
    });
    return !failed;
  }

  /** Releases what V8's inspector holds of the last script. */
  release(): void {
    this.inspector.post("Runtime.releaseObjectGroup", { objectGroup: group });
  }

  private read(response: EvaluateResponse): Evaluation {
    const details = response.exceptionDetails;
    if (!details) return { ok: true };
    const { exception } = details;
    const thrown = this.fetchValue(exception as never);
    // A script that does not compile throws without running, so its error has no frame of a cell or a file.
    if (
      exception?.className === "SyntaxError" &&
      thrown instanceof this.realm.global.SyntaxError &&
      details.scriptId !== undefined &&
      !/\n\s+at (?!.*\bnode:)/.test(thrown.stack ?? "")
    ) {
      return {
        ok: false,
        syntaxError: thrown.message,
        line: details.lineNumber,
        column: details.columnNumber,
      };
    }
    return { ok: false, thrown };
  }

  /** The value itself behind V8's description of it. */
  private fetchValue(remote: { objectId?: string; value?: unknown; unserializableValue?: string }): unknown {
    const slot: { value?: unknown } = {};
    const key = Symbol.for("turnwise.fetch");
    Object.defineProperty(this.realm.global, key, { value: slot, configurable: true });
    this.inspector.post("Runtime.callFunctionOn", {
      functionDeclaration: 'function (value) { this[Symbol.for("turnwise.fetch")].value = value; }',
      executionContextId: this.realm.contextId,
      arguments: [
        remote.objectId !== undefined
          ? { objectId: remote.objectId }
          : remote.unserializableValue !== undefined
            ? { unserializableValue: remote.unserializableValue }
            : { value: remote.value },
      ],
    } as never);
    Reflect.deleteProperty(this.realm.global, key);
    return slot.value;
  }
}
