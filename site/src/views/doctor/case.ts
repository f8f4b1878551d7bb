import type { GivenFile } from "./messages";

/** The files that the reader has given, and how to read them. */
export interface Case {
  readonly files: readonly GivenFile[];
  readonly compare: boolean;
  readonly optimum: number | undefined;
  /** Pairs of a name of the log and a metric. */
  readonly map: readonly string[];
}

export const none: Case = { files: [], compare: false, optimum: undefined, map: [] };

/** The names at the top: those that the command would be given. */
export const topsOf = (files: readonly GivenFile[]): string[] => [
  ...new Set(files.map(({ path }) => path.split("/")[0]!)),
];

/** Whether these are two files, which may be of one run or of two. */
export const canCompare = (files: readonly GivenFile[]): boolean =>
  topsOf(files).length === 2 && files.every(({ path }) => !path.includes("/"));
