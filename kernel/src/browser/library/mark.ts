const markSymbol = Symbol.for("turnwise.mark");
const host = globalThis as { [markSymbol]?: () => void };

/** What the loops of the library call in a page, where nothing can stop them from outside. @public */
export function mark(): void {
  host[markSymbol]?.();
}

/** Has the library's loops call a function, which may throw to stop them. */
export function onMark(run: () => void): void {
  host[markSymbol] = run;
}
