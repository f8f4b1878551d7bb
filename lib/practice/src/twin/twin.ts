import { expectKnown, expectWhole } from "turnwise/internal/base/expect";
import { didYouMean } from "turnwise/internal/base/suggest";
import { stopSymbol } from "turnwise/internal/sweep/stop";
import { train } from "turnwise/internal/train/index";
import type { TrainerName } from "../configs/recognize";
import { lint, type LintReport } from "../lint";
import { candidatesOf, type Candidate, type Skipped } from "./changes";
import { twinOptions, type TwinCell, type TwinRun } from "./job";
import { meanCourse } from "./curves";
import { judgeChanges, judgeWorlds } from "./judge";
import { likenessOf, type RunMoves } from "./likeness";
import { mappingOf } from "./mapping";
import type { MeasuredMismatch } from "./mismatch";
import { TwinReport, type TriedChange } from "./report";
import { trainCells, type HowToRun } from "./runs";
import { healthy, type TwinSetting } from "./setting";
import { twinWorldNames, twinWorlds, type TwinWorldName } from "./worlds";

/** Options of training a twin. */
export interface TwinOptions extends HowToRun {
  /** Runs of each setting in each world. Default 10; fewer than 5 carry no verdict. */
  readonly seeds?: number;
  /** The first of them. Default 0. */
  readonly firstSeed?: number;
  /** Updates of each run. Default: as many as show the failure of a world, 200 or 300. */
  readonly updates?: number;
  /** The worlds to train in. Default: all three. */
  readonly worlds?: readonly TwinWorldName[];
  /** Whether to try single changes where the twin collapses. Default true. */
  readonly changes?: boolean;
  /** Mean gap between the log-probs of engine and trainer, in nats. Default: that of the log, if there is one, else 0. */
  readonly mismatch?: number;
}

/** Facts about the run other than its configuration. */
export interface TwinContext {
  readonly mismatch?: MeasuredMismatch | undefined;
  readonly moves?: RunMoves | undefined;
}

export const twinOptionNames: readonly (keyof TwinOptions)[] = [
  "seeds",
  "firstSeed",
  "updates",
  "worlds",
  "changes",
  "mismatch",
  "workers",
  "signal",
  "bar",
];

/**
 * Trains the rule of a configuration in three small worlds, next to healthy settings: whether it collapses there, and which
 * single change helps. The report states what of the configuration was taken over, what was not, and what carries over.
 *
 * Takes up to a minute on two cores. An interrupt ends it with the runs that are finished. The same seeds give the same report.
 *
 * @param configuration the text that `lint` reads
 * @throws {TypeError} if it is in none of the forms that are read
 * @throws {RangeError} if its rule cannot be read or trained, or an option is unknown or out of range
 * @example
 * import { twin } from "turnwise-practice";
 * const report = await twin("num_generations: 8\nnum_iterations: 1\n", { seeds: 2, updates: 12, changes: false });
 * report.worlds.length; // => 3
 */
export function twin(
  configuration: string,
  options: TwinOptions & { readonly for?: TrainerName } = {},
): Promise<TwinReport> {
  const controller = new AbortController();
  const { for: trainer, signal, ...rest } = options;
  signal?.addEventListener("abort", () => controller.abort(), { once: true });
  if (signal?.aborted) controller.abort();
  const done = (async () => {
    expectTwinOptions(rest, ["for", ...twinOptionNames]);
    const report = await lint(configuration, trainer === undefined ? {} : { for: trainer });
    return await twinOf(report, { ...rest, signal: controller.signal });
  })();
  // A kernel calls this when the cell that waits is interrupted: the report then has the finished runs.
  return Object.assign(done, { [stopSymbol]: () => controller.abort() });
}

/** @throws {RangeError} if an option is unknown or out of range */
export function expectTwinOptions(options: TwinOptions, known: readonly string[] = twinOptionNames): void {
  const action = "train a twin";
  expectKnown(action, options, known);
  const { seeds = 10, updates, firstSeed = 0, worlds = twinWorldNames, mismatch = 0, workers = 0 } = options;
  expectWhole(action, "seeds", seeds, 1);
  if (updates !== undefined) expectWhole(action, "updates", updates, 1);
  expectWhole(action, "firstSeed", firstSeed, 0);
  expectWhole(action, "workers", workers, 0);
  if (!Number.isFinite(mismatch) || mismatch < 0) {
    throw new RangeError(`Cannot ${action}: mismatch must be a number >= 0, got ${mismatch}.`);
  }
  const unknown = worlds.find((one) => !twinWorldNames.includes(one));
  if (unknown !== undefined || worlds.length === 0 || new Set(worlds).size !== worlds.length) {
    throw new RangeError(
      `Cannot ${action}: worlds must be different ones of ${twinWorldNames.join(", ")}, got [${worlds.join(", ")}].` +
        (unknown === undefined ? "" : didYouMean(String(unknown), twinWorldNames)),
    );
  }
}

