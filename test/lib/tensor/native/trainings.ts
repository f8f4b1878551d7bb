import { createHash } from "node:crypto";
import { parseArgs } from "node:util";
import { train } from "turnwise";
import { fusedReport } from "turnwise/tensor";
import { runNode } from "../../../support/command.js";

/*
 * Short training runs three ways: on native kernels, in WebAssembly and in doubles. Anyone can run all of them, which takes some minutes:
 *
 *   node build/test/lib/tensor/native/trainings.js --count 200
 */

const WAYS = ["native", "wasm", "float64"] as const;
type Way = (typeof WAYS)[number];

const KINDS = ["mlp", "gru", "transformer"] as const;
const WORLDS = ["LookUp-v0", "TMaze-v0", "MatrixChain-v0"];
const RULES = ["drGrpo", "seeUpo", "reinforcePlusPlus"] as const;
const UPDATES = 8;

/** What one training gave. */
interface Outcome {
  readonly name: string;
  /** Of all records and of the parameters at the end. */
  readonly digest: string;
  /** The mean reward of each update. */
  readonly curve: readonly number[];
}

/** How far doubles may be from 32 bits. */
const TOLERANCE = {
  /** The curves are the same until a token is drawn differently, which happens seldom: at most in such a share of training runs. */
  others: 0.2,
  /** Then they are two samples of one training: the mean of all curves differs by less than this, in reward. */
  mean: 0.01,
} as const;

async function training(i: number, way: Way): Promise<Outcome> {
  const kind = KINDS[i % 3]!;
  const env = WORLDS[Math.floor(i / 3) % 3]!;
  const recipe = RULES[Math.floor(i / 9) % 3]!;
  const seed = Math.floor(i / 27);
  const compute = way === "float64" ? "float64" : "wasm";
  const run = train({
    env,
    policy: { kind, width: 20, window: 24, compute },
    recipe,
    updates: UPDATES,
    seed,
  });
  const hash = createHash("sha256");
  const curve: number[] = [];
  for await (const { seconds: _, ...record } of run) {
    hash.update(JSON.stringify(record));
    curve.push(record.metrics["reward/mean"]!);
  }
  // It names the kernels, which differ.
  const { kernels: _, ...checkpoint } = run.checkpoint();
  hash.update(JSON.stringify(checkpoint));
  return { name: `${kind} ${env} ${recipe} ${seed}`, digest: hash.digest("hex"), curve };
}

/** The same training runs in a process of its own, which chooses its kernels when it loads them. */
async function outcomes(way: Way, count: number): Promise<Outcome[]> {
  const env = { TURNWISE_NATIVE: way === "native" ? "" : "off" };
  const { code, stdout, stderr } = await runNode([__filename, "--way", way, "--count", String(count)], {
    env,
  });
  if (code !== 0) throw new Error(stderr);
  const { kernels, found } = JSON.parse(stdout) as { kernels: string; found: Outcome[] };
  if (way !== "float64" && kernels !== way)
    throw new Error(`Cannot train on ${way} kernels: these are ${kernels}`);
  return found;
}

/** What was compared. */
export interface Comparison {
  /** Training runs in which native kernels and WebAssembly differ in any bit. */
  readonly different: readonly string[];
  /** Training runs whose rewards in doubles are others. */
  readonly others: readonly string[];
  /** The largest difference that the mean of all curves has at any update. */
  readonly mean: number;
  /** One sentence for each promise that is not kept. */
  readonly broken: readonly string[];
}

/** Runs training runs all three ways and compares them. */
export async function compareTrainings(count: number): Promise<Comparison> {
  const [native, wasm, float64] = (await Promise.all(WAYS.map((way) => outcomes(way, count)))) as [
    Outcome[],
    Outcome[],
    Outcome[],
  ];
  const names = (differ: (i: number) => boolean): string[] =>
    native.filter((_, i) => differ(i)).map(({ name }) => name);
  const different = names((i) => native[i]!.digest !== wasm[i]!.digest);
  const others = names((i) => native[i]!.curve.some((reward, u) => reward !== float64[i]!.curve[u]));
  const mean = Math.max(
    ...Array.from({ length: UPDATES }, (_, u) => {
      const sum = native.reduce((total, { curve }, i) => total + curve[u]! - float64[i]!.curve[u]!, 0);
      return Math.abs(sum) / count;
    }),
  );
  return {
    ...{ different, others, mean },
    broken: [
      ...(different.length > 0
        ? [`native kernels have other bits than WebAssembly: ${different.join(", ")}`]
        : []),
      ...(others.length > TOLERANCE.others * count
        ? [
            `in doubles the rewards of ${others.length} of ${count} trainings are others: ${others.join(", ")}`,
          ]
        : []),
      ...(mean >= TOLERANCE.mean
        ? [`in doubles the mean curve differs by ${mean}, and ${TOLERANCE.mean} is allowed`]
        : []),
    ],
  };
}

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { count: { type: "string" }, way: { type: "string" } } });
  const count = Number(values.count ?? 200);
  if (values.way !== undefined) {
    const found: Outcome[] = [];
    for (let i = 0; i < count; i++) found.push(await training(i, values.way as Way));
    process.stdout.write(JSON.stringify({ kernels: fusedReport().kernels, found }));
    return;
  }
  const { different, others, mean, broken } = await compareTrainings(count);
  console.log(`${count} trainings of ${UPDATES} updates`);
  console.log(`native and WebAssembly differ in ${different.length}`);
  console.log(`doubles have other rewards in ${others.length}: ${others.join(", ")}`);
  console.log(`the mean curve differs by at most ${mean}`);
  for (const sentence of broken) console.error(sentence);
  process.exitCode = broken.length > 0 ? 1 : 0;
}

if (require.main === module) void main();
