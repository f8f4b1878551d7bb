// One file because a file's kind is tried in one order, and each reader says what the next one needs.
import { files, path } from "turnwise/internal/base/host/index";
import { frameworks } from "../logs/frameworks";
import type { NamingName } from "../logs/frameworks";
import type { Failure } from "../logs/containers/failure";
import { mayBeWhole, wholeJson } from "../logs/containers/json";
import type { Notebook } from "../logs/containers/notebook";
import { plainBytes } from "../logs/containers/plainBytes";
import { expectRead } from "../logs/expectRead";
import { TELLING_NAMES } from "../logs/guess";
import { LogReader, type LogOptions, type UnknownName } from "../logs/logReader";
import { piecesOf } from "../logs/pieces";
import { printable } from "../logs/plainName";
import type { LogRecord } from "../logs/runs";
import { makesConfig } from "../configs/source/python";
import { lint, type LintOptions, type LintReport } from "../lint";
import { notesOf } from "../report/notesOf";
import { readFormats } from "../traces/formats";
import { firstRecord } from "../traces/readTrajectories";
import { census, type Census } from "./census";
import { failureAdvice } from "./failureAdvice";
import { parentsIn } from "./parents";
import type { Credit } from "./rollouts/credit";

/** Confidence of a guess. */
export type Sureness = "certain" | "likely" | "possible";

/** Guess about the kind of a file, with the reason. */
export interface FileGuess {
  readonly path: string;
  readonly kind: "log" | "configuration" | "rollouts" | "foreign";
  /** Description in a few words: "JSONL of verl". */
  readonly title: string;
  readonly why: string;
  readonly sureness: Sureness;
}

/** A former release of a trainer, as a log shows it. */
export interface LoggedRelease {
  readonly trainer: "trl" | "verl";
  /** The release whose defaults stand for it; undefined where they are not known to be others. */
  readonly version?: string;
  /** Whether the log says that a KL is charged in the loss. */
  readonly charges: boolean;
}

/** A log that was read. */
export interface ReadLogFile {
  readonly guess: FileGuess;
  readonly framework: NamingName;
  readonly records: readonly LogRecord[];
  readonly unknown: readonly UnknownName[];
  /** The name that success is read by. */
  readonly source: string | undefined;
  readonly notes: readonly string[];
  /** The error after its last step. */
  readonly failure?: Failure;
  /** The release of its trainer that its names are of, where later ones have others. */
  readonly release?: LoggedRelease;
  /** The rate of dropout of the model that was printed. */
  readonly dropout?: number;
  /** The configuration that the run printed, or that the code of its notebook has. */
  readonly config?: ReadConfigFile;
  /** A notebook's configurations, one for each cell that trains, in their order; undefined where the code up to one has none. */
  readonly configs?: readonly (ReadConfigFile | undefined)[];
}

/** A configuration that was read. */
export interface ReadConfigFile {
  readonly guess: FileGuess;
  readonly lint: LintReport;
  readonly text: string;
  /** The files that it was put together from, the upper one first. */
  readonly of?: readonly string[];
}

/** Rollouts that were counted. */
export interface ReadRollouts {
  readonly guess: FileGuess;
  readonly census: Census;
  /** The credit that rules assign, or why it is unknown. */
  readonly credit?: Credit | { readonly why: string };
}

/** A file, as far as it could be read. */
export type ReadFile =
  | { readonly kind: "log"; readonly log: ReadLogFile }
  | { readonly kind: "configuration"; readonly config: ReadConfigFile }
  | { readonly kind: "rollouts"; readonly rollouts: ReadRollouts }
  | { readonly kind: "foreign"; readonly guess: FileGuess };

const LARGEST_CONFIGURATION = 1 << 20;
/** Share of its names that are those of a rule, in a configuration whose trainer is certain. */
const SHARE = 0.08;
/** A log that is one value of JSON is in memory as a whole. */
const LARGEST_VALUE = 1 << 28;
const mayConfigure = /\.(sh|bash|ya?ml|toml|py|json)$/i;
const onlyConfigures = /\.(sh|bash|ya?ml|toml|py)$/i;
const isNotebook = /\.ipynb$/i;