/** The twin of a configuration that has been read. */
export async function twinOf(
  report: LintReport,
  options: TwinOptions,
  { moves, ...context }: TwinContext = {},
): Promise<TwinReport> {
  expectTwinOptions(options);
  const { seeds = 10, updates, firstSeed = 0, worlds = twinWorldNames, changes: tries = true } = options;
  const mismatch: MeasuredMismatch | undefined =
    options.mismatch === undefined ? context.mismatch : { logProbGap: options.mismatch, from: "as given" };
  const mapping = mappingOf(report.subject, mismatch);
  await expectTrainable(mapping.setting, worlds);
  const updatesOf = (world: TwinWorldName): number => updates ?? twinWorlds[world].updates;
  const cell = (id: string, world: TwinWorldName, setting: TwinSetting, events = false): TwinCell => ({
    id: `${id} ${world}`,
    world,
    setting,
    updates: updatesOf(world),
    firstSeed,
    events,
  });
  const reference = await healthyOf(mapping.setting, worlds);
  const first = await trainCells(
    worlds.flatMap((world) => [
      cell("own", world, mapping.setting, true),
      cell("healthy", world, reference, true),
    ]),
    seeds,
    "twin",
    options,
  );
  const runsOf = (id: string): readonly TwinRun[] => first.runs.get(id) ?? [];
  const judged = judgeWorlds(
    worlds.map((world) => ({ world, own: runsOf(`own ${world}`), healthy: runsOf(`healthy ${world}`) })),
  );
  const low = judged.filter(({ says }) => says === "collapses" || says === "does not learn");
  const wanted = tries && !first.stopped && low.length > 0;
  const { candidates, skipped } = wanted
    ? await trainable(candidatesOf(report, mapping.setting, mismatch, low.length), worlds)
    : { candidates: [], skipped: [] };
  const second = await trainCells(
    candidates.flatMap(({ setting }, i) => low.map(({ world }) => cell(String(i), world, setting))),
    seeds,
    "twin, single changes",
    options,
  );
  const outcomes = judgeChanges(
    candidates.map((_, i) =>
      low.map(({ world }) => ({
        world,
        better: second.runs.get(`${i} ${world}`) ?? [],
        other: runsOf(`own ${world}`),
      })),
    ),
  );
  const changes = candidates
    .map(({ title, written, by }, i) => ({ index: i, title, written, by, ...outcomes[i]! }))
    .sort((a, b) => rank(b) - rank(a));
  const [best] = changes.filter(({ verdict }) => verdict?.kind === "holds");
  return new TwinReport({
    mapping,
    worlds: judged,
    likeness: worlds.flatMap(
      (world) => likenessOf(world, runsOf(`own ${world}`), runsOf(`healthy ${world}`), moves) ?? [],
    ),
    hasRun: moves !== undefined,
    changes: changes.map(({ index: _, ...one }) => one),
    curves: worlds.map((world) => ({
      world,
      own: runsOf(`own ${world}`).map(({ course, lost }) => ({ course, lost })),
      healthy: meanCourse(runsOf(`healthy ${world}`)),
      change: best === undefined ? [] : meanCourse(second.runs.get(`${best.index} ${world}`) ?? []),
    })),
    skipped,
    seeds: Array.from({ length: seeds }, (_, i) => firstSeed + i),
    updates: worlds.map(updatesOf),
    stopped: first.stopped || second.stopped,
    done: first.done + second.done,
    planned: first.planned + second.planned,
  });
}

/** Those that are shown to help first, then those that gain more; what was not run last. */
const rank = ({ verdict, gain }: TriedChange): number =>
  (verdict?.kind === "holds" ? 10 : 0) + (Number.isNaN(gain) ? -10 : gain);

/** The same advantage under healthy settings; plain GRPO under them where that cannot be trained. */
async function healthyOf(setting: TwinSetting, worlds: readonly TwinWorldName[]): Promise<TwinSetting> {
  const same = healthy(setting);
  return (await refusal(same, worlds)) === undefined ? same : healthy();
}

async function trainable(
  {
    candidates,
    skipped,
  }: { readonly candidates: readonly Candidate[]; readonly skipped: readonly Skipped[] },
  worlds: readonly TwinWorldName[],
): Promise<{ readonly candidates: readonly Candidate[]; readonly skipped: readonly Skipped[] }> {
  const refused: Skipped[] = [];
  const left: Candidate[] = [];
  for (const candidate of candidates) {
    const why = await refusal(candidate.setting, worlds);
    if (why === undefined) left.push(candidate);
    else refused.push({ title: candidate.title, why });
  }
  return { candidates: left, skipped: [...skipped, ...refused] };
}

async function expectTrainable(setting: TwinSetting, worlds: readonly TwinWorldName[]): Promise<void> {
  const why = await refusal(setting, worlds);
  if (why !== undefined) {
    throw new RangeError(`Cannot train a twin: the rule must be one that the small worlds can train: ${why}`);
  }
}

/** Why a setting cannot be trained, from one update in each world. */
async function refusal(setting: TwinSetting, worlds: readonly TwinWorldName[]): Promise<string | undefined> {
  for (const world of worlds) {
    try {
      for await (const _ of train(twinOptions({ world, setting, updates: 1 }, 0))) break;
    } catch (error) {
      if (error instanceof RangeError || error instanceof TypeError) return error.message;
      // A loss that is not finite is an outcome: the runs will count it.
      if (error instanceof Error && error.name === "NonFiniteError") continue;
      throw error;
    }
  }
  return undefined;
}
