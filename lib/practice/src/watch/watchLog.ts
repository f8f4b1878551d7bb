import { files } from "turnwise/internal/base/host/index";
import { expectKnown } from "turnwise/internal/base/expect";
import { mayBeWhole, wholeJson, type WholeJson } from "../logs/containers/json";
import { plainBytes } from "../logs/containers/plainBytes";
import { chooseRun } from "../logs/chooseRun";
import { expectRead } from "../logs/expectRead";
import { LogReader, type LogOptions } from "../logs/logReader";
import { runsInWords, runsOf, type LogRecord } from "../logs/runs";
import { expectFile } from "../report/expectFile";
import { piecesOf } from "../logs/pieces";
import { codes, worstOf, type Code } from "./codes";
import { Teller } from "./teller";

const LOOK_AGAIN_MS = 200;

/** Options of following a log. */
export interface WatchLogOptions extends LogOptions {
  /** Reads what is there, and does not wait for more. Default false. */
  readonly once?: boolean;
  /** Time to wait for the next line. Default 600. */
  readonly idleSeconds?: number;
  /** The best mean reward, where the log has no success. Default 1, as long as no reward is below 0 or above it. */
  readonly optimum?: number;
  /** Gets what is told, whole lines. */
  readonly write: (text: string) => unknown;
}

/**
 * Follows a log that is being written, a line for each step and for the first alarm of each kind, until success has fallen or the log
 * stops growing. Where steps go back, another run begins, or the run was resumed and the later values count.
 *
 * @returns 3 if success has fallen, 0 if that was checked and it has not, 4 if it cannot be told: too few steps log a reward, none
 * does at the end, a number of the trainer is NaN to the end, nothing was learned, or the output ends in an error
 * @throws {RangeError} if the file is not there, gets shorter, has no line with metrics, or its names are not known
 */
export async function watchLog(file: string, options: WatchLogOptions): Promise<Code> {
  expectKnown("watch", options, [
    "framework",
    "map",
    "names",
    "run",
    "once",
    "idleSeconds",
    "optimum",
    "write",
  ]);
  const { once = false, idleSeconds = 600, optimum, write, ...log } = options;
  if (!(idleSeconds > 0)) {
    throw new RangeError(`Cannot watch a log: idleSeconds must be > 0, got ${idleSeconds}.`);
  }
  expectFile(file, "watch");
  const reader = new LogReader(log, once);
  const teller = new Teller(reader, optimum, write);
  const whole = wholeOf(file);
  if (once) {
    const begun = whole
      ? reader.rows(whole.rows, whole.container)
      : [...addedTo(file, 0)].flatMap((bytes) => reader.push(bytes));
    return tellOnce([...begun, ...reader.end()], reader, teller, log.run, sizeOf(file));
  }
  if (whole) {
    throw new RangeError(
      `Cannot follow a log: it must grow line by line, but "${file}" is one JSON value, which is rewritten each time. Read it with --once.`,
    );
  }
  const follower = new Follower(teller, reader, log.run);
  let read = 0;
  let grewAt = performance.now();
  for (;;) {
    for (const bytes of addedTo(file, read)) {
      read += bytes.length;
      grewAt = performance.now();
      follower.tell(reader.push(bytes));
    }
    // What is there already counts, too: the run may have been resumed since it fell, or another have begun.
    if (follower.isOver) return follower.end();
    if (performance.now() - grewAt > 1000 * idleSeconds) break;
    await new Promise((done) => setTimeout(done, LOOK_AGAIN_MS));
  }
  follower.tell(reader.end());
  expectRead(reader, read, follower.count);
  return follower.end();
}

