// Uses internals of turnwise/tensor.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { loadBackend, fusedReport } from "turnwise/tensor";
import { fusedArena } from "turnwise/internal/tensor/fused/index";
import { engineProgram } from "../engine.js";
import { Peer, type Answer } from "../peers/peer.js";
import { median, short, table } from "../peers/statistics.js";
import { withPeers, type Peers } from "../peers/withPeers.js";
import { record, type Figure } from "../record.js";
import { plainWork } from "./plainWork.js";
import { repeat } from "./repeat.js";
import { KINDS, work, type Kind, type Work } from "./work.js";

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "5" },
    samples: { type: "string", default: "64,512,4096" },
    kinds: { type: "string", default: KINDS.join(",") },
    milliseconds: { type: "string", default: "300" },
    compiled: { type: "boolean", default: false },
    skip: { type: "string", default: "" },
    // More rows of ours, between commas: "fused 2T", "WASM 1T", "Node 24 2T".
    others: { type: "string", default: "" },
    "no-peers": { type: "boolean", default: false },
  },
});

/** One way to do the update: repeats it and gives the times in milliseconds and the losses. */
interface Contender {
  readonly name: string;
  run(repetitions: number): Promise<Answer>;
}

function ours(name: string, own: Pick<Work, "step">): Contender {
  return { name, run: (repetitions) => Promise.resolve(repeat(own, repetitions)) };
}

/** Ours in other processes, by the name of the row. */
function othersOf(names: readonly string[]): { readonly name: string; readonly peer: Peer }[] {
  const script = join(__dirname, "own.js");
  return names.flatMap((name) => {
    const line = /Node (\d+)/.exec(name)?.[1];
    const program = line === undefined ? process.execPath : engineProgram(line);
    if (program === undefined) {
      process.stderr.write(`No row of ${name}: npm run nodes fetches other versions of Node.\n`);
      return [];
    }
    const env = {
      TURNWISE_THREADS: /(\d)T/.exec(name)?.[1] ?? "1",
      ...(name.includes("WASM") && { TURNWISE_NATIVE: "off" }),
    };
    return [{ name, peer: new Peer(program, [script], env) }];
  });
}

function theirs(name: string, peer: Peer, question: object): Contender {
  return { name, run: (repetitions) => peer.ask({ ...question, repetitions }) };
}

/** Losses of the first updates agree, or the contenders do not do the same work. */
function expectSameLosses(name: string, losses: readonly number[], reference: readonly number[]): void {
  losses.forEach((loss, i) => {
    if (Math.abs(loss - reference[i]!) < 2e-4 * Math.max(1, Math.abs(reference[i]!))) return;
    throw new Error(`Cannot compare ${name}: its loss must be ${reference[i]} at update ${i}, got ${loss}.`);
  });
}

interface Measured {
  readonly name: string;
  readonly median: number;
  readonly best: number;
  readonly processor: number;
  readonly memory: number;
}

/** All contenders in turns, each for about as long; the first is ours. */
async function measure(contenders: readonly Contender[]): Promise<Measured[]> {
  const first = await Promise.all([contenders[0]!.run(4)]);
  const repetitions: number[] = [];
  for (const contender of contenders) {
    const check = contender === contenders[0] ? first[0]! : await contender.run(4);
    expectSameLosses(contender.name, check.losses, first[0]!.losses);
    const { times } = await contender.run(2);
    repetitions.push(Math.max(2, Math.min(300, Math.round(Number(values.milliseconds) / times.at(-1)!))));
  }
  const times = contenders.map((): number[] => []);
  const processor = contenders.map((): number[] => []);
  const memory = contenders.map(() => 0);
  for (let round = 0; round < Number(values.rounds); round++) {
    for (const [i, contender] of contenders.entries()) {
      const answer = await contender.run(repetitions[i]!);
      times[i]!.push(...answer.times);
      processor[i]!.push(...answer.processor);
      memory[i] = answer.memory;
    }
  }
  return contenders.map(({ name }, i) => ({
    name,
    median: median(times[i]!),
    best: Math.min(...times[i]!),
    processor: median(processor[i]!),
    memory: memory[i]!,
  }));
}

