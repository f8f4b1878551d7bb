// Uses internals of turnwise/policy.
/**
 * How the processor time of one full update grows with trajectories N, turns T, tokens per turn L and the parameters' number:
 * `node build/test/bench/growth/main.js [--svg test/bench/growth.svg]`.
 *
 * One axis grows while the others stay; the slope is that of the line through the two largest sizes, both axes
 * logarithmic: 1 is time in proportion.
 */
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { createRng, NeuralPolicy, recipe, surrogateGradient, type Batch, createOptimizer } from "turnwise";
import { type NeuralOptions } from "turnwise/internal/policy/index";
import { median, processorTime, short, table } from "../peers/statistics.js";
import { growthFigure } from "./figure.js";

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "5" },
    steps: { type: "string", default: "5" },
    milliseconds: { type: "string", default: "100" },
    svg: { type: "string" },
    "no-peers": { type: "boolean", default: false },
  },
});

const KINDS: readonly NeuralOptions["kind"][] = ["mlp", "gru", "transformer"];

interface Size {
  readonly N: number;
  readonly T: number;
  readonly L: number;
  readonly width: number;
}

const BASE: Size = { N: 8, T: 2, L: 8, width: 32 };
const WINDOW = 128;
const VOCABULARY = 16;

/** Sizes along one axis: each is twice the one before. */
const AXES: Readonly<
  Record<string, { readonly title: string; readonly axis: keyof Size; readonly from: number }>
> = {
  N: { title: "trajectories N", axis: "N", from: 8 },
  T: { title: "turns T", axis: "T", from: 1 },
  L: { title: "tokens of a turn L", axis: "L", from: 2 },
  parameters: { title: "parameters", axis: "width", from: 16 },
};

/** A batch whose contexts hold all that was seen and written before, one observed token a turn. */
function batchOf({ N, T, L }: Size, policy: NeuralPolicy): Batch {
  const rng = createRng(2).split("growth", N, T, L);
  const cells = N * T * L;
  const token_ntl = Int32Array.from({ length: cells }, () => rng.below(VOCABULARY));
  const names = Array.from({ length: N }, (_, n) => String(n));
  const context_nt = names.map((_, n) =>
    Array.from({ length: T }, (_, t) => {
      const actions = Array.from({ length: t }, (_, s) =>
        Array.from(token_ntl.subarray((n * T + s) * L, (n * T + s + 1) * L)),
      );
      const observations = Array.from({ length: t + 1 }, () => ({ tokens: [VOCABULARY], text: "" }));
      return policy.contextOf({ observations, actions });
    }),
  );
  return {
    shape: [N, T, L],
    token_ntl,
    mask_ntl: new Uint8Array(cells).fill(1),
    oldLogProb_ntl: new Float64Array(cells).fill(-Math.log(VOCABULARY)),
    reward_nt: new Float64Array(N * T),
    return_n: new Float64Array(N),
    turnCount_n: new Int32Array(N).fill(T),
    ...{ trajectoryId: names, groupId: names, context_nt },
    observation_nt: names.map(() => new Array<string>(T).fill("")),
    truncated: names.map(() => false),
  };
}

function updateOf(kind: NeuralOptions["kind"], size: Size): { step(): void; parameters: number } {
  const vocabulary = Array.from({ length: VOCABULARY }, (_, i) => `t${i}`);
  const policy = new NeuralPolicy(
    { vocabulary, observationVocabulary: ["o"], maxTokens: size.L },
    {
      kind,
      width: size.width,
      window: WINDOW,
      compute: "wasm",
      ...(kind === "transformer" && { layers: 1, heads: 4 }),
    },
  );
  const batch = batchOf(size, policy);
  const row = recipe("reinforcePlusPlus");
  const optimizer = createOptimizer(row.update.optimizer);
  const rng = createRng(3);
  const advantage_ntl = Float64Array.from(batch.oldLogProb_ntl, () => rng.normal());
  return {
    parameters: policy.parameters.length,
    step() {
      const evaluation = policy.evaluate(batch);
      const { dLogProb_ntl } = surrogateGradient({ ...batch, ...evaluation, advantage_ntl }, row);
      optimizer.step(
        policy.parameters,
        policy.backward(batch, { dLogProb_ntl }, undefined, undefined, evaluation),
      );
    },
  };
}

/** Medians over rounds of all sizes, measured in turns. */
function measure(updates: readonly { step(): void }[]): number[] {
  const repetitions = updates.map(({ step }) => {
    step();
    const begin = performance.now();
    step();
    return Math.max(1, Math.min(200, Math.round(Number(values.milliseconds) / (performance.now() - begin))));
  });
  const times = updates.map((): number[] => []);
  for (let round = 0; round < Number(values.rounds); round++) {
    updates.forEach(({ step }, i) => {
      const begin = processorTime();
      for (let k = 0; k < repetitions[i]!; k++) step();
      times[i]!.push((processorTime() - begin) / repetitions[i]!);
    });
  }
  return times.map(median);
}

async function main(): Promise<void> {
  const rows: string[][] = [];
  const points: { axis: string; kind: string; x: number; ms: number }[] = [];
  for (const [name, { title, axis, from }] of Object.entries(AXES)) {
    for (const kind of KINDS) {
      const sizes = Array.from({ length: Number(values.steps) }, (_, i) => from * 2 ** i);
      const updates = sizes.map((size) => updateOf(kind, { ...BASE, [axis]: size }));
      const x = axis === "width" ? updates.map(({ parameters }) => parameters) : sizes;
      const ms = measure(updates);
      x.forEach((size, i) => points.push({ axis: title, kind, x: size, ms: ms[i]! }));
      const [x0, x1] = x.slice(-2) as [number, number];
      const [t0, t1] = ms.slice(-2) as [number, number];
      const slope = Math.log(t1 / t0) / Math.log(x1 / x0);
      rows.push([name, kind, `${x[0]!} to ${x1}`, `${short(ms[0]!)} to ${short(t1)}`, slope.toFixed(2)]);
    }
  }
  process.stdout.write(`${table(["axis", "policy", "sizes", "ms, median", "slope at the end"], rows)}\n`);
  if (values.svg !== undefined) writeFileSync(values.svg, await growthFigure(points, Number(values.rounds)));
}

void main();
