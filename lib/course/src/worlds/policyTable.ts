import { betweenMarkers } from "turnwise/internal/base/betweenMarkers";
import { matrixWorlds, misfit, policyColumns } from "./policyRun";

/** One measured run, a line of datasets/measured/policies.csv. */
export interface PolicyRow {
  readonly world: string;
  readonly policy: string;
  readonly seed: number;
  /** Expected return of uniform tokens, exact. */
  readonly random: number;
  readonly untrained: number;
  readonly mean: number;
  readonly standardError: number;
  readonly seconds: number;
}

/** Standard errors by which a trained policy must exceed the random agent. */
const CONFIDENCE = 3;

/** Whether a run's mean exceeds the exact return of the random agent by more than three of its standard errors. */
export function beatsRandom(row: Pick<PolicyRow, "random" | "mean" | "standardError">): boolean {
  return row.mean - CONFIDENCE * row.standardError > row.random;
}

/**
 * The matrix as Markdown: the mean return over the seeds in every cell, with how many of the seeds beat the random agent
 * where not all of them do, and a dash where the policy cannot act.
 */
export function policyTable(rows: readonly PolicyRow[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  const columns = ["environment", "random", ...policyColumns.map(({ name }) => name), "seeds"];
  const body = matrixWorlds.flatMap((world) => {
    const own = rows.filter((row) => row.world === world.name);
    if (own.length === 0) return [];
    const counts = policyColumns
      .map(({ name }) => own.filter((row) => row.policy === name).length)
      .filter((count) => count > 0);
    const seeds = [...new Set([Math.min(...counts), Math.max(...counts)])];
    const cells = policyColumns.map((column) => {
      if (misfit(world, column) !== undefined) return "–";
      return cell(own.filter((row) => row.policy === column.name));
    });
    return line([`\`${world.name}\``, own[0]!.random.toFixed(3), ...cells, seeds.join(" to ")]);
  });
  return [line(columns), line(columns.map(() => "---")), ...body].join("\n");
}

function cell(rows: readonly PolicyRow[]): string {
  if (rows.length === 0) return "not measured";
  const mean = rows.reduce((sum, row) => sum + row.mean, 0) / rows.length;
  const better = rows.filter(beatsRandom).length;
  const share = better === rows.length ? "" : ` (**${better} of ${rows.length}**)`;
  return `${mean.toFixed(3)}${share}`;
}

/**
 * The text with the table between its two marker comments.
 *
 * @throws {RangeError} if a marker is missing
 *
 * @public
 */
export function withPolicyTable(text: string, table: string): string {
  return betweenMarkers(text, "policies", table);
}
