import { didYouMean } from "turnwise/internal/base/suggest";
import type { ReadTrainer } from "./contract";
import { dialects, type DialectName } from "./dialects";
import type { Dialect } from "./dialects/contract";
import { releases } from "./dialects/releases";
import type { FlagValue, FlagValues } from "./given";
import { readTrainers, recognize, type TrainerName } from "./recognize";
import type { Source } from "./source/parse";
import { ONLY_DEFAULTS } from "./source/python";

/** A trainer that a configuration may be attributed to. */
export type ConfiguredTrainer = TrainerName | DialectName;

/** A configuration with its trainer, and its settings under the names of the trainer that reads it. */
export interface Understood {
  readonly source: Source;
  /** The trainer that reads it. */
  readonly trainer: ReadTrainer;
  readonly name: TrainerName;
  /** The configuration's own trainer, if it is another. */
  readonly dialect: DialectName | undefined;
  readonly title: string;
  /** The release whose defaults are assumed. */
  readonly version: string;
  /** Names of the reader whose values are defaults of that trainer or release. */
  readonly assumed: ReadonlySet<string>;
  /** Its own name of a setting of the reader; undefined where it has none. */
  readonly ownName: (name: string) => string | undefined;
  /** Its names as it has them. */
  readonly given: readonly string[];
  /** Why it is taken for that. */
  readonly why: string;
}

/** Options of attributing a configuration to a trainer. */
export interface UnderstandOptions {
  /** The trainer. Default: the one whose names it has. */
  readonly for?: ConfiguredTrainer;
  /** The release whose defaults are assumed. Default: the one that was last looked at. */
  readonly release?: string;
}

/** @throws {RangeError} if the name is unknown */
export function expectTrainer(name: string): void {
  const names = [...Object.keys(readTrainers), ...Object.keys(dialects)];
  if (names.includes(name)) return;
  throw new RangeError(
    `Cannot read a configuration: the trainer must be one of ${names.join(", ")}, got "${name}".${didYouMean(name, names)}`,
  );
}

/**
 * Attributes a configuration to a trainer.
 *
 * @throws {RangeError} if it is no trainer's, or there is no such release
 */
export function understand(whole: Source, options: UnderstandOptions = {}): Understood {
  const { for: wanted, release } = options;
  if (wanted !== undefined) expectTrainer(wanted);
  const { source, paths } = unwrapped(whole);
  if (wanted === undefined) expectReinforcement(whole);
  const dialect =
    wanted !== undefined
      ? ((Object.hasOwn(dialects, wanted) ? wanted : undefined) as DialectName | undefined)
      : spoken(source);
  const words: Dialect | undefined = dialect === undefined ? undefined : dialects[dialect];
  const fixed = words ? words.base : (wanted as TrainerName | undefined);
  const own = words ? translated(source, words) : { source, assumed: new Set<string>() };
  const trainer = fixed === undefined ? recognize(source) : readTrainers[fixed];
  // Only a dialect is taken without a name of a rule: its own names tell.
  if (fixed !== undefined && words === undefined) recognize(source, trainer);
  const name = Object.keys(readTrainers).find(
    (one) => readTrainers[one as TrainerName] === trainer,
  ) as TrainerName;
  const former = release === undefined ? undefined : releaseOf(name, words, release);
  const assumed = new Set(own.assumed);
  const flags: Record<string, unknown> = { ...own.source.flags };
  for (const [flag, value] of Object.entries(former ?? {})) {
    if (flag in flags && !assumed.has(flag)) continue;
    flags[flag] = value;
    assumed.add(flag);
  }
  // Of several names, the one that it has counts.
  const reverse = new Map(
    Object.entries(words?.names ?? {})
      .sort(([a], [b]) => Number(a in source.flags) - Number(b in source.flags))
      .map(([theirs, ours]) => [ours, theirs]),
  );
  const telling =
    words === undefined ? [] : Object.keys(source.flags).filter((one) => words.tells?.test(one));
  return {
    source: { ...own.source, flags },
    trainer: words ? { ...trainer, title: words.title, version: words.version } : trainer,
    name,
    dialect,
    title: words?.title ?? trainer.title,
    version: former === undefined ? (words?.version ?? trainer.version) : `release ${release}`,
    assumed,
    ownName: (flag) => {
      const named = words?.names === undefined ? flag : reverse.get(flag);
      return named === undefined ? undefined : (paths.get(named) ?? named);
    },
    given: Object.keys(whole.flags),
    why:
      words === undefined
        ? source.words.includes(ONLY_DEFAULTS)
          ? "it trains with GRPOTrainer and gives it no arguments, so that all are defaults"
          : ""
        : telling.length > 0
          ? `${telling.slice(0, 3).join(", ")}${telling.length > 3 ? ", ..." : ""} ${telling.length === 1 ? "is a name" : "are names"} of ${words.title}`
          : wanted === undefined
            ? `it is run by ${words.title}`
            : "the trainer was given",
  };
}

/**
 * Refuses the arguments of training by examples, which have the same names of models, adapters and optimizers.
 *
 * @throws {RangeError} if it is one
 */
