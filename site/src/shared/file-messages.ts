/** A file by its path from the root of the contents, with "/" before it; without bytes it is gone. */
export type FileChange = readonly [path: string, bytes: Uint8Array | undefined];

/** What a worker of cells tells its page of files. */
export interface FilesWritten {
  readonly serial: number;
  readonly changes: readonly FileChange[];
}

/** What a page tells a worker of cells. */
export type FilesHeard =
  /** All files that the reader has, once, before anything else. */
  | { readonly all: readonly FileChange[] }
  | { readonly changes: readonly FileChange[] }
  /** What was written is kept, or why it is not. */
  | { readonly kept: number; readonly error?: string };
