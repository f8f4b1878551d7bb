const sessionSymbol = Symbol.for("turnwise.session");

/** Services that a notebook's kernel offers to a library that does not import it. */
interface Session {
  display(value: unknown, o: object): unknown;
  /** Calls a function when the running cell is interrupted, until what it returns is called. */
  onInterrupt?(run: () => void): () => void;
}

/** The kernel session in which this runs, if there is one. */
export function session(): Session | undefined {
  return (globalThis as { [sessionSymbol]?: Session })[sessionSymbol];
}

/**
 * Calls a function when the running cell is interrupted, until what this returns is called.
 *
 * Ctrl-C in a script asks for the end; a kernel has its own way, and so has a program that listens itself.
 */
export function onInterrupt(stop: () => void): () => void {
  const notebook = session();
  if (notebook?.onInterrupt) return notebook.onInterrupt(stop);
  // A browser has no process.
  const { process } = globalThis as { process?: NodeJS.Process };
  if (typeof process?.once !== "function" || process.listenerCount("SIGINT") > 0) return () => undefined;
  process.once("SIGINT", stop);
  return () => process.off("SIGINT", stop);
}
