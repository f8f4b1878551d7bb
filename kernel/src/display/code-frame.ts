/** The colors of tracebacks: front ends and the page of a notebook both read these escape codes. */
export const red = (text: string): string => `\u001b[31m${text}\u001b[39m`;
export const bold = (text: string): string => `\u001b[1m${text}\u001b[22m`;
export const dim = (text: string): string => `\u001b[2m${text}\u001b[22m`;

/** One line of source before the place, the line itself, and a caret under the column (both from 0). */
export function codeFrame(source: string, line: number, column: number, length = 1): string[] {
  const lines = source.split("\n");
  if (line >= lines.length) return [];
  const width = String(line + 1).length;
  const shown: string[] = [];
  for (let i = Math.max(0, line - 1); i <= line; i++) {
    shown.push(`  ${dim(`${String(i + 1).padStart(width)} |`)} ${lines[i]!.trimEnd()}`);
  }
  const text = lines[line]!;
  const lead = text.slice(0, column).replace(/[^\t]/g, " ");
  const carets = "^".repeat(Math.max(1, Math.min(length, text.length - column)));
  shown.push(`  ${dim(`${" ".repeat(width)} |`)} ${lead}${red(carets)}`);
  return shown;
}
