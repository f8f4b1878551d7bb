import { recipe, type Recipe, type RecipeNameInput } from "../rule";
import { stopSymbol } from "../sweep/stop";
import { ReportCard } from "./card";
import type { CardRecord } from "./figures";
import { followed } from "./following";
import { measure, type Measured } from "./measure";
import { planOf, type ReportCardOptions, type Setting } from "./settings";
import { figureNames, meanFigure, type Figure, type FigureName } from "./tally";

/** Rules to be judged, or their names, or several under your own names. */
export type CardRows =
  | Recipe
  | RecipeNameInput
  | readonly (Recipe | RecipeNameInput)[]
  | Readonly<Record<string, Recipe | RecipeNameInput>>;

/** Milliseconds after which other work gets its turn: the bar, a signal, an interrupt. */
const BREATH = 50;

/**
 * The report card of whole rules: what a rule's update has to do with the gradient of J, exactly.
 *
 * In worlds small enough to list every trajectory, the gradient of J is known. On each batch the rule does what it does in
 * training: filter, advantage, ratio, gate, aggregate, order, regularizer, and all steps on the batch. Where the groups of a
 * batch can be enumerated, expectations are exact; elsewhere batches are sampled, the same ones for all rules, and each figure
 * has a standard error.
 *
 *   bias = |E g / scale - grad J| / |grad J|,   scale = <E g, grad J> / |grad J|^2,   g: what the rule makes of a batch, uphill
 *
 * Each axis (group size, steps since the rollout, log-prob mismatch, horizon) is gone through from the first value of the
 * others. A critic knows the values of the policy that sampled; the reference of a KL is the uniform policy. The defaults
 * make a quick card, seconds for a rule.
 *
 * @throws {RangeError} if an option is unknown or out of range, or a world has more than 20,000 trajectories
 * @throws {TypeError} if a world cannot be enumerated
 * @example
 * import { reportCard } from "turnwise";
 * const card = await reportCard(["rloo", "grpo"], { worlds: ["recovery"], groupSizes: [4], staleness: [0], mismatch: [0] });
 * card.records[0].bias.value < 1e-12; // => true
 * @see hectopascal/agent-credit-bench, which judges advantages in this way
 */
export function reportCard(rows: CardRows, options: ReportCardOptions = {}): Promise<ReportCard> {
  const stop = new AbortController();
  const done = made(rows, options, stop.signal);
  // What a kernel calls when the cell that waits for it is interrupted: the promise then has what is finished.
  const stopped = (): Promise<ReportCard> => {
    stop.abort();
    return done;
  };
  return Object.assign(done, { [stopSymbol]: stopped });
}

async function made(rows: CardRows, options: ReportCardOptions, interrupt: AbortSignal): Promise<ReportCard> {
  const named = namedRows(rows);
  const plan = planOf(options);
  const records: CardRecord[] = [];
  const progress = followed(plan.settings.length, plan.onProgress);
  const ended = (): boolean => interrupt.aborted || plan.signal?.aborted === true;
  let complete = true;
  try {
    for (const [done, setting] of plan.settings.entries()) {
      const found: Measured[] = [];
      for (const seed of plan.seeds) {
        const one = await breathing(measure(Object.values(named), setting, seed, plan), ended);
        if (one === undefined) break;
        found.push(one);
      }
      complete = found.length === plan.seeds.length;
      if (!complete) break;
      records.push(...recordsOf(Object.keys(named), setting, found));
      progress.done(done + 1);
    }
  } finally {
    progress.end();
  }
  return new ReportCard(records, complete);
}

/** Rules by the names under which the card shows them; rules of one name are numbered. */
export function namedRows(rows: CardRows): Record<string, Recipe> {
  const row = (given: Recipe | RecipeNameInput): Recipe =>
    typeof given === "string" ? recipe(given) : given;
  if (typeof rows === "string" || "advantage" in rows)
    return { [row(rows as Recipe).name]: row(rows as Recipe) };
  const named: Record<string, Recipe> = {};
  for (const [key, given] of Object.entries(rows)) {
    const one = row(given as Recipe | RecipeNameInput);
    let name: string = Array.isArray(rows) ? one.name : key;
    for (let k = 2; Object.hasOwn(named, name); k++) name = `${one.name} (${k})`;
    named[name] = one;
  }
  if (Object.keys(named).length === 0) {
    throw new RangeError("Cannot make a report card: there must be a rule, got none.");
  }
  return named;
}

/** Runs a measurement to its end, with pauses; undefined if it is to end before. */
async function breathing<X>(
  steps: Generator<void, X, undefined>,
  ended: () => boolean,
): Promise<X | undefined> {
  for (let since = performance.now(); !ended();) {
    const { done, value } = steps.next();
    if (done) return value;
    if (performance.now() - since < BREATH) continue;
    await new Promise((resolve) => setTimeout(resolve, 0));
    since = performance.now();
  }
  return undefined;
}

/** A record for each rule: the means over the policies. */
export function recordsOf(
  names: readonly string[],
  { world, horizon, groups, groupSize, staleness, mismatch }: Setting,
  found: readonly Measured[],
): CardRecord[] {
  const exact = found.every((one) => one.exact);
  const batches = found.reduce((sum, one) => sum + one.batches, 0);
  return names.map((row, r) => {
    const figures = figureNames.map((name) => [
      name,
      meanFigure(found.map((one) => told(one.figures[r]!, name))),
    ]);
    return {
      row,
      world: world.name,
      horizon,
      groups,
      groupSize,
      staleness,
      mismatch,
      policies: found.length,
      method: exact ? "enumerated" : "sampled",
      batches,
      ...(Object.fromEntries(figures) as Pick<CardRecord, (typeof figureNames)[number]>),
    };
  });
}

/** Drops the direction where none can be determined; where nothing ever moves, there is neither signal nor noise. */
function told(figures: Record<FigureName, Figure>, name: FigureName): Figure {
  const { value, error } = figures[name];
  if (name === "expectedCosine" && Number.isNaN(value)) return { value: 0, error };
  if (name === "signalToNoise" && figures.silent.value === 1) return { value: NaN, error: null };
  return { value, error };
}
