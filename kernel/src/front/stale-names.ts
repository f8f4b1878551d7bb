interface Definition {
  /** What the cell that has declared the name last holds, without its strings. */
  readonly text: string;
  /** That cell has failed, so the name may still have the value that an earlier cell gave it. */
  readonly failed: boolean;
}

/** A name in a string names nothing. */
const withoutStrings = (code: string): string => code.replace(/"[^"\n]*"|'[^'\n]*'/g, '""');

const wordsOf = (text: string): Iterable<string> =>
  new Set(text.match(/[\p{ID_Start}$_][\p{ID_Continue}$]*/gu));

/**
 * The names of a notebook whose last declaration has failed: what they hold is not what their cell says. A session keeps earlier
 * values on purpose, but a grader must not take one for the answer.
 */
export class StaleNames {
  private readonly definitions = new Map<string, Definition>();

  /** A cell that declares names has ended. */
  ended(code: string, declares: readonly string[], failed: boolean): void {
    const text = withoutStrings(code);
    for (const name of declares) this.definitions.set(name, { text, failed });
  }

  /** The stale names that a cell uses, by itself or by what it calls. */
  usedBy(code: string, declares: readonly string[]): string[] {
    const seen = new Set(declares);
    const stale: string[] = [];
    const visit = (text: string): void => {
      for (const name of wordsOf(text)) {
        const definition = this.definitions.get(name);
        if (!definition || seen.has(name)) continue;
        seen.add(name);
        if (definition.failed) stale.push(name);
        else visit(definition.text);
      }
    };
    visit(withoutStrings(code));
    return stale;
  }

  /** The session was replaced: no name has a value. */
  clear(): void {
    this.definitions.clear();
  }
}
