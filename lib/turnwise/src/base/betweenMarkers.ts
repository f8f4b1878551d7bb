/**
 * Replaces what stands between `<!-- name:start -->` and `<!-- name:end -->` in a text by a table.
 *
 * @throws {RangeError} if a marker is missing
 */
export function betweenMarkers(text: string, name: string, table: string): string {
  const open = `<!-- ${name}:start -->`;
  const close = `<!-- ${name}:end -->`;
  const start = text.indexOf(open);
  const end = text.indexOf(close);
  if (start < 0 || end < start) {
    throw new RangeError(
      `Cannot write the table of ${name}: the text must hold ${open} and then ${close}, but a marker is missing.`,
    );
  }
  return `${text.slice(0, start + open.length)}\n\n${table}\n\n${text.slice(end)}`;
}
