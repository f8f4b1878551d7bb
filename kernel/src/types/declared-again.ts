const ofCell = /import\("[^"]*\/__turnwise_cell\w*"\)\.([\w$]+)/g;
const someCell = "Another cell";

/** The message without the kernel's own names of cells; of a class that two cells have declared it says so. */
export function withoutCellFiles(message: string): string {
  const files = new Map<string, Set<string>>();
  for (const [whole, name] of message.matchAll(ofCell))
    files.set(name!, (files.get(name!) ?? new Set()).add(whole));
  const again = [...files].filter(([, all]) => all.size > 1).map(([name]) => name);
  const plain = message.replace(ofCell, "$1");
  if (again.length === 0) return plain;
  return `${plain}\n${again.map((name) => `${someCell} has declared ${name} again since the value was made: make it again.`).join("\n")}`;
}

/** The message with the number of the cell that has declared a name again. */
export function withCellNumbers(message: string, cellOf: (name: string) => string | undefined): string {
  return message.replace(/^Another cell has declared ([\w$]+) again/gm, (whole, name: string) => {
    const [, number] = /^cell_(\d+)\.ts$/.exec(cellOf(name) ?? "") ?? [];
    return number === undefined ? whole : whole.replace(someCell, `Cell ${number}`);
  });
}
