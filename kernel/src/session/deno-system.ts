/** Options of writing a file. */
export interface DenoWriteOptions {
  append?: boolean;
  /** Make the file if it is not there (the default). */
  create?: boolean;
  createNew?: boolean;
  mode?: number;
}

/** Facts about a file. */
export interface DenoFileInfo {
  isFile: boolean;
  isDirectory: boolean;
  isSymlink: boolean;
  size: number;
  mtime: Date | null;
  atime: Date | null;
  birthtime: Date | null;
  mode: number | null;
}

/** Entry of a folder. */
export interface DenoDirEntry {
  name: string;
  isFile: boolean;
  isDirectory: boolean;
  isSymlink: boolean;
}

/** End of a command. */
export interface DenoCommandStatus {
  code: number;
  success: boolean;
  signal: string | null;
}

/** Output of a command, and its end. */
export interface DenoCommandOutput extends DenoCommandStatus {
  stdout: Uint8Array;
  stderr: Uint8Array;
}

/** Options of a command. */
export interface DenoCommandOptions {
  args?: string[];
  cwd?: string | URL;
  env?: Record<string, string>;
  clearEnv?: boolean;
  stdin?: "piped" | "inherit" | "null";
  stdout?: "piped" | "inherit" | "null";
  stderr?: "piped" | "inherit" | "null";
}

/** A command that runs. */
export interface DenoChildProcess {
  readonly pid: number;
  /** Streams of what is piped; to ask for another is an error. */
  readonly stdin: WritableStream<Uint8Array>;
  readonly stdout: ReadableStream<Uint8Array>;
  readonly stderr: ReadableStream<Uint8Array>;
  readonly status: Promise<DenoCommandStatus>;
  output(): Promise<DenoCommandOutput>;
  kill(signal?: NodeJS.Signals): void;
  ref(): void;
  unref(): void;
}

type Path = string | URL;

/** The members of `Deno` that ask the system. */
export interface DenoSystem {
  readTextFile(path: Path): Promise<string>;
  readTextFileSync(path: Path): string;
  readFile(path: Path): Promise<Uint8Array>;
  readFileSync(path: Path): Uint8Array;
  writeTextFile(path: Path, text: string, o?: DenoWriteOptions): Promise<void>;
  writeTextFileSync(path: Path, text: string, o?: DenoWriteOptions): void;
  writeFile(path: Path, data: Uint8Array, o?: DenoWriteOptions): Promise<void>;
  writeFileSync(path: Path, data: Uint8Array, o?: DenoWriteOptions): void;
  mkdir(path: Path, o?: { recursive?: boolean; mode?: number }): Promise<void>;
  mkdirSync(path: Path, o?: { recursive?: boolean; mode?: number }): void;
  remove(path: Path, o?: { recursive?: boolean }): Promise<void>;
  removeSync(path: Path, o?: { recursive?: boolean }): void;
  rename(from: Path, to: Path): Promise<void>;
  renameSync(from: Path, to: Path): void;
  copyFile(from: Path, to: Path): Promise<void>;
  copyFileSync(from: Path, to: Path): void;
  readDir(path: Path): AsyncIterable<DenoDirEntry>;
  readDirSync(path: Path): Iterable<DenoDirEntry>;
  stat(path: Path): Promise<DenoFileInfo>;
  statSync(path: Path): DenoFileInfo;
  lstat(path: Path): Promise<DenoFileInfo>;
  lstatSync(path: Path): DenoFileInfo;
  realPath(path: Path): Promise<string>;
  realPathSync(path: Path): string;
  makeTempDir(o?: { dir?: string; prefix?: string }): Promise<string>;
  makeTempDirSync(o?: { dir?: string; prefix?: string }): string;
  makeTempFile(o?: { dir?: string; prefix?: string; suffix?: string }): Promise<string>;
  makeTempFileSync(o?: { dir?: string; prefix?: string; suffix?: string }): string;
  cwd(): string;
  chdir(path: Path): void;
  execPath(): string;
  hostname(): string;
  osRelease(): string;
  memoryUsage(): NodeJS.MemoryUsage;
  systemMemoryInfo(): { total: number; free: number; available: number };
  inspect(
    value: unknown,
    o?: { depth?: number; colors?: boolean; compact?: boolean; sorted?: boolean },
  ): string;
  consoleSize(): { columns: number; rows: number };
  readonly args: string[];
  readonly pid: number;
  readonly ppid: number;
  readonly noColor: boolean;
  readonly mainModule: string;
  readonly version: { readonly deno: string; readonly v8: string; readonly typescript: string };
  readonly build: {
    readonly os: string;
    readonly arch: string;
    readonly vendor: string;
    readonly target: string;
    readonly standalone: boolean;
  };
  readonly env: {
    get(name: string): string | undefined;
    set(name: string, value: string): void;
    has(name: string): boolean;
    delete(name: string): void;
    toObject(): Record<string, string>;
  };
  readonly permissions: {
    query(descriptor: object): Promise<{ state: "granted" }>;
    request(descriptor: object): Promise<{ state: "granted" }>;
  };
  readonly stdout: { write(data: Uint8Array): Promise<number>; writeSync(data: Uint8Array): number };
  readonly stderr: { write(data: Uint8Array): Promise<number>; writeSync(data: Uint8Array): number };
  /** Classes of errors: those of files are of them. */
  readonly errors: Record<DenoErrorName, new (message?: string) => Error>;
  readonly Command: new (
    command: string | URL,
    o?: DenoCommandOptions,
  ) => { output(): Promise<DenoCommandOutput>; outputSync(): DenoCommandOutput; spawn(): DenoChildProcess };
}

/** Names of the errors of files. */
export type DenoErrorName =
  | "NotFound"
  | "PermissionDenied"
  | "AlreadyExists"
  | "NotADirectory"
  | "IsADirectory"
  | "InvalidData"
  | "Busy"
  | "TimedOut"
  | "Interrupted"
  | "ConnectionRefused"
  | "BadResource";
