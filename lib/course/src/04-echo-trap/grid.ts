import type { Json } from "turnwise/internal/sweep/json";
import type { RunOptions } from "turnwise/internal/sweep/options";
import { sweep, type SweepResult, type SweepRun } from "turnwise/internal/sweep/sweep";
import type { EchoTrapCell } from "./echoTrapRun";
import { leverNames, type LeverName } from "../shared/echoTrap/levers";
import type { StoredRun } from "../shared/echoTrap/stored";
import type { RunSummary } from "../shared/echoTrap/runSummary";
import type { Trap, TrapName } from "../shared/echoTrap/traps";

type Change = Partial<Trap>;

const adam = (learningRate: number): Change => ({ optimizer: { kind: "adam", learningRate } });
const sgd = (learningRate: number): Change => ({ optimizer: { kind: "sgd", learningRate } });

const cellsOf = (
  trap: TrapName,
  levers: readonly LeverName[],
  changes: readonly (Change | undefined)[] = [undefined],
): EchoTrapCell[] =>
  levers.flatMap((lever) => changes.map((change) => ({ trap, lever, ...(change && { change }) })));

/** LOOP's rows ask about the grain of the ratio; they belong to the sweep over learning rates. */
const triedLevers = leverNames.filter((lever) => lever !== "vanilla" && !lever.startsWith("LOOP"));
/** Traps B and C train with SGD, so these levers would change nothing there, or the trap itself. */
const ofAdam: readonly LeverName[] = ["SGD", "Adam beta2 .95"];
const withoutAdam = triedLevers.filter((lever) => !ofAdam.includes(lever));

const vanillas: readonly (readonly [TrapName, LeverName])[] = [
  ["sane", "vanilla"],
  ["mismatch", "vanilla"],
  ["reuse", "vanilla"],
  ["reuse", "1 step per batch"],
];

const reuseOf = [
  [1, 1],
  [2, 2],
  [4, 4],
  [6, 4],
] as const;
const phase = [0.03, 0.1, 0.3]
  .flatMap((rate) => reuseOf.map(([epochs, minibatches]) => ({ ...adam(rate), epochs, minibatches })))
  // Two corners are cells of the matrix: vanilla, and one step per batch.
  .filter(({ optimizer, epochs }) => optimizer!.learningRate !== 0.3 || epochs === 2 || epochs === 4);

const noises = [0.1, 0.2, 0.3].map((logProbNoise) => ({ logProbNoise }));
const rates = [adam(0.03), adam(0.1), adam(0.3), sgd(8), sgd(32)];
const rateLevers: readonly LeverName[] = [
  "1 step per batch",
  "turn ratio geometric",
  "SO-GRPO, KL",
  "SO-GRPO, gradient",
];
/** LOOP's question is about the grain of the ratio, at one learning rate of each optimizer. */
const grains = cellsOf("sane", ["LOOP, token", "LOOP, turn", "LOOP, trajectory"], [adam(0.1), sgd(8)]);

const parts = {
  traps: vanillas.map(([trap, lever]) => ({ trap, lever })),
  reuse: cellsOf(
    "reuse",
    triedLevers.filter((lever) => lever !== "1 step per batch"),
  ),
  cost: cellsOf("cost", ["vanilla", ...withoutAdam]),
  mismatch: cellsOf("mismatch", withoutAdam),
  phase: cellsOf("reuse", ["vanilla"], phase),
  noise: cellsOf(
    "mismatch",
    ["vanilla", "gradient clip", "turn ratio geometric", "turn ratio arithmetic", "GSPO"],
    noises,
  ),
  rates: [
    ...cellsOf("sane", ["vanilla", ...rateLevers], rates),
    // SGD at 2 is the sane setting itself, whose vanilla row is in the first part.
    ...cellsOf("sane", rateLevers),
    ...grains,
  ],
  filter: cellsOf("noisyReward", ["vanilla", "filter 50 %", "filter 25 %"], [undefined, { beta: 2 }]),
} satisfies Record<string, readonly EchoTrapCell[]>;

/** Number of seeds of every cell: effects are looked for on the first half, and must be there again on the other. */
export const echoTrapSeeds = 40;

/** The name of a part of the grid. */
export type EchoTrapPart = keyof typeof parts;

/**
 * The grid of notebooks 03 and 04 in parts, each a sweep of its own: every lever in every trap, collapse by learning rate
 * and reuse, smaller mismatch, learning rates in the sane setting, and noisy rewards.
 */
export const echoTrapParts: Readonly<Record<EchoTrapPart, readonly EchoTrapCell[]>> = Object.freeze(parts);
/** The names of the grid's parts. */
export const echoTrapPartNames = Object.freeze(Object.keys(echoTrapParts)) as readonly EchoTrapPart[];

/**
 * Difference between a setting and the trap itself, as stored runs name it: "adam=0.1 epochs=2 minibatches=2",
 * "from=20" for other seeds, empty if nothing differs.
 */
export function changeName({ change = {}, firstSeed }: Pick<EchoTrapCell, "change" | "firstSeed">): string {
  const { optimizer, ...rest } = change;
  return Object.entries({
    ...(optimizer && { [optimizer.kind]: optimizer.learningRate }),
    ...rest,
    ...(firstSeed !== undefined && { from: firstSeed }),
  })
    .map(([name, value]) => `${name}=${value}`)
    .join(" ");
}

/** Which seeds of the grid are run, and how. */
export interface EchoTrapSweepOptions extends RunOptions {
  /** Default 40: half of them to find an effect, the other half to confirm it. */
  readonly seeds?: number;
}

/**
 * Runs cells of the grid, such as those of a part, over worker threads; with `file`, goes on where it was interrupted.
 *
 * @throws {RangeError} if `sweep` refuses the cells or the file
 */
export function echoTrapSweep(
  cells: readonly EchoTrapCell[],
  { seeds = echoTrapSeeds, ...run }: EchoTrapSweepOptions = {},
): SweepRun<RunSummary> {
  const cell = cells.map((own) => ({ name: nameOf(own), ...own })) as unknown as readonly Json[];
  return sweep({
    task: { module: "turnwise-course/jobs", export: "echoTrapJob" },
    grid: { cell },
    seeds,
    metric: "final",
    ...run,
  });
}

/**
 * Results so far of a sweep of these settings, as stored runs.
 *
 * @throws {RangeError} if a result belongs to another cell
 */
export function echoTrapRows(
  part: string,
  cells: readonly EchoTrapCell[],
  results: readonly SweepResult<RunSummary>[],
): readonly StoredRun[] {
  return results.map(({ cell, seed, value }) => {
    // A sweep of one cell has no axis and so no name for it.
    const own = cells.length === 1 ? cells[0] : cells.find((each) => nameOf(each) === cell["cell"]);
    if (!own)
      throw new RangeError(
        `Cannot read a result: its cell must be of the sweep, but it is ${cell["cell"] as string}.`,
      );
    const { trap, lever, firstSeed = 0 } = own;
    return { part, trap, lever, change: changeName(own), seed: firstSeed + seed, ...value };
  });
}

function nameOf(cell: EchoTrapCell): string {
  const change = changeName(cell);
  return [cell.trap, cell.lever, ...(change === "" ? [] : [change])].join(", ");
}
