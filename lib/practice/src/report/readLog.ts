import { files } from "turnwise/internal/base/host/index";
import { expectKnown } from "turnwise/internal/base/expect";
import { wholeJson } from "../logs/containers/json";
import { LogReader, type LogOptions } from "../logs/logReader";
import { chooseRun } from "../logs/chooseRun";
import { expectRead } from "../logs/expectRead";
import { plainBytes } from "../logs/containers/plainBytes";
import { runsOf } from "../logs/runs";
import { expectFile } from "./expectFile";
import { Log } from "./log";
import { notesOf } from "./notesOf";

/**
 * Reads a log of verl, TRL, RAGEN, RAGEN-2, prime-rl, SkyRL, Tinker, slime, OpenRLHF or of this library.
 *
 * It may be JSONL, CSV, an event file of TensorBoard, what wandb exports, a trainer_state.json, a notebook with its outputs, or what
 * verl or TRL printed to the console, of which the lines with metrics are read. The framework is the one of whose metric names the log has most; `why` says so. Lines of one step are one record, and the last value under a name counts.
 *
 * Where steps go back, another run begins, or this one was resumed: `runs` has all of them, and the log is the last one unless `run`
 * chooses another. What a resume repeats replaces what stood there before.
 *
 * @param source path of a file, its text or its bytes
 * @throws {RangeError} if no name is known, an option is unknown, or the file is not there
 * @throws {TypeError} if a line cannot be read
 * @example
 * import { readLog } from "turnwise-practice";
 * const log = readLog('{"step": 1, "reward": 0.5, "entropy": 1.2, "frac_reward_zero_std": 0.1}\n');
 * log.framework; // => "trl"
 */
export function readLog(source: string | Uint8Array, options: LogOptions = {}): Log {
  expectKnown("readLog", options, ["framework", "map", "names", "run"]);
  const bytes = typeof source === "string" ? bytesOf(source) : source;
  const reader = new LogReader(options, true);
  const whole = wholeJson(new TextDecoder().decode(plainBytes(bytes)));
  const read = whole ? reader.rows(whole.rows, whole.container) : reader.push(bytes);
  const records = [...read, ...reader.end()];
  expectRead(reader, bytes.length, records.length);
  const runs = runsOf(records);
  const run = chooseRun(runs, reader.named ? undefined : options.run);
  const { framework, container, why, unknown } = reader;
  return new Log(runs[run - 1]!.records, {
    framework: framework!,
    container: container!,
    why,
    unknown,
    runs,
    run,
    notes: notesOf(reader),
  });
}

/** The bytes of a file, or of the text itself: a path has no line break and no brace at its start. */
function bytesOf(source: string): Uint8Array {
  if (source.includes("\n") || /^\s*[{[]/.test(source)) return new TextEncoder().encode(source);
  expectFile(source, "read");
  return files.readFileSync(source);
}
