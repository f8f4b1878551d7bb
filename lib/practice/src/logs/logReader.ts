// One file because it is one class, which goes from bytes to records with one state.
import { nearest } from "turnwise/internal/base/suggest";
import { noticeDeprecated } from "turnwise/internal/schema/index";
import type { MonitorRecord } from "turnwise/internal/monitor/signals";
import { containerOf, readerOf, type ContainerName } from "./containers";
import { frameworkOf, frameworks, type NamingName } from "./frameworks";
import { guess, TELLING_NAMES } from "./guess";
import {
  bareName,
  clockOf,
  expectMetrics,
  knownNames,
  lengthsOf,
  metricsOf,
  notFiniteOf,
  partsOf,
  standing,
  stepOf,
  valuesOf,
  type OwnNames,
} from "./names";
import type { WholeContainer } from "./containers/json";
import { PlainBytes } from "./containers/plainBytes";
import { plainName } from "./plainName";
import { sourceOf } from "./sourceOf";
import { MOST_NAMES_COMPARED, unrecognized } from "./unrecognized";
import { TrainerRows } from "./trainerRows";
import { isFiniteNumber, slim, type Row, type RowReader } from "./row";
import { isUnordered, RunSplitter, type LogRecord } from "./runs";
import { StepMerger, type Step } from "./stepMerger";

/** Options of reading a log. */
export interface LogOptions {
  /** Framework that wrote the log. Default: the framework of which it has most. */
  readonly framework?: NamingName;
  /** Custom names, each with the metric of the glossary that it stands for. */
  readonly map?: OwnNames;
  /** @deprecated Use `map`. */
  readonly names?: OwnNames;
  /** Which run, where a log holds several: the name that a table has for it, or its number, from 1. Default: the last one. */
  readonly run?: string | number;
}

/** A name that is not read, and the nearest one that would be. */
export interface UnknownName {
  readonly name: string;
  readonly nearest: string | undefined;
}

const MOST_UNRECOGNIZED = 200; // Lines that may come before a framework is recognized.

/**
 * Reads a log from pieces that may end anywhere, as of a file that is being written.
 *
 * @param whole whether nothing is given out before the end, so that a framework is recognized by all lines, and steps may
 * come in any order
 */
export class LogReader {
  readonly #options: LogOptions;
  readonly #whole: boolean;
  readonly #seen = new Set<string>();
  readonly #plain = new PlainBytes();
  #first = new Uint8Array();
  #reader: RowReader | undefined;
  #held: Row[] = [];
  #merger: StepMerger | undefined;
  #splitter: RunSplitter | undefined;
  readonly #isKnown = new Map<string, boolean>();
  readonly #everNotFinite = new Set<string>();
  readonly #clocks: number[] = [];
  #begins: LogRecord["begins"];
  #trainer: TrainerRows | undefined;
  #framework: NamingName | undefined;
  #count = 0;
  #container: ContainerName | WholeContainer | undefined;
  #why = "";

  constructor({ names, map = names, ...options }: LogOptions = {}, whole = false) {
    if (names !== undefined) noticeDeprecated("names", "map");
    expectMetrics(map ?? {});
    if (options.framework !== undefined) frameworkOf(options.framework);
    this.#options = { ...options, ...(map && { map }) };
    this.#whole = whole;
  }

  /** Framework that wrote the log; undefined until it is known. */
  get framework(): NamingName | undefined {
    return this.#framework;
  }

  get container(): ContainerName | WholeContainer | undefined {
    return this.#container;
  }

  /** Why the log is read by the names of that framework. */
  get why(): string {
    return this.#why;
  }

  /** Number of zero bytes at the start of a file, which belong to no log. */
  get zeros(): number {
    return this.#plain.zeros;
  }

  /** The last line, where it was cut off and is in no record. */
  get cut(): string | undefined {
    return this.#reader?.cut;
  }

  /** The error that came after the last step of a console, and what was printed there of the configuration and the model. */
  get printed(): Pick<RowReader, "failure" | "config" | "dropout"> {
    const { failure, config, dropout } = this.#reader ?? {};
    return { failure, config, dropout };
  }

