import type { ErrorContent } from "../protocol/message.js";
import { BuiltIns } from "./built-ins.js";
import type { ErrorFormatter } from "./errors.js";
import { selfTest } from "./self-test.js";

/** Notices where a cell has replaced a built-in function by one with which nothing works, puts it back, and says so. */
export class Overwrites {
  private readonly builtIns: BuiltIns;
  /** What was put back and is yet to be told. */
  private names: readonly string[] = [];

  constructor(errors: ErrorFormatter) {
    this.builtIns = new BuiltIns(selfTest(errors));
  }

  /** @param o.quick look only at what sends a report */
  look(o: { quick?: boolean } = {}): void {
    const names = this.builtIns.check(o);
    if (names.length > 0) this.names = [...this.names, ...names];
  }

  /** The error of a cell, with what was put back. */
  told(error: ErrorContent | undefined): ErrorContent | undefined {
    const names = [...new Set(this.names)];
    this.names = [];
    if (names.length === 0) return error;
    const evalue = sentence(names);
    if (!error) return { ename: "OverwrittenBuiltIn", evalue, traceback: [`OverwrittenBuiltIn: ${evalue}`] };
    return { ...error, traceback: [...error.traceback, evalue] };
  }
}

const mostNames = 5;

function sentence(names: readonly string[]): string {
  const more = names.length - mostNames;
  const listed = [...names.slice(0, mostNames), ...(more > 0 ? [`${more} more`] : [])].join(", ");
  return (
    `Cannot keep what was assigned to ${listed} as the kernel and every package must be able to rely on it: it was put back as ` +
    "it was before, and the notebook's variables are kept. To replace it for some code only, put it back in the same cell: " +
    "`const before = x.y; try { x.y = ...; } finally { x.y = before; }`"
  );
}
