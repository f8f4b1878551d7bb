/** One row of a Markdown table. */
export const markdownRow = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;

/** A Markdown table. */
export function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => "---"), ...rows].map(markdownRow).join("\n");
}
