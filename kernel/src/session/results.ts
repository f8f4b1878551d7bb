import { limits } from "../display/settings.js";

const latest = ["_", "__", "___"] as const;

/** Inputs and results of earlier cells: `In[n]`, `Out[n]`, and `_`, `__`, `___` for the last three values. */
export class Results {
  private readonly sources: Record<number, string> = {};
  private readonly values: Record<number, unknown> = {};
  /** Names to which the notebook has given another meaning: it keeps them. */
  private readonly taken = new Set<string>();
  private readonly last: unknown[] = [undefined, undefined, undefined];

  constructor() {
    for (const [name, value] of Object.entries({ In: this.sources, Out: this.values })) define(name, value);
    for (const name of latest) define(name, undefined);
  }

  source(n: number, source: string): void {
    this.sources[n] = source;
    forgetFirst(this.sources);
  }

  value(n: number, value: unknown): void {
    this.values[n] = value;
    forgetFirst(this.values);
    const names = globalThis as unknown as Record<string, unknown>;
    const before = [...this.last];
    this.last.unshift(value);
    this.last.length = latest.length;
    for (const [i, name] of latest.entries()) {
      if (names[name] !== before[i]) this.taken.add(name);
      if (!this.taken.has(name)) names[name] = this.last[i];
    }
  }
}

function define(name: string, value: unknown): void {
  Object.defineProperty(globalThis, name, { value, writable: true, configurable: true, enumerable: false });
}

/** Numbers are in order in an object: the first ones are the oldest. */
function forgetFirst(kept: Record<number, unknown>): void {
  const most = limits.get("results");
  const numbers = Object.keys(kept);
  for (const old of numbers.slice(0, Math.max(0, numbers.length - most))) Reflect.deleteProperty(kept, old);
}
