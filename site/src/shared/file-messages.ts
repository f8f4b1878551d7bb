/** A file by its path from the root of the contents, with "/" before it; without bytes it is gone. */
export type FileChange = readonly [path: string, bytes: Uint8Array | undefined];

/** Messages of a worker of cells to its page about files. */
export interface FilesWritten {
  readonly serial: number;
  readonly changes: readonly FileChange[];
}

/** Messages of a page to a worker of cells. */
export type FilesHeard =
  /** All files that the reader has, once, before anything else. */
  | { readonly all: readonly FileChange[] }
  | { readonly changes: readonly FileChange[] }
  /** Result of a write: kept, or the reason for not keeping it. */
  | { readonly kept: number; readonly error?: string };
