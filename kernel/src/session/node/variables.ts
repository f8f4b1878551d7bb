import type { Session } from "node:inspector";
import type { Variable } from "../../magics/contract.js";
import { writtenName } from "../../types/transform/apart-name.js";

const identifier = /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u;
/** Globals that TensorFlow.js leaves behind. */
const ofLibraries = new Set(["_tfengine", "_tfGlobals"]);
const slot = Symbol.for("turnwise.variable");

/** The variables that cells have declared, with their values. */
export class Variables {
  private readonly builtIn = new Set(Object.getOwnPropertyNames(globalThis));

  constructor(private readonly inspector: Session) {}

  all(): Variable[] {
    const own = Object.getOwnPropertyNames(globalThis).filter((name) => !this.builtIn.has(name));
    const enumerable = own.filter((name) => Object.getOwnPropertyDescriptor(globalThis, name)?.enumerable);
    const names = [...new Set([...this.lexical(), ...enumerable])].filter(
      (name) => identifier.test(name) && !ofLibraries.has(name),
    );
    return names.flatMap((name) => {
      const found = this.read(name);
      return found ? [{ name: writtenName(name), value: found.value }] : [];
    });
  }

  private lexical(): string[] {
    let names: string[] = [];
    this.inspector.post("Runtime.globalLexicalScopeNames", {}, (_error, answer) => {
      names = (answer as { names?: string[] } | undefined)?.names ?? [];
    });
    return names;
  }

  /** A variable has no value if its cell threw before setting it. */
  private read(name: string): { value: unknown } | undefined {
    const holder: { value?: unknown } = {};
    Object.defineProperty(globalThis, slot, { value: holder, configurable: true });
    const expression = `globalThis[Symbol.for("turnwise.variable")].value = ${name}; undefined`;
    let threw = false;
    this.inspector.post("Runtime.evaluate", { expression, silent: true }, (error, answer) => {
      threw = error !== null || (answer as { exceptionDetails?: unknown }).exceptionDetails !== undefined;
    });
    Reflect.deleteProperty(globalThis, slot);
    return threw ? undefined : { value: holder.value };
  }
}
