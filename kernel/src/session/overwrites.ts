import type { ErrorContent } from "../protocol/message.js";
import { BuiltIns, type Harm } from "./built-ins.js";
import type { ErrorFormatter } from "./errors.js";
import { selfTest } from "./self-test.js";

/** Effect of earlier code, and the cell to which it belongs. */
interface Told {
  readonly cell: string;
  readonly error: ErrorContent;
}

/**
 * Notices where a cell has replaced a built-in function by one with which nothing works, puts it back, and says so. All of it must work
 * where something could not be put back, so it uses no method of a list.
 */
/* eslint-disable @typescript-eslint/prefer-for-of -- for-of asks a list for its iterator, which a cell may have replaced. */
export class Overwrites {
  private readonly builtIns: BuiltIns;
  /** Damage that was found and is yet to be reported. */
  private harms: Harm[] = [];
  /** Something could not be put back. */
  isBroken = false;
  private isWatching = false;
  private watchedAt = -Infinity;
  /** A cell whose code has run within the running one without a look at all that it may have replaced. */
  private unwatched: string | undefined;

  /** @param nameOf the name of a cell for its reader */
  constructor(
    errors: ErrorFormatter,
    private readonly nameOf: (cell: string) => string,
  ) {
    this.builtIns = new BuiltIns(selfTest(errors));
  }

  /** Whether printed text is not the cell's: the kernel tests what the cell has replaced. */
  get isTesting(): boolean {
    return this.builtIns.isTesting;
  }

  /** Looks at everything: where no cell runs, or one has just ended. */
  look(): void {
    const found = this.builtIns.check();
    for (let i = 0; i < found.length; i++) {
      this.harms[this.harms.length] = found[i]!;
      if (found[i]!.isStuck) this.isBroken = true;
    }
  }

  /** Sees to it that the event loop can go on, before a wait. */
  keepTurning(): void {
    this.builtIns.keepTurning();
  }

  /** Lets the session work in the middle of a cell as if nothing were replaced, until the function that it returns is called. */
  lend(o?: { all: boolean }): (() => void) | undefined {
    return this.builtIns.lend(o);
  }

  /** Another cell's code takes over from that of this one. */
  leave(cell: string, running: string | undefined): void {
    const isForeign = running !== undefined && cell !== running;
    // What is looked at when foreign code begins is looked at again when it ends.
    if (!isForeign) this.isWatching = now() - this.watchedAt >= watchedEveryMs;
    this.builtIns.leave(cell, { all: this.isWatching });
    if (this.isWatching) this.watchedAt = now();
    else if (isForeign) this.unwatched = cell;
  }

  /** V8 has ended whatever was under way. */
  abandon(): void {
    this.builtIns.abandon();
  }

  /** The error of a cell, with what its code has replaced. */
  told(error: ErrorContent | undefined, cell: string): ErrorContent | undefined {
    const { unwatched } = this;
    this.unwatched = undefined;
    const evalue = sentence(
      this.take(cell),
      unwatched === undefined
        ? "what was assigned to"
        : `what this cell, or code that ${this.nameOf(unwatched)} has left running, assigned to`,
    );
    if (evalue === "") return error;
    if (!error) return { ename, evalue, traceback: [`${ename}: ${evalue}`] };
    const { traceback } = error;
    const lines: string[] = [];
    for (let i = 0; i < traceback.length; i++) lines[i] = traceback[i]!;
    lines[lines.length] = evalue;
    return { ename: error.ename, evalue: error.evalue, traceback: lines };
  }

  /** Replacements by code of earlier cells that still ran: no error of the cell that has just ended. */
  others(last: string): Told[] {
    const all: Told[] = [];
    while (this.harms.length > 0) {
      const cell = this.harms[0]!.cell ?? last;
      const what = `what code that ${this.nameOf(cell)} has left running, such as a timer, assigned to`;
      const evalue = sentence(this.take(cell, last), what);
      all[all.length] = { cell, error: { ename, evalue, traceback: [`${ename}: ${evalue}`] } };
    }
    return all;
  }

  /** @param unseen the cell to which those belong of which nobody saw who did them */
  private take(cell: string, unseen = cell): Harm[] {
    const taken: Harm[] = [];
    const left: Harm[] = [];
    for (let i = 0; i < this.harms.length; i++) {
      const harm = this.harms[i]!;
      const list = (harm.cell ?? unseen) === cell ? taken : left;
      list[list.length] = harm;
    }
    this.harms = left;
    return taken;
  }
}

/** A look at everything takes half a millisecond: a timer that fires all the time must not be slowed down by that. */
const watchedEveryMs = 10;
const now = performance.now.bind(performance);

const ename = "OverwrittenBuiltIn";
const mostNames = 5;

/** Sentence about the replacements that were put back and those that could not be; "" without either. */
function sentence(harms: readonly Harm[], what: string): string {
  const back = listed(harms, false);
  const stuck = listed(harms, true);
  const isBack =
    back === ""
      ? ""
      : `Cannot keep ${what} ${back}: the kernel and every package rely on it. It was put back as ` +
        "it was before, and the notebook's variables are kept. To replace it for some code only, put it back in the same cell: " +
        "`const before = x.y; try { x.y = ...; } finally { x.y = before; }`";
  const isStuck =
    stuck === ""
      ? ""
      : `Cannot put back ${stuck}: ${what} it can no longer be changed. The kernel and every ` +
        "package rely on it, so anything may fail from now on, also silently. Save what you need, and restart the kernel.";
  return isBack !== "" && isStuck !== "" ? `${isStuck} ${isBack}` : isBack + isStuck;
}

function listed(harms: readonly Harm[], isStuck: boolean): string {
  const names: string[] = [];
  for (let i = 0; i < harms.length; i++) {
    const harm = harms[i]!;
    let isNew = harm.isStuck === isStuck;
    for (let k = 0; k < names.length; k++) if (names[k] === harm.name) isNew = false;
    if (isNew) names[names.length] = harm.name;
  }
  let text = "";
  for (let i = 0; i < names.length && i < mostNames; i++) text += i === 0 ? names[i]! : `, ${names[i]!}`;
  return names.length > mostNames ? `${text}, ${names.length - mostNames} more` : text;
}
