const sessionSymbol = Symbol.for("turnwise.session");

/** What a notebook's kernel offers to a library that does not import it. */
interface Session {
  display(value: unknown, o: object): unknown;
  /** Calls a function when the running cell is interrupted, until what it returns is called. */
  onInterrupt?(run: () => void): () => void;
}

/** The kernel session in which this runs, if there is one. */
export function session(): Session | undefined {
  return (globalThis as { [sessionSymbol]?: Session })[sessionSymbol];
}
