import { bootstrapInterval, type Interval } from "../base/interval";

export type CellState = "waiting" | "running" | "done" | "pruned";

/** Progress of one setting of a sweep. */
export interface CellProgress {
  readonly label: string;
  readonly done: number;
  readonly planned: number;
  readonly failed: number;
  readonly state: CellState;
  /** Mean of the metric with its bootstrap interval over seeds, once there is a value. */
  readonly metric?: Interval;
}

/** Progress of a sweep. */
export interface SweepProgress {
  readonly done: number;
  readonly planned: number;
  readonly failed: number;
  readonly workers: number;
  /** Jobs per second in this run, parts of jobs included; 0 while unknown. */
  readonly rate: number;
  /** Seconds until the end at this rate; undefined while unknown and after the end. */
  readonly secondsLeft?: number;
  readonly state: "running" | "finished" | "stopped" | "failed";
  readonly metric?: string;
  readonly cells: readonly CellProgress[];
}

/** The line above the table: jobs, rate and time left. */
export function progressLine(p: SweepProgress): string {
  const parts = [`${p.done} of ${p.planned} jobs`];
  if (p.failed > 0) parts.push(`${p.failed} failed`);
  if (p.state !== "running") return [...parts, p.state].join(", ");
  parts.push(p.workers === 0 ? "in this thread" : `${p.workers} worker${p.workers === 1 ? "" : "s"}`);
  if (p.rate > 0)
    parts.push(p.rate >= 1 ? `${p.rate.toFixed(1)} jobs/s` : `${(1 / p.rate).toFixed(1)} s/job`);
  if (p.secondsLeft !== undefined) parts.push(`${timeText(p.secondsLeft)} left`);
  return parts.join(", ");
}

/** The table of a terminal, one line for each setting. */
export function progressText(p: SweepProgress): string {
  const width = Math.max(...p.cells.map(({ label }) => label.length));
  const lines = p.cells.map((cell) => {
    const share = `${cell.done}/${cell.planned}`.padStart(7);
    const failed = cell.failed > 0 ? `, ${cell.failed} failed` : "";
    return `${cell.label.padEnd(width)} ${share}  ${cell.state.padEnd(8)} ${intervalText(cell.metric)}${failed}`.trimEnd();
  });
  return [progressLine(p), ...lines].join("\n");
}

/** A mean with its interval, as the tables show it. */
export function intervalText(interval: Interval | undefined): string {
  if (!interval) return "";
  const { mean, low, high, n } = interval;
  return n === 1 ? mean.toFixed(3) : `${mean.toFixed(3)} [${low.toFixed(3)}, ${high.toFixed(3)}]`;
}

/** The interval of those values that are finite; undefined if none is. */
export function intervalOf(values: readonly (number | undefined)[]): Interval | undefined {
  const finite = values.filter((x): x is number => x !== undefined && Number.isFinite(x));
  return finite.length === 0 ? undefined : bootstrapInterval(finite, { resamples: 400 });
}

function timeText(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s`;
  return seconds < 5400 ? `${Math.round(seconds / 60)} min` : `${(seconds / 3600).toFixed(1)} h`;
}
