interface Difference {
  readonly field: string;
  readonly values: readonly string[];
}

interface Near {
  readonly name: string;
  readonly fields: readonly string[];
}

interface Node {
  readonly place: number;
  readonly depth: number;
  readonly parent: string | undefined;
  readonly near: readonly Near[];
}

/** By rule: its place, depth and parent in the tree of closest rules, and the rules one field away. */
export function treeOf(
  names: readonly string[],
  differencesOf: (a: string, b: string) => readonly Difference[],
  first?: string,
): Readonly<Record<string, Node>>;
