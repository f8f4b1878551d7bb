import { loadavg } from "node:os";
import { parseArgs } from "node:util";
import { record } from "../record.js";
import { measure, memoryAt, quantile, type Figures, type Memory } from "./measure.js";
import { peers } from "./peers.js";

// Usage: node build/test/bench/kernel/main.js [rounds] [cells] [--no-peers]
// Memory is that of all processes of a kernel, read in the same way for each: the sum of what they have resident, and behind it
// the sum with every shared page divided among those that share it.
// Runs the kernels in turns, so that a busy machine is busy for all of them, and prints medians as a Markdown table.

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { "no-peers": { type: "boolean", default: false } },
});
const rounds = Number(positionals[0] ?? 3);
const cells = Number(positionals[1] ?? 300);

const rows: [string, (figures: Figures) => string][] = [
  ["start to first result of a typed cell, s", (f) => (f.firstResult / 1_000).toFixed(2)],
  ["`1+1` round trip, ms (95 %)", (f) => `${f.roundTrip.toFixed(1)} (${f.roundTrip95.toFixed(1)})`],
  ["completion after a dot, warm, ms", (f) => f.completion.toFixed(1)],
  ["small cell: 10th, ms", (f) => f.cell10.toFixed(1)],
  [`small cell: ${cells}th, ms`, (f) => f.cell300.toFixed(1)],
  ["10,000 printed lines: delivered", (f) => `${(100 * f.linesDelivered).toFixed(1)}%`],
  [
    "10,000 printed lines: until idle, s",
    (f) => (Number.isNaN(f.linesTime) ? "never" : (f.linesTime / 1_000).toFixed(2)),
  ],
  ["display of 5 MB, s", (f) => (f.displayTime / 1_000).toFixed(2)],
  ["interrupt of a synchronous loop, ms", (f) => f.interrupt.toFixed(0)],
  ...memoryAt
    .filter((count) => count <= cells)
    .map((count): [string, (figures: Figures) => string] => [
      `memory after ${count} cells, MB (shared pages divided)`,
      (f) => `${f.memory[count]!.resident.toFixed(0)} (${f.memory[count]!.proportional.toFixed(0)})`,
    ]),
];

type Timed = Exclude<keyof Figures, "memory">;

async function main(): Promise<void> {
  const measured = peers(!values["no-peers"]).map((peer) => ({ peer, all: [] as Partial<Figures>[] }));
  for (let round = 0; round < rounds; round++) {
    for (const { peer, all } of measured) {
      process.stderr.write(`round ${round + 1}/${rounds}: ${peer.name} ${peer.version}\n`);
      try {
        // The slope over many cells is measured once: it takes as long as all the rest.
        all.push(await measure(peer, round === 0 ? cells : 20));
      } catch (error) {
        process.stderr.write(`  ${(error as Error).message}\n`);
      }
    }
  }
  const middle = (numbers: readonly (number | undefined)[]): number =>
    quantile(
      numbers.map((one) => one ?? NaN),
      0.5,
    );
  const median = (all: Partial<Figures>[]): Figures =>
    new Proxy({} as Figures, {
      get: (_target, name) => {
        if (name !== "memory") return middle(all.map((one) => one[name as Timed]));
        const of = (count: number, kind: keyof Memory): number =>
          middle(all.map(({ memory }) => memory?.[count]?.[kind]));
        return Object.fromEntries(
          memoryAt.map((count) => [
            count,
            { resident: of(count, "resident"), proportional: of(count, "proportional") },
          ]),
        );
      },
    });
  const timed = [
    "firstResult",
    "roundTrip",
    "completion",
    "cell10",
    "displayTime",
    "linesTime",
    "interrupt",
  ] as const;
  record(
    timed
      .flatMap((work) =>
        measured.map(({ peer, all }) => ({ work, contender: peer.name, wall: median(all)[work] })),
      )
      .filter(({ wall }) => Number.isFinite(wall)),
  );
  console.log(
    `| Node ${process.version}, load ${loadavg()[0]!.toFixed(1)}, median of ${rounds} | ${measured.map(({ peer }) => `${peer.name} ${peer.version}`).join(" | ")} |`,
  );
  console.log(`|---|${measured.map(() => "---|").join("")}`);
  for (const [title, show] of rows) {
    console.log(`| ${title} | ${measured.map(({ all }) => show(median(all))).join(" | ")} |`);
  }
}

void main().then(() => process.exit(0));