  /** Whether a log has a name. */
  has(name: string): boolean {
    return this.#seen.has(name);
  }

  /** The name in the log that success is read by; undefined where no record has it. */
  sourceOf(records: readonly MonitorRecord[]): string | undefined {
    const names = this.#framework && frameworks[this.#framework];
    return names && sourceOf(records, names, this.#seen, this.#options.map);
  }

  /** Whether the log has names for its runs, of which one was chosen, so that its records are of that run alone. */
  get named(): boolean {
    return this.#reader?.named ?? false;
  }

  /** Whether lines name no step, so that records are counted. */
  counted = false;

  /** Lines that came after their step had been given out, and are in no record. */
  get tooLate(): number {
    return this.#merger?.tooLate ?? 0;
  }

  /** Facts about the lines so far; undefined until the framework is known. */
  get lines(): Pick<TrainerRows, "passedOver" | "optimizerSteps" | "barEnd"> | undefined {
    return this.#trainer;
  }

  /** The names so far that stand for no metric, but for times, loads and validation. */
  get unknown(): readonly UnknownName[] {
    if (this.#framework === undefined) return [];
    const names = frameworks[this.#framework];
    const known = knownNames(names);
    return [...this.#seen]
      .filter(
        (name) => standing(name, names, known) === "unknown" && !Object.hasOwn(this.#options.map ?? {}, name),
      )
      .map((name, i) => ({
        name: plainName(name),
        nearest: i < MOST_NAMES_COMPARED ? nearest(bareName(name, names), known.keys()) : undefined,
      }));
  }

  /** The records that a piece of the file completes. */
  push(piece: Uint8Array): LogRecord[] {
    return this.#read(this.#plain.push(piece));
  }

  #read(piece: Uint8Array): LogRecord[] {
    if (this.#reader) return this.rows(this.#reader.push(piece));
    const first = new Uint8Array(this.#first.length + piece.length);
    first.set(this.#first);
    first.set(piece, this.#first.length);
    this.#first = first;
    return this.#begin(false);
  }

  /** The records that the end of the file completes. */
  end(): LogRecord[] {
    const short = this.#plain.end();
    const read = short.length === 0 ? [] : this.#read(short);
    const begun = this.#reader || this.#first.length === 0 ? [] : this.#begin(true);
    const last = this.#reader ? this.rows(this.#reader.end()) : [];
    if (this.#held.length > 0) this.#recognize();
    const held = this.#give(this.#held.splice(0));
    return [...read, ...begun, ...last, ...held, ...this.#records(this.#merger?.end() ?? [])];
  }

  /** The records that lines complete which were read elsewhere, of a log that is one value of JSON. */
  rows(rows: readonly Row[], container: WholeContainer = "JSON"): LogRecord[] {
    this.#container ??= container;
    if (this.#merger) return this.#give(rows);
    for (const row of rows) this.#held.push(slim(row));
    if (this.#whole || !this.#hasWholeStep()) return [];
    this.#recognize();
    return this.#give(this.#held.splice(0));
  }

  #begin(ended: boolean): LogRecord[] {
    if (ended && new TextDecoder().decode(this.#first).trim() === "") return [];
    const container = containerOf(this.#first, ended);
    if (container === undefined) return [];
    this.#container = container;
    const { run } = this.#options;
    this.#reader = readerOf(container, run === undefined ? undefined : String(run));
    if (container !== "TensorBoard events" && container !== "wandb" && this.#first.includes(0)) {
      throw new RangeError(
        "Cannot read a log: it must be text, an event file of TensorBoard or the file of an offline run of wandb, but this is binary, or UTF-16 without a byte order mark.",
      );
    }
    const first = this.#first;
    this.#first = new Uint8Array();
    return this.#read(first);
  }

  /** Whether a step is over, so that all names have been seen that lines of every step have. */
  #hasWholeStep(): boolean {
    if (this.#options.framework !== undefined || this.#options.map) return true;
    if (this.#held.length >= MOST_UNRECOGNIZED) return true;
    const best = guess(this.#held);
    if (best === undefined || best.hits < TELLING_NAMES) return false;
    const names = frameworks[best.framework];
    const steps = new Set(this.#held.map((row) => stepOf(valuesOf(row, names), names)));
    return steps.size > 1 + names.late || steps.has(undefined);
  }

  #recognize(): void {
    const { framework, map } = this.#options;
    const best = framework === undefined ? guess(this.#held) : undefined;
    if (framework === undefined && best === undefined && !map) throw unrecognized(this.#held);
    this.#framework = framework ?? best?.framework ?? "turnwise";
    this.#why = best?.why ?? (framework ? "the framework was given" : "its names are mapped by hand");
    const known = frameworks[this.#framework];
    const steps = this.#whole ? this.#held.map((row) => stepOf(valuesOf(row, known), known)) : [];
    this.#splitter = new RunSplitter(isUnordered(steps) ? Infinity : known.late);
    this.#merger = new StepMerger(this.#whole ? Infinity : known.late);
    this.#trainer = new TrainerRows(known, this.#held, (name) => this.#knows(name), {
      console: this.#container === "console" || this.#container === "notebook",
      whole: this.#whole,
    });
  }

  /** Whether a name stands for a metric. */
  #knows(name: string): boolean {
    const before = this.#isKnown.get(name);
    if (before !== undefined) return before;
    const names = frameworks[this.#framework!];
    const known = Object.hasOwn(this.#options.map ?? {}, name) || standing(name, names) === "known";
    this.#isKnown.set(name, known);
    return known;
  }

  #give(rows: readonly Row[]): LogRecord[] {
    if (!this.#merger) return [];
    const names = frameworks[this.#framework!];
    return rows.flatMap((row) => {
      const values = this.#trainer!.next(row);
      if (values === undefined) return [];
      for (const [name, value] of Object.entries(values)) if (typeof value === "number") this.#seen.add(name);
      const known = Object.fromEntries(Object.entries(values).filter(([name]) => this.#knows(name)));
      // A line of validation, or of another trainer, neither ends a step nor begins a run.
      if (Object.keys(known).length === 0) return [];
      const step = stepOf(values, names);
      const clock = step === undefined ? clockOf(values) : undefined;
      const begins = this.#splitter!.next(step, known, clock);
      const before = begins === undefined ? [] : this.#records(this.#merger!.end());
      if (begins !== undefined) this.#goBack(begins, clock);
      return [...before, ...this.#records(this.#merger!.push(step, values))];
    });
  }

  /** Begins a run, or goes on with one from an earlier step. */
  #goBack(begins: "run" | "resume", clock: number | undefined): void {
    if (this.#begins !== "run") this.#begins = begins;
    this.#merger = new StepMerger(this.#whole ? Infinity : frameworks[this.#framework!].late);
    const kept = begins === "run" ? 0 : this.#clocks.findIndex((one) => clock !== undefined && one >= clock);
    if (kept >= 0) {
      this.#clocks.length = kept;
      this.#count = kept;
    }
  }

  #records(steps: readonly Step[]): LogRecord[] {
    return steps.flatMap(({ step, values }) => {
      const metrics = metricsOf(values, frameworks[this.#framework!], this.#options.map);
      const notFinite = notFiniteOf(values, (name) => this.#knows(name));
      if (Object.keys(metrics).length === 0 && notFinite === undefined) return [];
      const finiteAgain = [...this.#everNotFinite].filter((name) => isFiniteNumber(values[name]));
      Object.keys(notFinite ?? {}).forEach((name) => this.#everNotFinite.add(name));
      this.#count += 1;
      this.#clocks[this.#count - 1] = clockOf(values) ?? -Infinity;
      if (step === undefined) this.counted = true;
      const begins = this.#begins;
      this.#begins = undefined;
      return [
        {
          update: step ?? this.#count,
          metrics,
          ...(notFinite !== undefined && { notFinite }),
          ...(finiteAgain.length > 0 && { finiteAgain }),
          ...(begins !== undefined && { begins }),
          ...partsOf(values, frameworks[this.#framework!]),
          ...lengthsOf(values, frameworks[this.#framework!]),
        },
      ];
    });
  }
}
