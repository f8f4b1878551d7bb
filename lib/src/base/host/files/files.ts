/** What is known of a file or folder. */
export interface FileStats {
  readonly size: number;
  isFile(): boolean;
  isDirectory(): boolean;
}

/** "w" writes anew, "a" appends, "wx" refuses what is there. */
interface WriteOptions {
  readonly flag?: "w" | "a" | "wx";
}

/** The part of Node's `fs` that this library uses; in a browser, a `FileStore` answers. Errors have Node's codes. */
export interface Files {
  existsSync(path: string): boolean;
  readFileSync(file: string): Uint8Array;
  readFileSync(file: string, encoding: "utf8"): string;
  writeFileSync(file: string, content: string | Uint8Array, o?: WriteOptions): void;
  readdirSync(folder: string): string[];
  statSync(path: string, o: { readonly throwIfNoEntry: false }): FileStats | undefined;
  mkdirSync(folder: string, o: { readonly recursive: true }): unknown;
  renameSync(from: string, to: string): void;
  rmSync(file: string, o?: { readonly force?: boolean }): void;
  /** Opens a file for reading, and with "a+" for appending. */
  openSync(file: string, flags: "a+" | "r"): number;
  /** Reads into `bytes` from `at` on, at most `length`, from a place in the file; returns how many there were. */
  readSync(fd: number, bytes: Uint8Array, at: number, length: number, place: number): number;
  writeSync(fd: number, bytes: Uint8Array, from: number): number;
  ftruncateSync(fd: number, length: number): void;
  closeSync(fd: number): void;
  readonly promises: {
    readFile(file: string): Promise<Uint8Array>;
    readFile(file: string, encoding: "utf8"): Promise<string>;
    writeFile(file: string, content: string | Uint8Array): Promise<void>;
    appendFile(file: string, content: string | Uint8Array): Promise<void>;
    mkdir(folder: string, o: { readonly recursive: true }): Promise<unknown>;
    rename(from: string, to: string): Promise<void>;
    rm(file: string, o?: { readonly force?: boolean }): Promise<void>;
    stat(path: string): Promise<FileStats>;
  };
}
