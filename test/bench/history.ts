import { appendFileSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { short, table } from "./peers/statistics.js";
import { parts, type PartName } from "./parts.js";
import type { Figure } from "./record.js";

/** One run of a part, as a line of its file. */
export interface Run {
  readonly part: PartName;
  /** With "+" where files differed from it. */
  readonly commit: string;
  readonly date: string;
  readonly quick: boolean;
  readonly machine: string;
  readonly node: string;
  /** Of the minute before the run and the minute before its end. */
  readonly load: readonly [before: number, after: number];
  /** What was compared with, by name. */
  readonly versions: Readonly<Record<string, string>>;
  readonly figures: readonly Figure[];
}

const fileOf = (folder: string, part: PartName): string => join(folder, `${part}.jsonl`);

export function remember(folder: string, run: Run): void {
  mkdirSync(folder, { recursive: true });
  appendFileSync(fileOf(folder, run.part), `${JSON.stringify(run)}\n`);
}

export function runsOf(folder: string, part: PartName): Run[] {
  const file = fileOf(folder, part);
  if (!existsSync(file)) return [];
  return readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Run);
}

/** Two runs on the same machine differ by so much without a reason. */
const noise = 1.25;

export interface Change {
  readonly work: string;
  readonly contender: string;
  /** Times as long as before, after division by what the others took more. */
  readonly times: number;
  readonly verdict: "slower" | "faster" | "the same";
}

/** The time that is compared: of the processors where it is known, as a busy machine lengthens it less. */
const timeOf = ({ wall, processor }: Figure): number => processor ?? wall;

/** What became of our figures since `before`; the contenders that are not ours tell how much slower the machine was. */
export function changes(before: Run, after: Run): Change[] {
  const { ours } = parts[after.part];
  const old = new Map(
    before.figures.map((figure) => [`${figure.work}\n${figure.contender}`, timeOf(figure)]),
  );
  const ratio = (figure: Figure): number | undefined => {
    const was = old.get(`${figure.work}\n${figure.contender}`);
    return was === undefined ? undefined : timeOf(figure) / was;
  };
  return after.figures.flatMap((figure) => {
    const own = ratio(figure);
    if (!ours.test(figure.contender) || own === undefined) return [];
    const others = after.figures
      .filter(({ work, contender }) => work === figure.work && !ours.test(contender))
      .map(ratio)
      .filter((x) => x !== undefined);
    const drift = Math.exp(others.reduce((sum, x) => sum + Math.log(x), 0) / Math.max(1, others.length));
    const times = own / drift;
    const verdict = times > noise ? "slower" : times < 1 / noise ? "faster" : "the same";
    return [{ work: figure.work, contender: figure.contender, times, verdict }];
  });
}

/** Only runs of one machine, size and line of Node differ by the commit alone. */
function comparable(a: Run, b: Run): boolean {
  const line = ({ node }: Run): string => node.split(".")[0]!;
  return a.machine === b.machine && a.quick === b.quick && line(a) === line(b);
}

/** The newest run of a part against the last comparable one before it. */
export function comparison(folder: string, part: PartName): string {
  const runs = runsOf(folder, part);
  const after = runs.at(-1);
  const before = after && runs.slice(0, -1).findLast((run) => comparable(run, after));
  if (after === undefined || before === undefined)
    return `${part}: nothing to compare with yet on this machine and Node.`;
  const found = changes(before, after);
  const moved = found.filter(({ verdict }) => verdict !== "the same");
  const head = `${part}: ${after.commit} of ${after.date.slice(0, 10)} (Node ${after.node}, load ${after.load.join(" to ")}) against ${before.commit} of ${before.date.slice(0, 10)} (Node ${before.node}, load ${before.load.join(" to ")}): `;
  if (moved.length === 0)
    return `${head}none of ${found.length} figures of ours moved by ${noise} times or more.`;
  const rows = moved.map(({ work, contender, times, verdict }) => [work, contender, short(times), verdict]);
  return `${head}${moved.length} of ${found.length} figures moved.\n\n${table(["work", "", "times as long", ""], rows)}`;
}