/** Options of reading files. */
export interface ReadOptions extends LogOptions {
  readonly for?: LintOptions["for"];
  readonly release?: string;
  readonly groupSize?: number;
  /** Leaves out a last line that has no end yet, as it may be half written. Default false. */
  readonly wholeLines?: boolean;
}

/** Reads a file as what it is: rollouts, a log or a configuration. */
export async function readFile(file: string, options: ReadOptions): Promise<ReadFile> {
  const foreign = (why: string): ReadFile => ({
    kind: "foreign",
    guess: {
      path: file,
      kind: "foreign",
      title: "not read",
      why: printable(why).split("\n")[0]!,
      sureness: "certain",
    },
  });
  const stat = files.statSync(file, { throwIfNoEntry: false })!;
  const { size } = stat;
  if (size === 0 && !stat.isDirectory()) return foreign("it is empty");
  const reasons: string[] = [];
  const tried = async <T>(read: () => T | Promise<T>): Promise<T | undefined> => {
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof RangeError || error instanceof TypeError || error instanceof SyntaxError))
        throw error;
      reasons.push(error.message);
      return undefined;
    }
  };
  if (!onlyConfigures.test(file)) {
    if (!isNotebook.test(file) && isRollouts(file)) {
      const rollouts = await tried(() => rolloutsOf(file, options));
      // Rollouts that break off are no log, although they hold rewards.
      return rollouts === undefined ? foreign(reasons[0]!) : { kind: "rollouts", rollouts };
    }
    if (stat.isDirectory()) return foreign("its files named episode_*.json are no episodes of rLLM");
    const log = await tried(() => logOf(file, options));
    if (log !== undefined) {
      const { printed, notebook, ...rest } = log;
      if (notebook !== undefined) {
        const configs: (ReadConfigFile | undefined)[] = [];
        for (const { code } of notebook.trainings)
          configs.push(await tried(() => notebookConfigOf(file, code, options)));
        const config = configs.findLast((one) => one !== undefined);
        return { kind: "log", log: { ...rest, configs, ...(config && { config }) } };
      }
      const config = printed && (await tried(() => printedConfigOf(file, printed, log.framework, options)));
      return { kind: "log", log: { ...rest, ...(config && { config }) } };
    }
  }
  if (isNotebook.test(file)) {
    // One that has not run yet, or whose outputs were cleared.
    const code = wholeJson(files.readFileSync(file, "utf8"))?.notebook?.code;
    const config = code && (await tried(() => notebookConfigOf(file, code, options)));
    if (config !== undefined) return { kind: "configuration", config };
    return foreign(
      code === undefined
        ? reasons.at(-1)!
        : "it has neither the output of a training by reinforcement nor the arguments of a GRPOConfig",
    );
  }
  if (mayConfigure.test(file) && size <= LARGEST_CONFIGURATION) {
    const config = await tried(() => configOf(file, options));
    if (config !== undefined) return { kind: "configuration", config };
  }
  if (file.endsWith(".wandb")) {
    return foreign(
      `it is no log of an offline run of wandb (${reasons.at(-1) ?? "it is empty"}): export its history as CSV, or give the console output`,
    );
  }
  return foreign(reasons.at(-1) ?? "its end is none that a log, a configuration or rollouts have");
}

/** Whether its first record has a form of rollouts. */
function isRollouts(file: string): boolean {
  if (file.endsWith(".parquet")) return true;
  const record = firstRecord(file);
  return record !== undefined && Object.values(readFormats).some(({ is }) => is(record));
}

async function rolloutsOf(file: string, { groupSize }: ReadOptions): Promise<ReadRollouts> {
  const counted = await census(file, groupSize === undefined ? {} : { groupSize });
  return {
    guess: {
      path: file,
      kind: "rollouts",
      title: `rollouts: ${counted.title}`,
      why: `its first record has the form of ${counted.title}`,
      sureness: "likely",
    },
    census: counted,
  };
}

