import { files } from "#files";
import { expectKnown } from "../../base/expect";
import { short } from "../../base/curve";
import { EchoTrapMonitor, fallOf, type MonitorRecord } from "../../monitor";
import { fallChance, FALL_LEVEL, FOLLOWED_FALL_LEVEL } from "../../monitor/fallChance";
import type { Watched } from "../../monitor/echoTrapMonitor";
import type { Signals } from "../../monitor/signals";
import { frameworks } from "../../monitor/logs/frameworks";
import { mayBeWhole, wholeJson } from "../../monitor/logs/containers/json";
import { LogReader, type LogOptions } from "../../monitor/logs/logReader";
import type { Row } from "../../monitor/logs/row";
import { logRules } from "../logs/logRules";
import { worthInWords } from "../logs/worth";
import { piecesOf } from "../pieces";

/** What `turnwise watch` ends with when success has fallen. */
export const COLLAPSED = 3;

const LOOK_AGAIN_MS = 200;

/** How a log is followed. */
export interface WatchLogOptions extends LogOptions {
  /** Reads what is there, and does not wait for more. Default false. */
  readonly once?: boolean;
  /** How long to wait for a next line. Default 600. */
  readonly idleSeconds?: number;
  /** The best mean reward, where the log has no success. Default 1. */
  readonly optimum?: number;
  /** Gets what is told, whole lines. */
  readonly write: (text: string) => unknown;
}

/**
 * Follows a log that is being written, a line for each step and for each alarm, until success has fallen or the log stops growing.
 *
 * @returns 3 if success has fallen, else 0
 * @throws {RangeError} if the file is not there, gets shorter, or its names are not known
 */
export async function watchLog(file: string, options: WatchLogOptions): Promise<number> {
  expectKnown("watch", options, ["framework", "names", "run", "once", "idleSeconds", "optimum", "write"]);
  const { once = false, idleSeconds = 600, optimum = 1, write, ...log } = options;
  if (!(idleSeconds > 0)) {
    throw new RangeError(`Cannot watch a log as idle must be > 0: current value is ${idleSeconds}`);
  }
  const reader = new LogReader(log);
  const teller = new Teller(reader, optimum, write);
  const rows = wholeOf(file);
  if (once)
    return teller.tellWhole(
      rows ? reader.rows(rows) : [...addedTo(file, 0)].flatMap((bytes) => reader.push(bytes)),
    );
  if (rows) {
    throw new RangeError(
      `Cannot follow a log as it must grow line by line: "${file}" is one JSON value, which is written anew; read it with --once`,
    );
  }
  let read = 0;
  let grewAt = performance.now();
  for (;;) {
    for (const bytes of addedTo(file, read)) {
      read += bytes.length;
      grewAt = performance.now();
      if (teller.tell(reader.push(bytes))) return COLLAPSED;
    }
    if (performance.now() - grewAt > 1000 * idleSeconds) break;
    await new Promise((done) => setTimeout(done, LOOK_AGAIN_MS));
  }
  return teller.tell(reader.end()) ? COLLAPSED : teller.conclude();
}

/** The rows of a file that is one JSON value, as trainer_state.json is: it does not grow, but is written anew. */
function wholeOf(file: string): Row[] | undefined {
  if (!files.existsSync(file)) return undefined;
  const [first] = piecesOf(file);
  return first && mayBeWhole(new TextDecoder().decode(first))
    ? wholeJson(files.readFileSync(file, "utf8"))
    : undefined;
}

/** What has been added to a file. */
function addedTo(file: string, from: number): Iterable<Uint8Array> {
  const size = files.statSync(file, { throwIfNoEntry: false })?.size;
  if (size === undefined) {
    throw new RangeError(`Cannot watch a log as its file must be there: current path is "${file}"`);
  }
  if (size < from) {
    throw new RangeError(
      `Cannot watch a log as its file must only grow: it had ${from} bytes and has ${size}, so another run has begun`,
    );
  }
  return size === from ? [] : piecesOf(file, from);
}

const fallen =
  "success has fallen: its mean of 10 steps is below 75 % of the best so far, which random orders of the steps seldom do\n";

/** Tells of records, and remembers whether success has fallen. */
class Teller {
  readonly #monitor: EchoTrapMonitor;
  readonly #success: (number | undefined)[] = [];
  #introduced = false;

  constructor(
    readonly reader: LogReader,
    optimum: number,
    readonly write: (text: string) => unknown,
  ) {
    this.#monitor = new EchoTrapMonitor({ rules: logRules, optimum });
  }

  /** Tells of records as they come; returns whether success has fallen. */
  tell(records: readonly MonitorRecord[]): boolean {
    return records.some((record) => {
      this.#tellStep(record, this.#monitor.observe(record));
      const fell = fallOf(this.#success) !== null && fallChance(this.#success) < FOLLOWED_FALL_LEVEL;
      if (fell) this.write(fallen);
      return fell;
    });
  }

  /** Tells of a whole log, up to where success had fallen, and gives what the command ends with. */
  tellWhole(begun: readonly MonitorRecord[]): number {
    const records = [...begun, ...this.reader.end()];
    const watched = records.map((record) => this.#monitor.observe(record));
    const success = watched.map(({ signals }) => signals.success);
    const fall = fallOf(success);
    const fell = fall !== null && fallChance(success) < FALL_LEVEL;
    const shown = fell ? fall : records.length;
    records.slice(0, shown).forEach((record, i) => this.#tellStep(record, watched[i]!));
    if (!fell) return this.conclude();
    this.write(fallen);
    return COLLAPSED;
  }

  #tellStep({ update }: MonitorRecord, { signals, alarms }: Watched): void {
    const { framework, why } = this.reader;
    if (!this.#introduced && framework !== undefined) {
      this.#introduced = true;
      this.write(`a log of ${frameworks[framework].title}: ${why}\n`);
    }
    this.write(`step ${update}  ${inWords(signals)}\n`);
    for (const { rule, value, threshold, meaning } of alarms) {
      this.write(`  ALARM ${rule} (${short(value)}, threshold ${threshold}): ${meaning}\n`);
      this.write(`        ${worthInWords({ name: rule, threshold })}\n`);
    }
    this.#success.push(signals.success);
  }

  /** Tells what else there is to say of a run that has not fallen, and gives what the command ends with. */
  conclude(): number {
    const { reader } = this;
    const { alarms, blind } = this.#monitor;
    this.write(`${this.#success.length} steps, ${alarms.length} alarms; success has not fallen\n`);
    if (blind.length > 0) this.write(`not watched for want of metrics: ${blind.join(", ")}\n`);
    const unknown = reader.unknown.map(({ name, nearest }) => (nearest ? `${name} (near ${nearest})` : name));
    if (unknown.length > 0) this.write(`names that are not read: ${unknown.join(", ")}\n`);
    if (reader.tooLate > 0) this.write(`${reader.tooLate} lines came after their step and were not read\n`);
    return 0;
  }
}

const told: readonly (readonly [keyof Signals, string])[] = [
  ["success", "success"],
  ["fracZeroStd", "silent groups"],
  ["tokenEntropy", "entropy"],
  ["gradNorm", "gradient"],
  ["kl", "KL"],
  ["clipFraction", "clipped"],
  ["mismatch", "mismatch"],
  ["staleness", "staleness"],
  ["turns", "turns"],
  ["toolFailures", "failed calls"],
];

const inWords = (signals: Signals): string =>
  told
    .flatMap(([name, word]) => (signals[name] === undefined ? [] : [`${word} ${short(signals[name])}`]))
    .join("  ");
