import { expectKnown } from "turnwise/internal/base/expect";
import { path } from "turnwise/internal/base/host/index";
import { show } from "turnwise/internal/base/show";
import type { LogOptions } from "../logs/logReader";
import type { LogRecord } from "../logs/runs";
import { expectTrainer, type ConfiguredTrainer } from "../configs/understand";
import { causesOf } from "./causes";
import { listed } from "./files";
import { inOrder, logOfRollouts } from "./logOfRollouts";
import { mergeConfigs } from "./mergeConfigs";
import { unreadParents } from "./parents";
import {
  ofRelease,
  readFile,
  type FileGuess,
  type ReadConfigFile,
  type ReadFile,
  type ReadLogFile,
  type ReadRollouts,
} from "./read";
import { DoctorReport } from "./report";
import { creditOf } from "./rollouts/credit";
import { stopSymbol } from "turnwise/internal/sweep/stop";
import { expectTwinOptions, type TwinOptions } from "../twin";
import { twinOfView } from "./twin";
import { runsIn, subjectOf, type RunView, type View } from "./view";

/** Options of examining a run. */
export interface DoctorOptions extends LogOptions {
  /** The best mean reward, where the log has no success. Default 1, as long as no reward is below 0 or above it. */
  readonly optimum?: number;
  /** Trainer of the configurations. Default: the trainer whose names each has. */
  readonly for?: ConfiguredTrainer;
  /** Release of that trainer whose defaults are assumed. Default: the latest one that was read. */
  readonly release?: string;
  /** Number of consecutive rollouts that began with the same task, if their file lacks it. */
  readonly groupSize?: number;
  /** Whether to train the configuration's rule in small worlds too, which takes up to a minute; or how. Default false. */
  readonly twin?: boolean | TwinOptions;
}

/**
 * Diagnoses what broke in a training run, when, why, and which setting to change: from its log, its configuration and
 * its rollouts, whichever exist. A folder is searched for them; several paths are of one run.
 *
 * Every file is named with what it was taken for and why. What is not in the files is listed as not known, and never taken to be fine.
 *
 * @throws {RangeError} if a path is not there, or nothing in it can be read
 * @example
 * import { writeFileSync } from "node:fs";
 * import { tmpdir } from "node:os";
 * import { join } from "node:path";
 * import { doctor } from "turnwise-practice";
 * const steps = Array.from({ length: 60 }, (_, step) => ({ step, reward: step < 40 ? 0.9 : 0.1, kl: 0.01, entropy: 1.5 }));
 * const log = join(tmpdir(), "fallen.jsonl");
 * writeFileSync(log, steps.map((step) => JSON.stringify(step)).join("\n"));
 * const report = await doctor(log);
 * report.code; // => 3
 */
export function doctor(
  paths: string | readonly string[],
  options: DoctorOptions = {},
): Promise<DoctorReport> {
  const controller = new AbortController();
  const done = examine(paths, options, readFile, controller);
  // A kernel calls this when the cell that waits is interrupted: the page then has the runs of the twin that are finished.
  return Object.assign(done, { [stopSymbol]: () => controller.abort() });
}

/** `doctor`, by a way of reading that may remember what it has read. */
export async function examine(
  given: string | readonly string[],
  options: DoctorOptions,
  readOne: typeof readFile,
  controller = new AbortController(),
): Promise<DoctorReport> {
  expectKnown("examine a run", options, [
    "framework",
    "map",
    "names",
    "run",
    "optimum",
    "for",
    "release",
    "groupSize",
    "twin",
  ]);
  const asked = twinOptionsOf(options.twin);
  if (options.for !== undefined) expectTrainer(options.for);
  const targets = typeof given === "string" ? [given] : given;
  if (targets.length === 0) {
    throw new RangeError("Cannot examine a run: there must be a file or folder, got 0.");
  }
  const listings = targets.map(listed);
  const read: ReadFile[] = [];
  const paths = new Set(listings.flatMap((one) => one.paths));
  // A set that grows is gone through to its end: a configuration brings those that it inherits from.
  for (const file of paths) {
    const one = await readOne(file, options);
    read.push(one);
    if (one.kind === "configuration")
      for (const parent of unreadParents(one.config, paths)) paths.add(parent);
  }
  const counted = read.flatMap((one) => (one.kind === "rollouts" ? [one.rollouts] : []));
  const written = joined(read.flatMap((one) => (one.kind === "log" ? [one.log] : [])));
  const made = written.length === 0 ? logOfRollouts(counted) : undefined;
  const logs = made === undefined ? written : [made];
  const configured = read.flatMap((one) => (one.kind === "configuration" ? [one.config] : []));
  const all = logs.flatMap((log) => runsIn(log, options.optimum));
  const wanted = options.run === undefined ? all : all.filter(({ number }) => number === Number(options.run));
  if (options.run !== undefined && wanted.length === 0 && all.length > 0) {
    throw new RangeError(
      `Cannot examine a run: run must be a number from 1 to ${Math.max(...all.map(({ of }) => of))}, got ${JSON.stringify(options.run)}.`,
    );
  }
  const run = worst(wanted);
  // What a run printed is what it ran with, but a launch script is what its owner edits.
  const own = run === undefined ? undefined : configOfRun(run);
  const printed = own === undefined ? logs.flatMap(({ config }) => (config ? [config] : [])) : [own];
  const merged = await mergeConfigs(
    (configured.length > 0 ? configured : printed.slice(-1)).sort(
      (a, b) => b.lint.names.telling - a.lint.names.telling,
    ),
    {
      ...(options.for !== undefined && { for: options.for }),
      ...(options.release !== undefined && { release: options.release }),
    },
  );
  // Merged ones have no text of their own that could be read again.
  const configs = await Promise.all(
    merged.map(async (one) => (one.of === undefined ? ofRelease(one, logs, options) : one)),
  );
  const foreign = read.flatMap((one) => (one.kind === "foreign" ? [one.guess] : []));
  if (logs.length + configs.length + counted.length === 0) {
    const said = foreign.slice(0, 3).map(({ path: name, why }) => `${name}: ${why}`);
    throw new RangeError(
      `Cannot examine a run: ${targets.join(", ")} must hold a log, a configuration or rollouts: ` +
        (said.length === 0 ? "there is no file" : said.join("; ") + (foreign.length > 3 ? "; ..." : "")),
    );
  }
  const config = configs[0];
  const rollouts: ReadRollouts[] = [];
  const onset = run?.verdict.success.kind === "fell" ? run.verdict.dip?.onset : undefined;
  for (const [i, one] of inOrder(counted, onset).entries()) {
    // The page shows the first files; of the others the groups are counted alone.
    rollouts.push(i < CREDITED ? { ...one, credit: await credited(one, config, options) } : one);
  }
  const view: View = { run, config, rollouts, subject: subjectOf(run, config) };
  asked?.signal?.addEventListener("abort", () => controller.abort(), { once: true });
  if (asked?.signal?.aborted) controller.abort();
  const twin =
    asked === undefined ? undefined : await twinOfView(view, { ...asked, signal: controller.signal });
  return new DoctorReport({
    targets,
    files: [
      ...(made === undefined ? [] : [made.guess]),
      ...read.map((one) => guessOf(one, configs)),
      ...(configured.length > 0 ? [] : configs.map(({ guess }) => guess)),
    ],
    foreign,
    passedOver: listings.reduce((sum, one) => sum + one.passedOver, 0),
    more: listings.some(({ more }) => more),
    view,
    runs: wanted,
    configs,
    causes: causesOf(view),
    twin,
  });
}