/** The bytes of a text up to its last line's end. */
function* wholeLinesOf(pieces: Iterable<Uint8Array>): Generator<Uint8Array, void, undefined> {
  let kept: Uint8Array[] = [];
  for (const piece of pieces) {
    const end = piece.lastIndexOf(10) + 1;
    if (end > 0) {
      yield* kept;
      yield piece.subarray(0, end);
      kept = [];
    }
    if (end < piece.length) kept.push(piece.subarray(end));
  }
}

function logOf(
  file: string,
  { framework, names, map = names, run, wholeLines = false }: ReadOptions,
): ReadLogFile & { readonly printed?: Readonly<Record<string, unknown>>; readonly notebook?: Notebook } {
  const reader = new LogReader(
    { ...(framework && { framework }), ...(map && { map }), ...(run !== undefined && { run }) },
    true,
  );
  const [first] = piecesOf(file);
  const beginning = new TextDecoder().decode(plainBytes(first!));
  const { size } = files.statSync(file, { throwIfNoEntry: false })!;
  const whole =
    mayBeWhole(beginning) && size <= LARGEST_VALUE
      ? wholeJson(new TextDecoder().decode(plainBytes(files.readFileSync(file))))
      : undefined;
  // An event file has no lines: its reader itself waits for the rest of a record.
  const all = piecesOf(file);
  const pieces = wholeLines && !/tfevents/.test(file) ? wholeLinesOf(all) : all;
  const read: LogRecord[] = whole ? reader.rows(whole.rows, whole.container) : [];
  // One piece at a time: a file may be larger than the memory.
  if (!whole) for (const piece of pieces) for (const record of reader.push(piece)) read.push(record);
  const records = [...read, ...endOf(reader)];
  const { notebook } = whole ?? {};
  const { failure = notebook?.failure, config, dropout } = reader.printed;
  if (records.length === 0 && failure !== undefined) throw new RangeError(withoutStep(failure));
  expectRead(reader, size, records.length);
  const known = Number(/^(\d+) of/.exec(reader.why)?.[1] ?? TELLING_NAMES);
  // A name or two, such as "loss" or "reward", are in many files that are no log.
  if (
    known < TELLING_NAMES &&
    records.length < TELLING_NAMES &&
    framework === undefined &&
    map === undefined
  ) {
    throw new RangeError(
      `only ${reader.why}, in ${records.length} records: too little to be taken for a log`,
    );
  }
  const title = frameworks[reader.framework!].title;
  const release = releaseIn(reader);
  return {
    guess: {
      path: file,
      kind: "log",
      title: `${reader.container === "console" ? "console output" : reader.container} of ${title}`,
      why: reader.why,
      sureness: known >= 2 * TELLING_NAMES ? "certain" : known >= TELLING_NAMES ? "likely" : "possible",
    },
    framework: reader.framework!,
    records,
    unknown: reader.unknown,
    source: reader.sourceOf(records),
    notes: notesOf(reader),
    ...(failure !== undefined && { failure }),
    ...(release !== undefined && { release }),
    ...(dropout !== undefined && { dropout }),
    ...(config !== undefined && { printed: config }),
    ...(notebook !== undefined && { notebook }),
  };
}

/** TRL called the length of answers by another name up to 0.16, verl the entropy up to its releases of early 2025. */
function releaseIn(reader: LogReader): LoggedRelease | undefined {
  const has = (name: string): boolean => reader.has(name) || reader.has(`train/${name}`);
  if (reader.framework === "trl" && has("completion_length") && !has("completions/mean_length"))
    return { trainer: "trl", version: "0.16", charges: has("kl") };
  return reader.framework === "verl" && has("actor/entropy_loss")
    ? { trainer: "verl", charges: has("actor/kl_coef") }
    : undefined;
}

/** The last records; an error that the output ends in says more than names that mean nothing. */
function endOf(reader: LogReader): LogRecord[] {
  try {
    return reader.end();
  } catch (error) {
    const { failure } = reader.printed;
    throw failure !== undefined && error instanceof RangeError ? new RangeError(withoutStep(failure)) : error;
  }
}

