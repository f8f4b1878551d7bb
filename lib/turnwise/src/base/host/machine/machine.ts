/** Facts about the process and the machine on which it runs. */
export interface Machine {
  /** The number of this process; in a browser, one of this page's worker. */
  readonly pid: number;
  /** When this process began, as far as its clock tells. */
  startedAt(): Date;
  hostName(): string;
  /** Whether a process of this machine runs. */
  isAlive(pid: number): boolean;
  /** The folder from which paths are resolved. */
  cwd(): string;
  /** The folder that holds the library's repository, where there is one. */
  readonly root: string;
  /** The command that runs turnwise, as it was installed. */
  readonly program: string;
  /** Number of threads that can run at once; 0 if no worker can be started. */
  cores(): number;
  /** Names a text by its content. */
  digest(text: string): string;
  /** The text of bytes that a package holds compressed by Brotli; undefined where packages come as their host unpacked them. */
  readonly unpacked?: (bytes: Uint8Array) => string;
  /** Makes a folder that only this user can read, among the temporary files; undefined where files are written whole. */
  readonly temporaryFolder?: () => string;
  /** Tells whoever wrote the program that a way of writing it is old. */
  deprecated(text: string): void;
  /** Stream for progress messages. */
  readonly errors: { readonly isTTY?: boolean; write(text: string): unknown };
}
