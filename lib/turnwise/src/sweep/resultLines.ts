import { parseLine, toLine, type Json } from "./json";
import { currentPlan, type Shard, type SweepPlan } from "./plan";

/** Result of one job, as a line of a results file. */
export interface ResultRow {
  readonly key: string;
  readonly cell: Readonly<Record<string, Json>>;
  readonly seed: number;
  readonly value: Json;
  /** Duration of the job: the one part of a row that differs from run to run. */
  readonly seconds: number;
}

/** The first line of a results file: what its rows are results of. */
export interface Header {
  readonly plan: SweepPlan;
  readonly shard: Shard | null;
}

const VERSION = 1;

/** Start of the first line of every results file. */
export const HEADER_START = '{"format":"turnwise-sweep"';

export function headerLine({ plan, shard }: Header): string {
  return toLine({ format: "turnwise-sweep", version: VERSION, plan, shard }, "the plan");
}

export function isHeader(line: string): boolean {
  return line.startsWith(HEADER_START);
}

/** @throws {RangeError} if the line does not describe a sweep, or in another version of the format */
export function parseHeader(file: string, line: string | undefined): Header {
  const found = line !== undefined && isHeader(line) ? recordOf(line) : undefined;
  if (found && found["version"] !== VERSION) {
    throw new RangeError(
      `Cannot read ${file}: its format must be of version ${VERSION}, got ${String(found["version"])}.`,
    );
  }
  const plan = recordFrom(found?.["plan"]);
  if (!plan || recordFrom(plan["task"]) === undefined) {
    throw new RangeError(`Cannot read ${file}: its first line must describe a sweep.`);
  }
  const header = found as unknown as Header;
  return { ...header, plan: currentPlan(header.plan) };
}

/** @throws {RangeError} if the line is not a result; the message tells its number */
export function parseRow(file: string, line: string, number: number): ResultRow {
  const row = recordOf(line);
  const whole =
    row !== undefined &&
    typeof row["key"] === "string" &&
    typeof row["seed"] === "number" &&
    typeof row["seconds"] === "number" &&
    recordFrom(row["cell"]) !== undefined &&
    row["value"] !== undefined;
  if (whole) return row as unknown as ResultRow;
  throw new RangeError(
    `Cannot read ${file}: each line must be a result, but line ${number} begins with ` +
      `${JSON.stringify(line.slice(0, 40))} (without that line, its job runs again).`,
  );
}

/** The parts of the plan, and "shard", in which a stored header differs from another, with both values. */
export function differences(a: Header, b: Header): string[] {
  const [left, right] = [partsOf(a), partsOf(b)];
  const names = new Set([...Object.keys(left), ...Object.keys(right)]);
  const differing = [...names]
    .filter((name) => left[name] !== right[name])
    .map((name) => `${name} (stored ${shortened(left[name])}, now ${shortened(right[name])})`);
  // The order of the settings is that of the options.
  const sameOrder = Object.keys(a.plan.grid).join() === Object.keys(b.plan.grid).join();
  return differing.length > 0 || sameOrder ? differing : ["order of options"];
}

function shortened(value = "nothing"): string {
  return value.length > 80 ? `${value.slice(0, 79)}…` : value;
}

function partsOf({ plan, shard }: Header): Record<string, string> {
  const { grid, ...rest } = plan;
  const options = Object.entries(grid).map(([name, value]) => [`grid.${name}`, value] as const);
  const parts = [...options, ...Object.entries({ ...rest, shard })];
  return Object.fromEntries(parts.map(([name, value]) => [name, toLine(value, name)]));
}

function recordOf(line: string): Readonly<Record<string, Json>> | undefined {
  try {
    return recordFrom(parseLine(line));
  } catch {
    return undefined;
  }
}

function recordFrom(value: Json | undefined): Readonly<Record<string, Json>> | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, Json>>)
    : undefined;
}