const kinds = values.kinds.split(",") as Kind[];
const samples = values.samples.split(",").map(Number);
const cells = kinds.flatMap((kind) => samples.map((n) => ({ kind, n, name: `${kind} ${n}` })));

function spec(folder: string): object {
  return Object.fromEntries(
    cells.map(({ kind, n, name }) => {
      const { spec, weights } = work(kind, n, "wasm");
      const file = join(folder, `${kind}-${n}.bin`);
      writeFileSync(file, weights);
      return [name, { ...spec, weights: file }];
    }),
  );
}

async function main({ torch, numpy, jax }: Peers): Promise<void> {
  const peakTimes = numpy
    ? (await numpy.ask({ work: "product", size: 1024, repetitions: 15 })).processor
    : [];
  const peak = numpy ? (2 * 1024 ** 3) / Math.min(...peakTimes) / 1e6 : NaN;
  const backend = await loadBackend();
  const rows: string[][] = [];
  const figures: Figure[] = [];
  const skipped = values.skip.split(",");
  const others = othersOf(values.others.split(",").filter((name) => name !== ""));
  for (const { kind, n, name } of cells) {
    const fused = work(kind, n, "wasm");
    const contenders = [ours("fused", fused)];
    if (!skipped.includes("float64")) contenders.push(ours("float64", work(kind, n, "float64")));
    // In pure JavaScript it takes seconds.
    if (kind === "mlp" && backend.name !== "cpu") {
      contenders.push(ours(`TensorFlow.js, ${backend.name}`, plainWork(fused)));
    }
    for (const other of others) contenders.push(theirs(other.name, other.peer, { kind, samples: n }));
    if (torch) {
      for (const threads of [1, 2]) {
        const question = { work: name, threads, compiled: false };
        contenders.push(theirs(`torch ${threads}T`, torch, question));
      }
      // The loop of a GRU takes minutes to compile.
      if (values.compiled && kind !== "gru" && n <= 512) {
        contenders.push(theirs("torch compiled 1T", torch, { work: name, threads: 1, compiled: true }));
      }
    }
    if (jax) contenders.push(theirs("JAX jit", jax, { work: name }));
    const measured = await measure(contenders.filter(({ name }) => !skipped.includes(name)));
    const own = measured[0]!;
    figures.push(
      ...measured.map((m) => ({ work: name, contender: m.name, wall: m.median, processor: m.processor })),
    );
    rows.push(
      ...measured.map((m, i) => [
        i === 0 ? `${kind}, ${n}` : "",
        m.name,
        `${short(m.median)} (${short(m.best)})`,
        short(m.median / own.median),
        short(m.processor),
        short(m.processor / own.processor),
        numpy ? `${short((100 * fused.operations) / m.processor / 1e6 / peak)}%` : "",
        m.memory.toFixed(0),
      ]),
    );
  }
  for (const { peer } of others) peer.close();
  record(figures);
  const head = [
    "samples",
    "",
    "ms, median (best)",
    "times fused",
    "processor, ms",
    "times fused",
    "of peak",
    "MB",
  ];
  process.stdout.write(`${table(head, rows)}\n\nFused: ${fusedReport().reason}.\n`);
  process.stdout.write(`Memory of the fused kernels: ${(fusedArena().bytes / 1e6).toFixed(1)} MB. `);
  process.stdout.write(
    numpy
      ? `Peak: ${short(peak)} GFLOP/s, NumPy's product of two 1024 x 1024 matrices on one thread, best of 15 by processor time.\n`
      : "NumPy is not here: no peak.\n",
  );
  for (const { name, loaded, reason } of backend.attempts) {
    if (!loaded) process.stdout.write(`No row of TensorFlow.js on ${name}: ${reason}\n`);
  }
  if (!torch) process.stdout.write("PyTorch is not here, or not asked for: no ratios to it.\n");
}

void withPeers({ names: values["no-peers"] ? [] : ["torch", "numpy", "jax"], spec }, main);
