import type { Batch } from "turnwise/internal/batch/batch";
import { expectKnown } from "turnwise/internal/base/expect";
import { replacementOf } from "turnwise/internal/base/host/files/replaceFile";
import { didYouMean } from "turnwise/internal/base/suggest";
import { noticeDeprecated, withFormerNames } from "turnwise/internal/schema/index";
import type { Row } from "../logs/row";
import type { StoredBatch } from "./batchOf";
import { traceFormats, type TraceFormatName } from "./formats";
import type { TraceFormat } from "./formats/contract";
import type { StoredTrajectory } from "./trace";
import { jsonl, parquet } from "./writing/containers";
import { lostParts, parts, type TracePart } from "./writing/lost";
import { trajectoriesOf } from "./writing/trajectoriesOf";

/** Options of writing trajectories. */
export interface WriteOptions {
  readonly format: TraceFormatName;
  /** Path of the file; what is there is replaced when all has been written. */
  readonly file: string;
  /** Parts that may be lost where the format cannot hold them; any other loss is refused. Default: none. */
  readonly omit?: readonly TracePart[];
}

/** Result of writing. */
export interface Written {
  readonly trajectories: number;
  /** Lines, or rows. */
  readonly records: number;
  /** Which of the parts that may be left out were. */
  readonly omitted: readonly TracePart[];
  /** @deprecated Use `omitted`. */
  readonly lost?: readonly TracePart[];
}

type Source = Batch | StoredBatch | Iterable<StoredTrajectory> | AsyncIterable<StoredTrajectory>;

/**
 * Writes trajectories as other trainers store them: verl's rollout dumps, TRL's completions (Parquet), episodes of verifiers and prime-rl,
 * Atropos' scored data, chats with tool calls and log-probs.
 *
 * Each record is read back before it is written: a part of a trajectory that is then another is lost, which is refused unless `omit`
 * names it. Trajectories are taken one after the other (those of a group together for Atropos), so that more than the memory holds
 * stream. A file is there as a whole or not at all.
 *
 * @param source a batch, what `batchOf` gave, or trajectories
 * @throws {RangeError} if the format cannot hold a part that may not be left out, or lacks what it must have
 * @example
 * import { readTrajectories, writeTrajectories } from "turnwise-practice";
 * const chat = { messages: [{ role: "user", content: "2 + 2?" }, { role: "assistant", content: "4" }], reward: 1 };
 * const written = await writeTrajectories(readTrajectories(JSON.stringify(chat)), {
 *   format: "verl",
 *   file: "1.jsonl",
 *   omit: ["group", "info"],
 * });
 * written.omitted; // => ["group", "info"]
 */
export async function writeTrajectories(source: Source, given: WriteOptions): Promise<Written> {
  const options = withOmit(given);
  expectKnown("write trajectories", options, ["format", "file", "omit"]);
  const { format, file, omit = [] } = options;
  expectOneOf("format", format, Object.keys(traceFormats));
  for (const part of omit) expectOneOf("a part of omit", part, parts);
  const form = traceFormats[format];
  const replacement = replacementOf(file);
  const lost = new Set<TracePart>();
  let [trajectories, records] = [0, 0];
  try {
    const container = format === "trl" ? await parquet(replacement.write) : jsonl(replacement.write);
    const trajectoriesToWrite = "shape" in source || "batch" in source ? trajectoriesOf(source) : source;
    for await (const group of groupsOf(trajectoriesToWrite, form.grouped === true)) {
      const json = JSON.stringify(form.write(group), (_, x: unknown) =>
        typeof x === "bigint" ? Number(x) : x,
      );
      const record = JSON.parse(json) as Row;
      for (const one of lostOf(form, group, record, records)) lost.add(one);
      refuseLost(
        form,
        [...lost].filter((one) => !omit.includes(one)),
        records,
      );
      container.push(record, json);
      trajectories += group.length;
      records += 1;
    }
    container.end();
  } catch (error) {
    replacement.abandon();
    throw error;
  }
  replacement.commit();
  const written: Written = { trajectories, records, omitted: parts.filter((one) => lost.has(one)) };
  return withFormerNames(written, { lost: "omitted" });
}

/** `omit` was named `leaveOut` before. */
function withOmit(options: WriteOptions): WriteOptions {
  const { leaveOut, ...rest } = options as WriteOptions & { leaveOut?: WriteOptions["omit"] };
  if (leaveOut === undefined || rest.omit !== undefined) return options;
  noticeDeprecated("leaveOut", "omit");
  return { ...rest, omit: leaveOut };
}

function expectOneOf(name: string, value: string, known: readonly string[]): void {
  if (known.includes(value)) return;
  throw new RangeError(
    `Cannot write trajectories: ${name} must be one of ${known.join(", ")}, got ` +
      `"${value}".${didYouMean(value, known)}`,
  );
}

/** Trajectories one by one, or those together that stand together and are of one group. */
async function* groupsOf(
  source: Iterable<StoredTrajectory> | AsyncIterable<StoredTrajectory>,
  grouped: boolean,
): AsyncGenerator<StoredTrajectory[], void, undefined> {
  let group: StoredTrajectory[] = [];
  for await (const one of source) {
    if (group.length > 0 && (!grouped || group[0]!.group !== one.group)) {
      yield group;
      group = [];
    }
    group.push(one);
  }
  if (group.length > 0) yield group;
}

/** Parts that a reader will not find: numbers that JSON cannot express are null there. */
function lostOf(
  form: TraceFormat,
  group: readonly StoredTrajectory[],
  record: Row,
  number: number,
): TracePart[] {
  let back: StoredTrajectory[];
  try {
    back = form.read(record, number);
  } catch (error) {
    throw new RangeError(
      `Cannot write ${form.title}: each record must be read back: ${error instanceof Error ? error.message : String(error)}`,
      { cause: error },
    );
  }
  return [...new Set(group.flatMap((one, i) => lostParts(one, back[i])))];
}

function refuseLost(form: TraceFormat, lost: readonly TracePart[], number: number): void {
  if (lost.length === 0) return;
  throw new RangeError(
    `Cannot write ${form.title}: they must hold every part, or omit name it, but record ${number} would lose ${lost.join(", ")}.`,
  );
}
