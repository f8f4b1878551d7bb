import { glossary } from "../../base/glossary";
import { didYouMean, nearest } from "../../base/suggest";
import type { MonitorRecord } from "../signals";
import { containerOf, readerOf, type ContainerName } from "./containers";
import { frameworkOf, frameworks, type NamingName } from "./frameworks";
import { guess } from "./guess";
import { bareName, knownNames, metricsOf, standing, stepOf, valuesOf, type OwnNames } from "./names";
import type { Row, RowReader } from "./row";
import { StepMerger, type Step } from "./stepMerger";

/** How a log is read. */
export interface LogOptions {
  /** Whose metric names the log has. Default: the framework of which it has most. */
  readonly framework?: NamingName;
  /** Names of your own, each with the metric of the glossary that it stands for. */
  readonly names?: OwnNames;
  /** Which run, where a table exported from a dashboard holds several. */
  readonly run?: string;
}

/** A name that is not read, and the nearest one that would be. */
export interface UnknownName {
  readonly name: string;
  readonly nearest: string | undefined;
}

/** How many lines may come before a framework is recognised. */
const MOST_UNRECOGNISED = 200;
/** So many names of a framework are no chance. */
const TELLING_NAMES = 3;
/** How many names of a log are compared with all that are known, letter by letter. */
const MOST_NAMES_COMPARED = 1000;

/**
 * Reads a log from pieces that may end anywhere, as of a file that is being written.
 *
 * @param whole whether nothing is given out before the end, so that a framework is recognised by all lines, and steps may
 * come in any order
 */
export class LogReader {
  readonly #options: LogOptions;
  readonly #whole: boolean;
  readonly #seen = new Set<string>();
  #first = new Uint8Array();
  #reader: RowReader | undefined;
  #held: Row[] = [];
  #merger: StepMerger | undefined;
  #framework: NamingName | undefined;
  #count = 0;
  #container: ContainerName | "JSON" | undefined;
  #why = "";

  constructor(options: LogOptions = {}, whole = false) {
    for (const [name, metric] of Object.entries(options.names ?? {})) {
      if (Object.hasOwn(glossary, metric)) continue;
      throw new RangeError(
        `Cannot read a log as names must map to metrics of the glossary: "${name}" maps to "${String(metric)}"` +
          didYouMean(String(metric), Object.keys(glossary)),
      );
    }
    if (options.framework !== undefined) frameworkOf(options.framework);
    this.#options = options;
    this.#whole = whole;
  }

  /** Whose names the log has; undefined until that is known. */
  get framework(): NamingName | undefined {
    return this.#framework;
  }

  get container(): ContainerName | "JSON" | undefined {
    return this.#container;
  }

  /** Why the log is read by the names of that framework. */
  get why(): string {
    return this.#why;
  }

  /** Lines that came after their step had been given out, and are in no record. */
  get tooLate(): number {
    return this.#merger?.tooLate ?? 0;
  }