function expectReinforcement({ flags, words }: Source): void {
  const names = Object.keys(flags);
  const stage = String(flags.stage ?? "").toLowerCase();
  const kind = String(flags.rlhf_type ?? "").toLowerCase();
  const isSupervised =
    ["sft", "pt", "dpo", "kto", "rm"].includes(stage) ||
    ["dpo", "orpo", "simpo", "kto", "cpo", "rm"].includes(kind) ||
    // `args.json` of `swift sft` has the tuner's names, and none of rlhf's.
    (names.some((name) => /^(tuner_type|train_type)$/.test(name)) &&
      kind === "" &&
      !words.some((word) => /rlhf|mlx/.test(word)) &&
      !names.some((name) =>
        /^(num_generations|reward_funcs|train_mode|beta|max_completion_length)$/.test(name),
      ));
  if (!isSupervised) return;
  throw new RangeError(
    `Cannot read a configuration: it must be of reinforcement learning, but this is of training by examples (${
      stage !== ""
        ? `stage: ${stage}`
        : kind !== ""
          ? `rlhf_type: ${kind}`
          : "it has names of ms-swift and no rlhf_type"
    }).`,
  );
}

/** Fewer names of a trainer below others may be anybody's. */
const FEWEST_TELLING = 2;

/** A configuration without the names that stand around those of its trainer, and the path of each in it. */
interface Unwrapped {
  readonly source: Source;
  readonly paths: ReadonlyMap<string, string>;
}

/**
 * Takes off what a program of its own puts around a trainer's names: `config: { ... }`, or `training:` next to `grpo:`. Each name is cut down
 * to the longest end of it that one trainer knows. A configuration that is some trainer's as it is stays as it is.
 */
function unwrapped(source: Source): Unwrapped {
  const plain: Unwrapped = { source, paths: new Map() };
  const isNested = Object.keys(source.flags).some((name) => name.includes("."));
  if (!isNested || spoken(source) !== undefined || readerOf(source) !== undefined) return plain;
  const known: readonly { readonly tells?: RegExp; readonly names?: RegExp }[] = [
    ...Object.values<ReadTrainer>(readTrainers),
    ...Object.values<Dialect>(dialects).map(({ tells, base }) => ({
      ...(tells && { tells }),
      names: readTrainers[base].names,
    })),
  ];
  const cut = known.map(({ tells, names }) => {
    const paths = new Map<string, string>();
    let telling = 0;
    for (const path of Object.keys(source.flags)) {
      const ends = path.split(".").map((_, i, parts) => parts.slice(i).join("."));
      const end = ends.find((one) => tells?.test(one) === true || names?.test(one) === true);
      if (end === undefined || paths.has(end)) continue;
      paths.set(end, path);
      telling += Number(tells?.test(end) === true);
    }
    return { paths, telling };
  });
  const best = cut.reduce((a, b) => (b.telling > a.telling ? b : a));
  if (best.telling < FEWEST_TELLING) return plain;
  const flags = Object.fromEntries([...best.paths].map(([end, path]) => [end, source.flags[path]]));
  return { source: { ...source, flags }, paths: best.paths };
}

/** The dialect that a configuration is written in; undefined where it is none. */
function spoken(source: Source): DialectName | undefined {
  const names = [...Object.keys(source.flags), ...source.unresolved.map(({ name }) => name)];
  const command = source.words.join(" ");
  const scores = (Object.entries(dialects) as [DialectName, Dialect][]).map(
    ([name, { tells, mentions }]) => ({
      name,
      score:
        2 * names.filter((one) => tells?.test(one)).length +
        (mentions !== undefined &&
        (mentions.test(command) || source.words.some((word) => mentions.test(word)))
          ? 1
          : 0),
    }),
  );
  const best = scores.reduce((a, b) => (b.score > a.score ? b : a));
  if (best.score === 0) return undefined;
  // One name of its own may be another trainer's, too: then that trainer must not be told by the rest.
  const { base } = dialects[best.name];
  return best.score > 2 || readerOf(source) === readTrainers[base] ? best.name : undefined;
}

/** The trainer whose names it has most of; undefined if it has none of any. */
function readerOf(source: Source): ReadTrainer | undefined {
  try {
    return recognize(source);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Its settings by the names of the reader, with its own defaults. */
function translated(source: Source, dialect: Dialect): { source: Source; assumed: Set<string> } {
  const { names, defaults = {}, derived } = dialect;
  const theirs = source.flags as FlagValues;
  const flags: Record<string, unknown> = {};
  const unresolved = source.unresolved.map((one) => ({ ...one, name: names?.[one.name] ?? one.name }));
  for (const [name, value] of Object.entries(theirs)) {
    const ours = names === undefined ? name : names[name];
    if (ours !== undefined && value !== undefined && !(ours in flags)) flags[ours] = value;
  }
  for (const [name, value] of Object.entries(derived?.(theirs) ?? {})) flags[name] = value as FlagValue;
  const assumed = new Set<string>();
  const open = new Set(unresolved.map(({ name }) => name));
  for (const [name, value] of Object.entries(defaults)) {
    if (name in flags || open.has(name)) continue;
    flags[name] = value;
    assumed.add(name);
  }
  return { source: { ...source, flags, unresolved }, assumed };
}

/** Defaults of a former release. */
function releaseOf(
  name: TrainerName,
  dialect: Dialect | undefined,
  release: string,
): Readonly<Record<string, FlagValue>> {
  const known = releases[name] ?? {};
  const plain = release.replace(/^v/, "");
  const found = Object.keys(known).find((one) => plain === one || plain.startsWith(`${one}.`));
  if (found !== undefined) return known[found]!;
  if (plain === (dialect?.version ?? readTrainers[name].version)) return {};
  throw new RangeError(
    `Cannot assume the defaults of a release: it must be one of ${[...Object.keys(known), readTrainers[name].version].join(", ")} for ${name}, got "${release}".`,
  );
}
