import { make } from "turnwise/internal/env/index";
import { optimalReturn, randomReturn, score } from "turnwise/internal/exact/index";
import { betweenMarkers } from "turnwise/internal/base/betweenMarkers";
import { worlds, type EnvironmentRule, type World } from "./environmentRun";
import { bootstrapInterval } from "turnwise/internal/base/interval";

/** Reference for the returns of the table, and the way the optimum is known. */
export interface EnvironmentReference {
  readonly world: string;
  readonly random: number;
  readonly optimum: number;
  readonly how: string;
  /** Beliefs that were solved. */
  readonly beliefs: number;
}

/** One measured run, a line of datasets/measured/environments.csv. */
export interface EnvironmentRow {
  readonly world: string;
  readonly rule: string;
  readonly seed: number;
  readonly mean: number;
  readonly seconds: number;
}

const solved = "dynamic programming over beliefs";

/** Random and optimal return of a world, exactly. */
export function environmentReference(world: World): EnvironmentReference {
  const env = make(world.id, world.options);
  const random = randomReturn(env);
  const { J, beliefs } = optimalReturn(env);
  return { world: world.name, random, optimum: J, how: solved, beliefs };
}

/** The table of environments as Markdown: returns with 95% bootstrap intervals over seeds, and scores. */
export function environmentTable(
  rows: readonly EnvironmentRow[],
  references: readonly EnvironmentReference[],
): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  const columns = ["environment", "skill", "optimum", "random", "grpo", "seeUpo", "seeds", "seconds"];
  const body = worlds.flatMap((world) => {
    const reference = references.find((one) => one.world === world.name);
    const own = rows.filter((row) => row.world === world.name);
    if (!reference || own.length === 0) return [];
    const of = (rule: EnvironmentRule): string => result(own, rule, reference);
    const [first, second] = ["grpo", "seeUpo"].map((rule) => own.filter((row) => row.rule === rule).length);
    return line([
      `\`${world.name}\``,
      make(world.id, world.options).spec.skill,
      number(reference.optimum),
      number(reference.random),
      of("grpo"),
      of("seeUpo"),
      first === second ? String(first) : `${String(first)} and ${String(second)}`,
      Math.min(...own.map(({ seconds }) => seconds)).toFixed(1),
    ]);
  });
  return [line(columns), line(columns.map(() => "---")), ...body].join("\n");
}

function result(
  rows: readonly EnvironmentRow[],
  rule: EnvironmentRule,
  reference: EnvironmentReference,
): string {
  const means = rows.filter((row) => row.rule === rule).map(({ mean }) => mean);
  if (means.length === 0) return "not measured";
  const { mean, low, high } = bootstrapInterval(means);
  const s = score(mean, { random: reference.random, optimal: reference.optimum });
  return `${number(mean)} [${number(low)}, ${number(high)}], score ${s.toFixed(2)}`;
}

const number = (x: number): string => (Object.is(x, -0) ? 0 : x).toFixed(3);

/**
 * The text with the table between its two marker comments.
 *
 * @throws {RangeError} if a marker is missing
 */
export function withEnvironmentTable(text: string, table: string): string {
  return betweenMarkers(text, "environments", table);
}