  /** The names so far that stand for no metric, but for times, loads and validation. */
  get unknown(): readonly UnknownName[] {
    if (this.#framework === undefined) return [];
    const names = frameworks[this.#framework];
    const known = knownNames(names);
    return [...this.#seen]
      .filter(
        (name) =>
          standing(name, names, known) === "unknown" && !Object.hasOwn(this.#options.names ?? {}, name),
      )
      .map((name, i) => ({
        name,
        nearest: i < MOST_NAMES_COMPARED ? nearest(bareName(name, names), known.keys()) : undefined,
      }));
  }

  /** The records that a piece of the file completes. */
  push(piece: Uint8Array): MonitorRecord[] {
    if (this.#reader) return this.rows(this.#reader.push(piece));
    const first = new Uint8Array(this.#first.length + piece.length);
    first.set(this.#first);
    first.set(piece, this.#first.length);
    this.#first = first;
    return this.#begin(false);
  }

  /** The records that the end of the file completes. */
  end(): MonitorRecord[] {
    const begun = this.#reader || this.#first.length === 0 ? [] : this.#begin(true);
    const last = this.#reader ? this.rows(this.#reader.end()) : [];
    if (this.#held.length > 0) this.#recognise();
    const held = this.#give(this.#held.splice(0));
    return [...begun, ...last, ...held, ...this.#records(this.#merger?.end() ?? [])];
  }

  /** The records that lines complete which were read elsewhere. */
  rows(rows: readonly Row[]): MonitorRecord[] {
    if (!this.#container) this.#container = "JSON";
    if (this.#merger) return this.#give(rows);
    this.#held.push(...rows);
    if (this.#whole || !this.#hasWholeStep()) return [];
    this.#recognise();
    return this.#give(this.#held.splice(0));
  }

  #begin(ended: boolean): MonitorRecord[] {
    const container = containerOf(this.#first, ended);
    if (container === undefined) return [];
    this.#container = container;
    this.#reader = readerOf(container, this.#options.run);
    const first = this.#first;
    this.#first = new Uint8Array();
    return this.push(first);
  }

  /** Whether a step is over, so that all names have been seen that lines of every step have. */
  #hasWholeStep(): boolean {
    if (this.#options.framework !== undefined || this.#options.names) return true;
    if (this.#held.length >= MOST_UNRECOGNISED) return true;
    const best = guess(this.#held);
    if (best === undefined || best.hits < TELLING_NAMES) return false;
    const names = frameworks[best.framework];
    const steps = new Set(this.#held.map((row) => stepOf(valuesOf(row, names), names)));
    return steps.size > 1 + names.late || steps.has(undefined);
  }

  #recognise(): void {
    const { framework, names } = this.#options;
    const best = framework === undefined ? guess(this.#held) : undefined;
    if (framework === undefined && best === undefined && !names) throw unrecognised(this.#held);
    this.#framework = framework ?? best?.framework ?? "turnwise";
    this.#why = best?.why ?? (framework ? "the framework was given" : "its names are mapped by hand");
    this.#merger = new StepMerger(this.#whole ? Infinity : frameworks[this.#framework].late);
  }

  #give(rows: readonly Row[]): MonitorRecord[] {
    if (!this.#merger) return [];
    const names = frameworks[this.#framework!];
    return rows.flatMap((row) => {
      const values = valuesOf(row, names);
      for (const [name, value] of Object.entries(values)) if (typeof value === "number") this.#seen.add(name);
      return this.#records(this.#merger!.push(stepOf(values, names), values));
    });
  }

  #records(steps: readonly Step[]): MonitorRecord[] {
    return steps.flatMap(({ step, values }) => {
      const metrics = metricsOf(values, frameworks[this.#framework!], this.#options.names);
      if (Object.keys(metrics).length === 0) return [];
      this.#count += 1;
      return [{ update: step ?? this.#count, metrics }];
    });
  }
}

const shortened = (name: string): string => (name.length > 100 ? `${name.slice(0, 99)}…` : name);

function unrecognised(rows: readonly Row[]): RangeError {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const known = (Object.keys(frameworks) as NamingName[]).flatMap((name) => [
    ...knownNames(frameworks[name]).keys(),
  ]);
  // One is enough, and a log may have very many names.
  let close: readonly [string, string] | undefined;
  for (const name of names.slice(0, MOST_NAMES_COMPARED)) {
    const one = nearest(name, known);
    if (one === undefined) continue;
    close = [name, one];
    break;
  }
  return new RangeError(
    `Cannot read a log as its names must be those of ${Object.keys(frameworks).join(", ")}, or be mapped by ` +
      `names: current names are ${names.slice(0, 5).map(shortened).join(", ")}${names.length > 5 ? ", ..." : ""}` +
      (close ? `; is "${close[0]}" meant to be "${close[1]}"?` : ""),
  );
}
