import type { Claim } from "turnwise/internal/plot/ledger";

/** Claims with their verdicts as a Markdown table, as the pages of studies without a lesson have it; a test compares the two. */
export function claimTable(claims: readonly Claim[]): string {
  const cell = (text: string): string => text.replaceAll("|", "\\|");
  const lines = claims.map(
    ({ claim, source, measured, verdict }) =>
      `| ${[claim, source, String(measured), verdict.text].map(cell).join(" | ")} |`,
  );
  return ["| claim | source | measured | verdict |", "| --- | --- | --- | --- |", ...lines].join("\n");
}
