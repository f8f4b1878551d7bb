const entities: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

const readable = Object.fromEntries(
  Object.entries(entities).map(([character, entity]) => [entity, character]),
);

/** Escapes text for HTML, also inside an attribute. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character]!);
}

/** An HTML table with a header row and row labels; all text is escaped. */
export function htmlTable(o: {
  columns: readonly string[];
  labels: readonly string[];
  rows: readonly (readonly string[])[];
  /** Background color of a cell, as CSS. */
  color?: (row: number, column: number) => string;
}): string {
  const head = o.columns.length
    ? `<thead><tr><th></th>${o.columns.map((name) => `<th scope="col">${escapeHtml(name)}</th>`).join("")}</tr></thead>`
    : "";
  const body = o.rows
    .map((row, i) => {
      const cells = row
        .map((text, j) => {
          const color = o.color?.(i, j);
          return `<td${color === undefined ? "" : ` style="${color}"`}>${escapeHtml(text)}</td>`;
        })
        .join("");
      return `<tr><th scope="row">${escapeHtml(o.labels[i] ?? "")}</th>${cells}</tr>`;
    })
    .join("");
  return `<table>${head}<tbody>${body}</tbody></table>`;
}

const longestText = 1_000;

/** Visible text of HTML, without its markup; for places that show plain text. */
export function textOfHtml(html: string): string {
  // A page of megabytes need not be read to its end for its first lines.
  const text = html
    .slice(0, 50 * longestText)
    .replace(/<(script|style)\b[^]*?(<\/\1>|$)/gi, "")
    .replace(/<\/(p|div|li|tr|h[1-6]|table)>|<br\b[^>]*>/gi, "\n")
    .replace(/<[^>]*(>|$)/g, "")
    .replace(/&(amp|lt|gt|quot|#39|nbsp);/g, (entity) => readable[entity] ?? " ")
    .replace(/[ \t]+/g, " ")
    .replace(/\s*\n\s*/g, "\n")
    .trim();
  if (text === "") return "<HTML>";
  return text.length > longestText ? `${text.slice(0, longestText)}...` : text;
}
