/**
 * Seconds of 500 updates of 64 trajectories in ToolChain-v0, by the clock and of the processor.
 * `node build/test/bench/toolChain.js [--rounds 5]`
 */
import { make, recipe, toolChainPolicy, train, type Recipe } from "turnwise";

const UPDATES = 500;
const at = process.argv.indexOf("--rounds");
const rounds = at < 0 ? 5 : Number(process.argv[at + 1]);

/** One optimizer step a batch, and one for each turn. */
const rows: readonly (readonly [name: string, row: Recipe])[] = [
  [
    "grpo",
    recipe("grpo", {
      aggregate: "tokenMean",
      update: { epochs: 1, minibatches: 1, optimizer: { kind: "sgd", learningRate: 8 } },
    }),
  ],
  [
    "seeUpo",
    recipe("seeUpo", {
      update: { epochs: 1, minibatches: 1, optimizer: { kind: "adam", learningRate: 0.03 } },
    }),
  ],
];

interface Timed {
  readonly clock: number;
  readonly processor: number;
  /** Share of the last batch that was solved: the work is that of a run that learns. */
  readonly success: number;
}

async function once(row: Recipe, seed: number): Promise<Timed> {
  const env = make("ToolChain-v0");
  const policy = toolChainPolicy(env.spec, { beta: 2, seed });
  const begin = performance.now();
  const before = process.cpuUsage();
  let success = 0;
  const run = train({ env, policy, recipe: row, updates: UPDATES, groups: 8, groupSize: 8, seed });
  for await (const { metrics } of run) success = metrics["success/mean"]!;
  const { user, system } = process.cpuUsage(before);
  return { clock: (performance.now() - begin) / 1000, processor: (user + system) / 1e6, success };
}

function median(values: readonly number[]): string {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!.toFixed(2);
}

async function main(): Promise<void> {
  for (const [name, row] of rows) {
    const all: Timed[] = [];
    for (let seed = 0; seed < rounds; seed++) all.push(await once(row, seed));
    const [clock, processor] = [median(all.map((x) => x.clock)), median(all.map((x) => x.processor))];
    const solved = all.map(({ success }) => success.toFixed(2)).join(" ");
    console.log(
      `${name}, ${UPDATES} updates of 64: ${clock} s, ${processor} s of the processor (medians of ${rounds}); solved at the end ${solved}`,
    );
  }
}

void main();
