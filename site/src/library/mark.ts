/**
 * Function that the loops call: one object for all scripts of a thread, since looking a name up among the globals costs
 * more than the call.
 */
interface Marks {
  run: () => void;
}

const host = globalThis as Record<symbol, Marks | undefined>;
const marks = (host[Symbol.for("turnwise.marks")] ??= { run: () => undefined });

/** Called by the loops of the library in a page, where nothing can stop them from outside. @public */
export function mark(): void {
  marks.run();
}

/** Has the library's loops call a function, which may throw to stop them. */
export function onMark(run: () => void): void {
  marks.run = run;
}
