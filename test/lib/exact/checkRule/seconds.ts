/** What a function returns, and the processor time that it took. */
export function timed<X>(run: () => X): { card: X; seconds: number } {
  const before = process.cpuUsage();
  const card = run();
  return { card, seconds: process.cpuUsage(before).user / 1e6 };
}
