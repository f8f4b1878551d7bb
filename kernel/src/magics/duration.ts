/** A time in milliseconds with three digits and the unit that suits it: `1.23 s`, `45.6 µs`. */
export function duration(ms: number): string {
  if (ms >= 60_000) {
    const seconds = Math.round(ms / 1_000);
    return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  }
  const units: [unit: string, inMs: number][] = [
    ["s", 1_000],
    ["ms", 1],
    ["µs", 1e-3],
    ["ns", 1e-6],
  ];
  const [unit, inMs] = units.find(([, size]) => ms >= size) ?? units.at(-1)!;
  return `${Number((ms / inMs).toPrecision(3))} ${unit}`;
}