/** Files of rollouts on which rules are tried. */
const CREDITED = 2;

async function credited(
  { guess }: ReadRollouts,
  config: ReadConfigFile | undefined,
  { groupSize }: DoctorOptions,
): Promise<NonNullable<ReadRollouts["credit"]>> {
  try {
    return await creditOf(guess.path, config?.lint.rule, groupSize === undefined ? {} : { groupSize });
  } catch (error) {
    if (!(error instanceof RangeError || error instanceof TypeError)) throw error;
    return { why: error.message };
  }
}

/** @throws {TypeError} if it is neither a boolean nor options */
function twinOptionsOf(twin: DoctorOptions["twin"]): TwinOptions | undefined {
  if (twin === undefined || twin === false) return undefined;
  if (twin === true) return {};
  if (typeof twin !== "object" || twin === null || Array.isArray(twin)) {
    throw new TypeError(`Cannot examine a run: twin must be true, false or options, got ${show(twin)}.`);
  }
  expectTwinOptions(twin);
  return twin;
}

const guessOf = (one: ReadFile, configs: readonly ReadConfigFile[]): FileGuess => {
  if (one.kind === "foreign") return one.guess;
  if (one.kind === "log") return one.log.guess;
  if (one.kind === "rollouts") return one.rollouts.guess;
  // With the defaults of the release that the log shows.
  const { guess } = one.config;
  return configs.find((other) => other.of === undefined && other.guess.path === guess.path)?.guess ?? guess;
};

/** The run that is worst off: one that fell; else the longest, and of equal ones the last. */
function worst(runs: readonly RunView[]): RunView | undefined {
  const rank = ({ verdict, records }: RunView): number =>
    verdict.success.kind === "fell" ? Infinity : records.length;
  return runs.reduce<RunView | undefined>(
    (a, b) => (a === undefined || rank(b) >= rank(a) ? b : a),
    undefined,
  );
}

/** The configuration of a run in a notebook, each of whose cells that train is a run of its own. */
const configOfRun = ({ log: { configs }, number, of }: RunView): ReadConfigFile | undefined =>
  configs?.length === of ? configs[number - 1] : undefined;

/** Event files of one folder are one log: a trainer begins another when it resumes. */
function joined(logs: readonly ReadLogFile[]): readonly ReadLogFile[] {
  const groups = new Map<string, ReadLogFile[]>();
  for (const log of logs) {
    const isEvents = /tfevents/.test(path.basename(log.guess.path));
    const key = isEvents ? `${path.dirname(log.guess.path)} ${log.framework}` : log.guess.path;
    groups.set(key, [...(groups.get(key) ?? []), log]);
  }
  return [...groups.values()].map((parts) => {
    const [first] = parts as [ReadLogFile];
    if (parts.length === 1) return first;
    const inOrder = [...parts].sort((a, b) => (timeOf(a) < timeOf(b) ? -1 : 1));
    const records: LogRecord[] = [];
    for (const part of inOrder) {
      const [start] = part.records;
      const last = records.at(-1);
      const least = records[0];
      const begins =
        last === undefined || start === undefined || start.update > last.update
          ? undefined
          : start.update <= least!.update
            ? ("run" as const)
            : ("resume" as const);
      records.push(
        ...part.records.map((record, i) =>
          i === 0 && begins !== undefined ? { ...record, begins } : record,
        ),
      );
    }
    return {
      ...first,
      records,
      notes: [...first.notes, `${parts.length} event files of one folder are read as one log`],
    };
  });
}

/** When an event file was begun, as its name says. */
const timeOf = ({ guess }: ReadLogFile): number => Number(/tfevents\.(\d+)/.exec(guess.path)?.[1] ?? 0);
