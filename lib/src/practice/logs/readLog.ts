import { files } from "#files";
import { expectKnown } from "../../base/expect";
import { wholeJson } from "../../monitor/logs/containers/json";
import { LogReader, type LogOptions } from "../../monitor/logs/logReader";
import { Log } from "./log";

/**
 * Reads a log of verl, TRL, RAGEN, RAGEN-2, prime-rl, SkyRL, Tinker, slime, OpenRLHF or of this library.
 *
 * It may be JSONL, CSV, an event file of TensorBoard, what wandb exports, a trainer_state.json, or what verl or TRL printed to the
 * console, of which the lines with metrics are read. The framework is the one of whose metric names the log has most; `why` says so. Lines of one step are one record, and the last value under a name counts.
 *
 * @param source path of a file, its text or its bytes
 * @throws {RangeError} if no name is known, an option is unknown, or the file is not there
 * @throws {TypeError} if a line cannot be read
 * @example
 * import { readLog } from "turnwise/practice";
 * const log = readLog('{"step": 1, "reward": 0.5, "entropy": 1.2, "frac_reward_zero_std": 0.1}\n');
 * log.framework; // => "trl"
 */
export function readLog(source: string | Uint8Array, options: LogOptions = {}): Log {
  expectKnown("readLog", options, ["framework", "names", "run"]);
  const bytes = typeof source === "string" ? bytesOf(source) : source;
  const reader = new LogReader(options, true);
  const text = new TextDecoder().decode(bytes);
  const rows = wholeJson(text);
  const read = rows ? reader.rows(rows) : reader.push(bytes);
  const records = [...read, ...reader.end()];
  const { framework, container, why, unknown } = reader;
  if (container === "console" && framework === undefined && text.trim() !== "") {
    throw new RangeError(
      `Cannot read a log as a line must hold metrics, as verl's "step:1 - actor/entropy:0.5 - ..." or TRL's ` +
        `"{'loss': 0.1, 'reward': 0.5, ...}" do: current text has none`,
    );
  }
  if (framework === undefined || container === undefined) {
    throw new RangeError("Cannot read a log as it must have a line: current length is 0");
  }
  return new Log(records, { framework, container, why, unknown });
}

/** The bytes of a file, or of the text itself: a path has no line break and no brace at its start. */
function bytesOf(source: string): Uint8Array {
  if (source.includes("\n") || /^\s*[{[]/.test(source)) return new TextEncoder().encode(source);
  if (files.existsSync(source)) return files.readFileSync(source);
  throw new RangeError(`Cannot read a log as its file must be there: current path is "${source}"`);
}
