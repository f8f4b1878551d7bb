import type { CellEvaluator, Evaluation } from "turnwise-kernel/internal/session/evaluation";
import { writtenName } from "turnwise-kernel/internal/types/transform/apart-name";
import { functionStart, sloppyStart } from "turnwise-kernel/internal/types/transform/function-start";
import { syntaxErrorOf } from "./syntax-error.js";

type Cell = () => Promise<unknown>;

// Indirect, so that a cell sees global names alone.
const evaluate = eval;

/** Runs cells as asynchronous functions whose top-level names are properties of the global object. */
export class GlobalEvaluator implements CellEvaluator {
  /** Names that cells have declared. */
  readonly names = new Set<string>();
  /** Earlier meanings of names that the running cell has yet to declare. */
  private readonly hidden = new Map<string, PropertyDescriptor>();

  /** @param begin called in the moment before a cell's first line */
  constructor(private readonly begin: () => void) {}

  run(code: string, scriptName: string, o: { ended?: () => void }, done: (result: Evaluation) => void): void {
    const text = code.startsWith(sloppyStart) ? code : `${functionStart}${code}\n})`;
    let cell: Cell;
    try {
      cell = evaluate(`${text}\n//# sourceURL=${scriptName}`) as Cell;
    } catch (error) {
      return void syntaxErrorOf(text, error).then(done);
    }
    this.begin();
    void follow(cell, (result) => {
      o.ended?.();
      done(result);
    });
  }

  /** The code declares its names itself. */
  missing(): string[] {
    return [];
  }

  declare(fresh: readonly string[], vars: readonly string[]): void {
    const known = (name: string): boolean => this.names.has(name) && Object.hasOwn(globalThis, name);
    this.hidden.clear();
    for (const name of fresh) {
      if (known(name)) continue;
      const before = Object.getOwnPropertyDescriptor(globalThis, name);
      if (before) this.hidden.set(name, before);
      undeclared(name);
    }
    for (const name of vars) {
      if (isFixed(name)) continue;
      // A name that the global object has keeps what it means there.
      if (!known(name)) define(name, (globalThis as Record<string, unknown>)[writtenName(name)]);
      else if (!hasValue(name)) define(name, undefined);
    }
    for (const name of [...fresh, ...vars]) this.names.add(name);
  }

  /** Gives names of the notebook their values, which come from a module. */
  bind(values: Readonly<Record<string, unknown>>): void {
    for (const [name, value] of Object.entries(values)) {
      define(name, value);
      this.names.add(name);
    }
  }

  uncover(): void {
    for (const [name, before] of this.hidden)
      if (!hasValue(name)) Object.defineProperty(globalThis, name, before);
    this.hidden.clear();
  }

  /** A promise that is never settled holds nothing. */
  readonly abandon = (): void => undefined;

  readonly release = (): void => undefined;
}

/** Awaits, and asks for no `then`, which the cell may have replaced. */
async function follow(cell: Cell, done: (result: Evaluation) => void): Promise<void> {
  try {
    await cell();
  } catch (thrown) {
    return done({ ok: false, thrown });
  }
  done({ ok: true });
}

/** Whether a name has come to its declaration. */
export function hasValue(name: string): boolean {
  return Object.getOwnPropertyDescriptor(globalThis, name)?.get === undefined;
}

/** `undefined`, `NaN` and `Infinity` stay what they are. */
function isFixed(name: string): boolean {
  return Object.getOwnPropertyDescriptor(globalThis, name)?.configurable === false;
}

function define(name: string, value: unknown): void {
  Object.defineProperty(globalThis, name, { value, writable: true, configurable: true, enumerable: true });
}

/** The name exists and cannot be read before its declaration, which is an assignment. */
function undeclared(name: string): void {
  Object.defineProperty(globalThis, name, {
    get() {
      throw new ReferenceError(`${name} is not defined`);
    },
    set(value: unknown) {
      define(name, value);
    },
    configurable: true,
    enumerable: true,
  });
}
