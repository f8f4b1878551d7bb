import { readDurations, storeDurations, type Durations } from "./durations.js";

export function span(ms: number): string {
  if (ms < 9950) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${String(seconds)} s`;
  const minutes = Math.floor(seconds / 60);
  return minutes < 10
    ? `${String(minutes)} min ${String(seconds % 60)} s`
    : `${String(Math.round(seconds / 60))} min`;
}

/** Where a run is: which file of how many, how long it has taken, and how long the rest took the last time. */
export class Position {
  private readonly known = readDurations();
  private readonly taken: Durations = {};
  private readonly unusual = new Set<string>();
  private readonly started = Date.now();
  /** The file that each lane is in, and since when. */
  private readonly current = new Map<number, { readonly file: string; readonly begun: number }>();
  private readonly entered = new Set<string>();

  constructor(
    private readonly files: readonly string[],
    private readonly lanes: number,
  ) {}

  get elapsed(): number {
    return Date.now() - this.started;
  }

  /** What each file took in this run, the slowest first. */
  get times(): readonly (readonly [file: string, ms: number])[] {
    return Object.entries(this.taken).sort(([, a], [, b]) => b - a);
  }

  /** Notes that a file begins; returns what to print beside its title, "" when it goes on or is the only one. */
  enter(file: string, lane: number): string {
    if (file === this.current.get(lane)?.file) return "";
    this.leave(lane);
    this.current.set(lane, { file, begun: Date.now() });
    const first = this.entered.size === 0;
    const ahead = this.files.filter((one) => !this.entered.has(one));
    this.entered.add(file);
    if (this.files.length < 2) return "";
    const left = this.left(ahead) / this.lanes;
    const elapsed = first ? "" : `, ${span(this.elapsed)}`;
    const number = `${String(this.entered.size)} of ${String(this.files.length)}`;
    return number + elapsed + (left ? `, about ${span(left)} left` : "");
  }

  leave(lane: number): void {
    const current = this.current.get(lane);
    if (current) this.taken[current.file] = Date.now() - current.begun;
    this.current.delete(lane);
  }

  /** The file that a lane is in. */
  fileOf(lane: number): string | undefined {
    return this.current.get(lane)?.file;
  }

  /** Milliseconds that the given files took the last time, at the pace of this run; 0 when none of them ever ran. */
  private left(files: readonly string[]): number {
    const sum = (names: readonly string[], of: Durations): number =>
      names.reduce((total, name) => total + of[name]!, 0);
    const known = files.filter((file) => file in this.known);
    if (known.length === 0) return 0;
    const both = Object.keys(this.taken).filter((file) => file in this.known);
    const before = sum(both, this.known);
    // A few fast files say nothing about the pace of a machine.
    const pace = before > 5000 ? Math.min(4, Math.max(0.25, sum(both, this.taken) / before)) : 1;
    return ((sum(known, this.known) * files.length) / known.length) * pace;
  }

  /** Says that the file of a lane does not take its usual time, as a test failed or was skipped. */
  spoil(lane: number): void {
    const file = this.fileOf(lane);
    if (file !== undefined) this.unusual.add(file);
  }

  /** Keeps the times of the files of this checkout that ran as usual, and returns them. */
  store(): Durations {
    const usual = Object.keys(this.taken).filter(
      (file) => !this.unusual.has(file) && !file.startsWith("../"),
    );
    const taken = Object.fromEntries(usual.map((file) => [file, this.taken[file]!]));
    if (usual.length > 0) storeDurations(taken);
    return taken;
  }
}