function withoutStep({ text, ended, line, cell }: Failure): string {
  const advice = failureAdvice(text, undefined);
  const place = cell === undefined ? `line ${line}` : `code cell ${cell}`;
  return (
    `it has no step of training, and its output ends in an error, ${place}: ${text}` +
    `${ended === undefined ? "" : `; at last ${ended}`}${advice === undefined ? "" : ` (${advice})`}`
  );
}

/** A configuration with the defaults of the release that a log or its own names show, where its trainer's own have changed. */
export async function ofRelease(
  config: ReadConfigFile,
  logs: readonly ReadLogFile[],
  options: Pick<ReadOptions, "for" | "release">,
): Promise<ReadConfigFile> {
  const { trainer, dialect, subject } = config.lint;
  if (options.release !== undefined || trainer !== "trl") return config;
  if (dialect !== undefined && dialect !== "open-r1") return config;
  const logged = logs.find(({ release }) => release?.trainer === "trl")?.release?.version;
  const release = logged ?? ("vllm_device" in subject.parts.flags ? "0.15" : undefined);
  if (release === undefined) return config;
  const read = await configOfText(config.guess.path, config.text, { ...options, release });
  const why = logged === undefined ? "vllm_device is a name of" : "the log's names are those of";
  return {
    ...read,
    guess: {
      ...config.guess,
      title: `${config.guess.title.replace(/, defaults of .*$/, "")}, defaults of TRL ${release}`,
      why: `${config.guess.why}; ${why} TRL up to ${release}`,
    },
    ...(config.of && { of: config.of }),
  };
}

/** The configuration that a run printed to its console. */
async function printedConfigOf(
  file: string,
  printed: Readonly<Record<string, unknown>>,
  framework: NamingName,
  options: ReadOptions,
): Promise<ReadConfigFile> {
  const config = await configOfText(file, JSON.stringify(printed), options);
  const { title } = frameworks[framework];
  return {
    ...config,
    guess: {
      ...config.guess,
      title: `configuration that the run printed, of ${config.lint.title}, defaults of ${config.lint.version}`,
      why: `a dict of Python in the output of ${title}`,
    },
  };
}

/** The configuration of a training in a notebook: the last one that the code up to it makes. */
async function notebookConfigOf(
  file: string,
  code: readonly string[],
  options: ReadOptions,
): Promise<ReadConfigFile> {
  const last = code.findLastIndex(makesConfig);
  // Other cells say what is imported, and which adapter is trained.
  const text = code.filter((cell, i) => i === last || !makesConfig(cell)).join("\n");
  const config = await configOfText(file, text, options);
  return {
    ...config,
    guess: {
      ...config.guess,
      title: `code of the notebook, of ${config.lint.title}, defaults of ${config.lint.version}`,
      why: last < 0 ? config.guess.why : `code cell ${last + 1} has its arguments`,
    },
  };
}

async function configOf(file: string, options: ReadOptions): Promise<ReadConfigFile> {
  const text = files.readFileSync(file, "utf8");
  try {
    return await configOfText(file, text, options);
  } catch (error) {
    if (!(error instanceof RangeError) || options.for !== undefined) throw error;
    // A few settings laid over those of another file are of that file's trainer.
    const parent = parentsIn(text, file).find((one) => one !== file && files.existsSync(one));
    if (parent === undefined) throw error;
    const { dialect, trainer } = (await configOf(parent, options)).lint;
    return configOfText(file, text, { ...options, for: dialect ?? trainer });
  }
}

async function configOfText(file: string, text: string, options: ReadOptions): Promise<ReadConfigFile> {
  const report = await lint(text, {
    ...(options.for !== undefined && { for: options.for }),
    ...(options.release !== undefined && { release: options.release }),
  });
  const { telling, of, why } = report.names;
  return {
    guess: {
      path: file,
      kind: "configuration",
      title: `${path.basename(file)} of ${report.title}, defaults of ${report.version}`,
      why: why === "" ? `${telling} of its ${of} names are those of a rule of ${report.title}` : why,
      // A few names of a rule among many of nobody's are less sure than a few of a few.
      sureness: telling >= 3 && telling >= SHARE * of ? "certain" : telling >= 2 ? "likely" : "possible",
    },
    lint: report,
    text,
  };
}
