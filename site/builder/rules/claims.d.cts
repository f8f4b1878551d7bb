interface Cited {
  readonly title: string;
  readonly source: string;
}

/** Names of rules and their papers, the longest first. */
export function namesOf(
  citations: Readonly<Record<string, Cited>>,
): readonly (readonly [string, readonly string[]])[];
/** The rules that a text names. */
export function rulesIn(text: string, names: ReturnType<typeof namesOf>): string[];
