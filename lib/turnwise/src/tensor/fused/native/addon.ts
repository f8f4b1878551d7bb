import { userCache } from "../../../base/host/userCache";
import { kernelSource } from "../binary";
import type { Operations, Pointer } from "../kernels";
import { fs, path } from "../threads/node";
import { packagedAddon } from "./packaged";
import { wantedLevel, type Level } from "./processor";

/** An addon that the C sources in `lib/turnwise/native` give on this machine. */
export interface WantedAddon {
  /** Path of the compiled file on this machine. */
  readonly file: string;
  readonly level: Level;
  /** Whether products are rounded once with their sum, as the WebAssembly does that runs beside it. */
  readonly fused: boolean;
}

/** Objects bound to a memory. */
export interface Bound extends Operations {
  adam(...args: number[]): void;
  squares(...args: number[]): void;
  /** Rounds values to 32 bits and writes them to an address. */
  put(values: Float64Array, at: Pointer): void;
  /** Fills values with 32-bit floats from an address on. */
  get(at: Pointer, values: Float64Array): void;
  /**
   * Plays the parts of a task from a `Tape`: part i is what lies between the places i and i + 1. Returns how many of them
   * helpers did.
   */
  play(calls: Float64Array, places: Float64Array, parts: number, helpers: number): number;
  /** Tells how large the memory is now. */
  grew(memory: Uint8Array): void;
}

/** The functions of a loaded addon. */
export interface Addon {
  /** All operations, on a memory of WebAssembly. */
  bind(memory: Uint8Array): Bound;
  /** A step of Adam on arrays of any place, as far as the gradient goes. */
  adamOn(
    x: Float64Array,
    gradient: Float64Array,
    mean: Float64Array,
    square: Float64Array,
    ...step: number[]
  ): void;
  /** The sum of the squares, with the bits of a loop from the first to the last. */
  squaresOf(values: Float64Array): number;
  /** Writes the slopes and the sums of a surrogate; see `lib/turnwise/native/tabular.h`. */
  surrogateOn(
    logProb: Float64Array,
    old: Float64Array,
    advantage: Float64Array,
    weight: Float64Array,
    active: Uint8Array,
    entropy: Float64Array,
    slope: Float64Array,
    powers: Float64Array,
    sums: Float64Array,
    low: number,
    high: number,
  ): void;
  /** Adds the derivative of a table's logits; likewise. */
  tableGradientOn(
    logProb: Float64Array,
    rows: Int32Array,
    cells: Int32Array,
    begins: Int32Array,
    tokens: Int32Array,
    dLogProb: Float64Array,
    into: Float64Array,
    touched: Int32Array,
    powers: Float64Array,
    size: number,
    stride: number,
  ): void;
}

/** The addon for this machine; undefined where there is none to compile. */
export function wantedAddon(fused: boolean): WantedAddon | undefined {
  if (!fs || !path) return undefined;
  const level = wantedLevel();
  // Such a processor cannot round once, and WebAssembly does not either.
  if (!level || (level === "x86-64" && fused)) return undefined;
  const name = [kernelSource, process.platform, level, fused ? "once" : "twice"].join("-");
  return { file: path.join(folderWith(`${name}.node`), `${name}.node`), level, fused };
}

/** The folder that holds a compiled file, or the one to compile it into: beside the sources or, where those cannot be written to, in the user's cache. */
function folderWith(file: string): string {
  const sources = path!.join(__dirname, "..", "..", "..", "..", "native");
  const beside = path!.join(sources, "built");
  // Apart by sources, as other versions of the package keep theirs here, too.
  const cached = path!.join(userCache()!, "native", kernelSource);
  if (fs!.existsSync(path!.join(beside, file))) return beside;
  return (isWritable(beside) ?? isWritable(sources)) ? beside : cached;
}

/** Whether files can be written to a folder; undefined if there is nothing of that name. */
function isWritable(folder: string): boolean | undefined {
  const there = fs!.statSync(folder, { throwIfNoEntry: false });
  if (there === undefined) return undefined;
  try {
    fs!.accessSync(folder, fs!.constants.W_OK);
    return there.isDirectory();
  } catch {
    return false;
  }
}

/** Loads an addon, or says in one sentence why not. */
export function loadAddon(file: string): Addon | string {
  try {
    const target = { exports: {} };
    process.dlopen(target, file);
    return target.exports as Addon;
  } catch (error) {
    return `it cannot be loaded: ${(error as Error).message}`;
  }
}

/** Why there is no compiled addon, as far as a package or the attempt to compile it has told. */
export function whyMissing(wanted: WantedAddon): string {
  const stale = packagedAddon(wanted.file)?.stale;
  return [...(stale === undefined ? [] : [stale]), notCompiled(wanted)].join(", and ");
}

function notCompiled(wanted: WantedAddon): string {
  try {
    return fs!.readFileSync(`${wanted.file}.txt`, "utf8").trim();
  } catch {
    const isPacked = /[\\/]node_modules[\\/]/.test(__dirname);
    const compiled = isPacked ? "turnwise native compiles them" : "npm start and npm test do so";
    return `they have not been compiled: ${compiled} where there is a C compiler`;
  }
}
