/** How a text went, as far as someone who runs it can tell. */
export interface Outcome {
  /** The name of the error that ended it; "" if it came to its end. */
  thrown: string;
  /** It was refused before it ran. */
  refused?: boolean;
  /** The words of that error. They are shown, and not compared. */
  words: string;
  printed: string[];
  /** The values of the names that it declares, described; without those that mean nothing yet. */
  values: Record<string, string>;
}

/** What differs, in one line; undefined if nothing does. */
export function difference(file: Outcome, cells: Outcome): string | undefined {
  const how = ({ thrown, words }: Outcome): string =>
    thrown === "" ? "ends" : `${thrown}: ${words.slice(0, 120)}`;
  if (file.thrown !== cells.thrown) return `file ${how(file)} | cells ${how(cells)}`;
  const [printed, inCells] = [file.printed.join("\n"), cells.printed.join("\n")];
  if (printed !== inCells)
    return `printed: file ${JSON.stringify(printed.slice(0, 200))} | cells ${JSON.stringify(inCells.slice(0, 200))}`;
  if (file.refused) return undefined;
  for (const name of new Set([...Object.keys(file.values), ...Object.keys(cells.values)])) {
    const [one, other] = [file.values[name], cells.values[name]];
    if (one !== other) return `${name}: file ${one ?? "nothing"} | cells ${other ?? "nothing"}`;
  }
  return undefined;
}