/** Reports the runs of a whole log, or of one of them; ends with the worst. */
function tellOnce(
  records: readonly LogRecord[],
  reader: LogReader,
  teller: Teller,
  run: string | number | undefined,
  size: number,
): Code {
  expectRead(reader, size, records.length);
  const runs = runsOf(records);
  const wanted = reader.named ? undefined : run;
  const chosen = wanted === undefined ? runs.map((_, i) => i + 1) : [chooseRun(runs, wanted)];
  const held = runsInWords(runs);
  if (held !== undefined) {
    teller.say(held + (runs.length > 1 && chosen.length > 1 ? `; --run ${runs.length} shows one alone` : ""));
  }
  const failed = chosen.includes(runs.length) ? failedCode(reader) : [];
  return worstOf([
    ...failed,
    ...chosen.map((number) => {
      const { first, last, records: own } = runs[number - 1]!;
      if (runs.length > 1) teller.say(`run ${number} of ${runs.length}: steps ${first} to ${last}`);
      teller.begin();
      return teller.tellWhole(own);
    }),
  ]);
}

/** A doubt about a run whose output ends in an error: whether it would have gone on well is not known. */
const failedCode = ({ printed: { failure } }: LogReader): Code[] =>
  failure?.isStop === false ? [codes.unknown] : [];

/** Reports records as they come, run by run. */
class Follower {
  readonly #runs: { first: number; last: number; readonly resumed: { at: number; after: number }[] }[] = [];
  readonly #codes: Code[] = [];
  /** Number of records so far, of any run. */
  count = 0;

  constructor(
    readonly teller: Teller,
    readonly reader: LogReader,
    readonly wanted: string | number | undefined,
  ) {}

  /** @throws {RangeError} if the run that is wanted is none that a log can have */
  tell(records: readonly LogRecord[]): void {
    for (const { begins, ...record } of records) {
      this.#go(record.update, begins);
      this.count += 1;
      if (this.count === 1 && this.#number < 1) chooseRun(this.#runs, this.wanted);
      if (this.#isWanted) this.teller.follow([record]);
    }
  }

  /** Whether nothing more is to come: success has fallen, or the run that is wanted has ended. */
  get isOver(): boolean {
    return this.#isWanted ? this.teller.hasFallen : this.#runs.length > this.#number;
  }

  /**
   * Tells what there is to say at the end; ends with the worst of all runs.
   *
   * @throws {RangeError} if the run that is wanted has not come
   */
  end(): Code {
    if (this.#number !== Infinity) chooseRun(this.#runs, this.wanted);
    if (this.#isWanted) this.#codes.push(this.teller.end(), ...failedCode(this.reader));
    return worstOf(this.#codes);
  }

  /** The number of the run that is wanted; infinite if all are, 0 if no number was given. */
  get #number(): number {
    if (this.wanted === undefined || this.reader.named) return Infinity;
    return /^\d+$/.test(String(this.wanted)) ? Number(this.wanted) : 0;
  }

  get #isWanted(): boolean {
    return this.#number === Infinity || this.#number === this.#runs.length;
  }

  #go(at: number, begins: LogRecord["begins"]): void {
    const run = this.#runs.at(-1);
    if (run === undefined || begins === "run") {
      if (run !== undefined && this.#isWanted) this.#codes.push(this.teller.end());
      this.#runs.push({ first: at, last: at, resumed: [] });
      if (run === undefined || !this.#isWanted) return;
      this.teller.begin();
      this.teller.say(`run ${this.#runs.length} begins: the steps go back to ${at}`);
      return;
    }
    if (begins === "resume") {
      if (at <= run.last) run.resumed.push({ at, after: run.last });
      if (this.#isWanted) this.teller.resume(at);
    }
    run.last = at;
  }
}

/** A file that is one JSON value, as trainer_state.json is: it does not grow, but is rewritten. */
function wholeOf(file: string): WholeJson | undefined {
  const [first] = piecesOf(file);
  return first && mayBeWhole(new TextDecoder().decode(plainBytes(first)))
    ? wholeJson(new TextDecoder().decode(plainBytes(files.readFileSync(file))))
    : undefined;
}

function sizeOf(file: string): number {
  expectFile(file, "watch");
  return files.statSync(file, { throwIfNoEntry: false })!.size;
}

/** Data appended to a file. */
function addedTo(file: string, from: number): Iterable<Uint8Array> {
  const size = sizeOf(file);
  if (size < from) {
    throw new RangeError(
      `Cannot watch a log: its file must only grow, but it had ${from} bytes and has ${size}, so another run has begun.`,
    );
  }
  return size === from ? [] : piecesOf(file, from);
}
