/** Milliseconds that processors worked for this process: waiting for a core that others have does not count. */
export function processorTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** Wall time and processor time of one piece of work, ms. */
export function timed(work: () => void): { wall: number; processor: number } {
  const worked = processorTime();
  const begin = performance.now();
  work();
  return { wall: performance.now() - begin, processor: processorTime() - worked };
}

export function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!;
}

/** Three significant digits. */
export function short(value: number): string {
  return String(Number(value.toPrecision(3)));
}

/** A table in Markdown. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}
