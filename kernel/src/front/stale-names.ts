import type { CellNames } from "../types/messages.js";

interface Definition {
  /** The names that the cell uses which declared this one last. */
  readonly uses: readonly string[];
  /** That cell has failed, so the name may still have the value that an earlier cell gave it. */
  readonly failed: boolean;
}

/**
 * The names of a notebook whose last declaration has failed: what they hold is not what their cell says. A session keeps earlier
 * values on purpose, but a grader must not take one for the answer.
 */
export class StaleNames {
  private readonly definitions = new Map<string, Definition>();

  /** A cell has ended. */
  ended({ declares, uses }: CellNames, failed: boolean): void {
    for (const name of declares) this.definitions.set(name, { uses, failed });
  }

  /** The stale names that a cell uses, by itself or by what it calls. */
  usedBy({ declares, uses }: CellNames): string[] {
    const seen = new Set(declares);
    const stale: string[] = [];
    const visit = (names: readonly string[]): void => {
      for (const name of names) {
        const definition = this.definitions.get(name);
        if (!definition || seen.has(name)) continue;
        seen.add(name);
        if (definition.failed) stale.push(name);
        else visit(definition.uses);
      }
    };
    visit(uses);
    return stale;
  }

  /** The session was replaced: no name has a value. */
  clear(): void {
    this.definitions.clear();
  }
}
