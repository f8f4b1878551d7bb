/** Metadata of a file or folder. */
export interface FileStats {
  readonly size: number;
  /** Type and permissions, owner and group; a page has none. */
  readonly mode?: number;
  readonly uid?: number;
  readonly gid?: number;
  /** Time of the last change, in milliseconds; a page has none. */
  readonly mtimeMs?: number;
  isFile(): boolean;
  isDirectory(): boolean;
}

/** "w" writes again, "a" appends, "wx" refuses what is there. */
interface WriteOptions {
  readonly flag?: "w" | "a" | "wx";
}

/** The part of Node's `fs` that this library uses; in a browser, a `FileStore` answers. Errors have Node's codes. */
export interface Files {
  /** Set where a write is whole or not at all by itself, as in a page: then no file aside is needed. */
  readonly writesWhole?: boolean;
  existsSync(path: string): boolean;
  readFileSync(file: string): Uint8Array;
  readFileSync(file: string, encoding: "utf8"): string;
  writeFileSync(file: string, content: string | Uint8Array, o?: WriteOptions): void;
  readdirSync(folder: string): string[];
  statSync(path: string, o: { readonly throwIfNoEntry: false }): FileStats | undefined;
  mkdirSync(folder: string, o: { readonly recursive: true }): unknown;
  renameSync(from: string, to: string): void;
  rmSync(file: string, o?: { readonly force?: boolean; readonly recursive?: boolean }): void;
  /** Opens a file: "r" to read, "a+" to append, "r+" to write what is there, "wx" to make a new one. */
  openSync(file: string, flags: "a+" | "r" | "r+" | "wx", mode?: number): number;
  /** Reads into `bytes` from `at` on, at most `length`, from a place in the file; returns how many there were. */
  readSync(fd: number, bytes: Uint8Array, at: number, length: number, place: number): number;
  writeSync(fd: number, bytes: Uint8Array, from: number): number;
  ftruncateSync(fd: number, length: number): void;
  /** Returns when what was written is on the disk. */
  fsyncSync(fd: number): void;
  fchmodSync(fd: number, mode: number): void;
  fchownSync(fd: number, uid: number, gid: number): void;
  /** @throws {Error} with code EINVAL if the file is no symbolic link */
  readlinkSync(file: string): string;
  realpathSync(path: string): string;
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
