import { short, table } from "./peers/statistics.js";
import type { PartName } from "./parts.js";
import type { Figure } from "./record.js";

/** A ratio that is wanted of one run: theirs over ours, so that more is better. */
interface Goal {
  readonly part: PartName;
  readonly what: string;
  readonly wanted: number;
  readonly of: (figures: readonly Figure[]) => number | undefined;
}

type Which = "wall" | "processor";

/** The fastest of some contenders at a piece of work; undefined if one of them was not measured. */
function best(
  figures: readonly Figure[],
  work: string,
  names: readonly string[],
  which: Which = "wall",
): number | undefined {
  const found = names.map((name) => figures.find((f) => f.work === work && f.contender === name)?.[which]);
  if (found.some((time) => time === undefined)) return undefined;
  return Math.min(...(found as number[]));
}

function ratio(theirs: number | undefined, ours: number | undefined): number | undefined {
  return theirs === undefined || ours === undefined ? undefined : theirs / ours;
}

const sizes = [64, 512, 4096] as const;

/** The better of one and two threads on both sides. */
function overTorch(work: string, figures: readonly Figure[]): number | undefined {
  return ratio(best(figures, work, ["torch 1T", "torch 2T"]), best(figures, work, ["fused", "fused 2T"]));
}

function updates(kind: string, wanted: readonly [number, number, number]): Goal[] {
  return sizes.map((n, i) => ({
    ...{ part: "update", what: `update ${kind} ${n}, over PyTorch`, wanted: wanted[i]! },
    of: (figures) => overTorch(`${kind} ${n}`, figures),
  }));
}

function rollouts(kind: string, wanted: readonly [number, number]): Goal[] {
  return [16, 256].map((n, i) => ({
    ...{
      part: "rollout",
      what: `rollout ${kind}, ${n} sequences, over PyTorch with cache`,
      wanted: wanted[i]!,
    },
    of: (figures) =>
      ratio(best(figures, `${kind}, ${n}`, ["torch 1T"]), best(figures, `${kind}, ${n}`, ["fused"])),
  }));
}

const tabular = "table of 64 x 8, 2048 samples";

const goals: readonly Goal[] = [
  ...updates("mlp", [6, 3, 1.6]),
  ...updates("gru", [25, 9, 6]),
  ...updates("transformer", [2.5, 1.9, 1.35]),
  ...sizes.map((n): Goal => ({
    ...{ part: "update", what: `update transformer ${n}, over JAX under jit`, wanted: 1 },
    of: (figures) =>
      ratio(
        best(figures, `transformer ${n}`, ["JAX jit"]),
        best(figures, `transformer ${n}`, ["fused", "fused 2T"]),
      ),
  })),
  ...rollouts("gru", [6, 2.7]),
  ...rollouts("transformer", [5, 2]),
  {
    ...{ part: "tabular", what: "tabular step, over NumPy on equal work", wanted: 2 },
    of: (figures) =>
      ratio(
        best(figures, tabular, ["NumPy, with the trainer's metrics"], "processor"),
        best(figures, tabular, ["turnwise"], "processor"),
      ),
  },
  {
    ...{ part: "endToEnd", what: "end to end, least of all rows, over PyTorch", wanted: 4 },
    of: (figures) => {
      const works = [...new Set(figures.map(({ work }) => work))];
      const ratios = works.map((work) =>
        ratio(best(figures, work, ["PyTorch"]), best(figures, work, ["turnwise"])),
      );
      if (works.length === 0 || ratios.some((x) => x === undefined)) return undefined;
      return Math.min(...(ratios as number[]));
    },
  },
  {
    ...{ part: "sweep", what: "first sweep on two workers, over one thread", wanted: 1.7 },
    of: (figures) =>
      ratio(best(figures, "first sweep", ["one thread"]), best(figures, "first sweep", ["two workers"])),
  },
];

/** What was wanted, and what the figures of each part give; a part that was not measured, or whose peer was not there, has no row. */
export function goalsTable(measured: ReadonlyMap<PartName, readonly Figure[]>): string {
  const rows = goals.flatMap(({ part, what, wanted, of }) => {
    const found = of(measured.get(part) ?? []);
    if (found === undefined) return [];
    return [[what, String(wanted), short(found), found >= wanted ? "reached" : "not reached"]];
  });
  return rows.length === 0 ? "" : table(["times as fast", "goal", "measured", ""], rows);
}
