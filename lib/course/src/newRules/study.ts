import { mean } from "turnwise/internal/base/statistics";
import type { RecipeName } from "turnwise/internal/rule/index";
import type { SweepTask } from "turnwise/internal/sweep/plan";

/** A claim of a paper, as a comparison of two arms in each of some worlds. */
export interface StudyQuestion<World extends string, Arm extends string, Outcome extends string> {
  /** The rule whose claims are one family under Holm's procedure. */
  readonly rule: RecipeName;
  readonly claim: string;
  readonly source: string;
  readonly own: Arm;
  readonly other: Arm;
  readonly outcome: Outcome;
  readonly claims?: "gain" | "same" | "no loss";
  readonly worlds: readonly World[];
}

/** Difference of scores, or of chances, that would make a reader choose another rule. */
export const smallestRuleEffect = 0.05;

/** An arm in a world, at a learning rate. */
interface Tried<World = string, Arm = string> {
  readonly world: World;
  readonly arm: Arm;
  readonly rate: number;
}

/** The plan of a sweep over the arms of one world. */
export interface StudyPlan<Cell extends Tried> {
  readonly task: SweepTask;
  readonly grid: { readonly cell: readonly (Cell & { readonly name: string })[] };
  readonly seeds: readonly number[];
  readonly metric: "learned";
}

/** Averages outcomes of the runs of each arm and rate over their seeds. */
export function meansByRate<World extends string, Arm extends string, O extends string>(
  runs: readonly (Tried<World, Arm> & Readonly<Record<O, number>>)[],
  outcomes: readonly O[],
): (Tried<World, Arm> & Readonly<Record<O, number>> & { readonly seeds: number })[] {
  const groups = new Map<string, (typeof runs)[number][]>();
  for (const run of runs) {
    const key = [run.world, run.arm, run.rate].join("|");
    groups.set(key, [...(groups.get(key) ?? []), run]);
  }
  return [...groups.values()].map((group) => {
    const { world, arm, rate } = group[0]!;
    const means = outcomes.map((name) => [name, mean(group.map((run) => run[name]))]);
    return { world, arm, rate, seeds: group.length, ...(Object.fromEntries(means) as Record<O, number>) };
  });
}

/**
 * The rate at which an arm's mean outcome on the seeds of the tuning is largest; of equals, the smallest.
 *
 * @throws {RangeError} if the arm was not tuned in that world
 */
export function bestRate<O extends string>(
  tuning: readonly (Tried & Readonly<Record<O, number>>)[],
  { world, arm, outcome }: { readonly world: string; readonly arm: string; readonly outcome: O },
): number {
  const own = tuning
    .filter((point) => point.world === world && point.arm === arm)
    .sort((a, b) => a.rate - b.rate);
  const [first] = own;
  if (first === undefined) {
    throw new RangeError(
      `Cannot choose a learning rate: "${arm}" must have been tuned in ${world}, got no run.`,
    );
  }
  return own.reduce((best, point) => (point[outcome] > best[outcome] ? point : best), first).rate;
}

/** A design as its preregistration lists it. */
export interface StudyDesign<World extends string> {
  readonly seeds: {
    readonly study: readonly number[];
    readonly confirmFrom: number;
    readonly tuning: readonly number[];
  };
  readonly rates: readonly number[];
  readonly worlds: Readonly<Record<World, { readonly title: string; readonly updates: number }>>;
  readonly armsIn: (world: World) => readonly string[];
  readonly questions: readonly StudyQuestion<World, string, string>[];
}

const span = (values: readonly number[]): string => `${values[0]} to ${values.at(-1)}`;

/** The plan in Markdown: a test compares it with the committed page, so that neither changes without the other. */
export function preregistered<World extends string>(design: StudyDesign<World>): string {
  const { study, confirmFrom, tuning } = design.seeds;
  const worlds = (Object.keys(design.worlds) as World[]).map((world) => {
    const { title, updates } = design.worlds[world];
    return `| ${world} | ${title} | ${updates} | ${design.armsIn(world).join("; ")} |`;
  });
  const questions = design.questions.map(
    (one) =>
      `| \`${one.rule}\` | ${one.claim} | ${one.own} | ${one.other} | ${one.outcome} | ${one.claims ?? "gain"} | ${one.worlds.join(", ")} |`,
  );
  return [
    `- Seeds of the study: ${span(study)}. Those below ${confirmFrom} find, those from ${confirmFrom} on confirm.`,
    `- Seeds of the tuning: ${span(tuning)}, at the rates ${design.rates.join(", ")} of Adam.`,
    `- Smallest effect of interest: ${smallestRuleEffect}, for every question.`,
    "",
    "| world | title | updates | arms |",
    "| --- | --- | --- | --- |",
    ...worlds,
    "",
    "| rule | claim | arm | compared with | outcome | claimed | worlds |",
    "| --- | --- | --- | --- | --- | --- | --- |",
    ...questions,
  ].join("\n");
}
