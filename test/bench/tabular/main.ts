// Uses internals of turnwise/rule, turnwise/train.
import { parseArgs } from "node:util";
import { createRng, recipe, TabularPolicy, createOptimizer } from "turnwise";
import { tokenWeights } from "turnwise/internal/rule/index";
import { Stepper } from "turnwise/internal/train/step";
import { oneTurnBatch } from "../oneTurnBatch.js";
import { median, processorTime, short, table } from "../peers/statistics.js";
import { withPeers, type Peers } from "../peers/withPeers.js";
import { record } from "../record.js";

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "9" },
    "no-peers": { type: "boolean", default: false },
  },
});

const STATES = 64;
const ACTIONS = 8;
const SAMPLES = 2048;
const REPETITIONS = 50;

/** One update of a table of 64 states and 8 actions on 2048 samples: clip of .2, mean over samples, Adam, norm clipped at 1. */
function tabular(): { step(): number; spec: object } {
  const policy = new TabularPolicy({
    vocabulary: Array.from({ length: ACTIONS }, (_, i) => String(i)),
    maxTokens: 1,
  });
  const rng = createRng(3);
  const draw = (below: number): number[] => Array.from({ length: SAMPLES }, () => rng.below(below));
  const states = draw(STATES);
  const actions = draw(ACTIONS);
  // Every state appears, in the order of the peer's rows.
  for (let s = 0; s < STATES; s++) states[s] = s;
  const advantage = Array.from({ length: SAMPLES }, () => rng.normal());
  const old = Array.from({ length: SAMPLES }, () => Math.log(1 / ACTIONS) + 0.1 * rng.normal());
  const batch = oneTurnBatch(1, actions, old, states.map(String));
  const row = recipe("reinforcePlusPlus", {
    update: { optimizer: { kind: "adam", learningRate: 0.01, maxGradNorm: 1 } },
  });
  const stepper = new Stepper(policy, row, createOptimizer(row.update.optimizer));
  const advantage_ntl = Float64Array.from(advantage);
  const weight_ntl = tokenWeights(batch.shape, batch.mask_ntl, row.aggregate);
  return {
    spec: {
      tabular: {
        ...{ states, actions, old, advantage, stateCount: STATES, actionCount: ACTIONS },
        learningRate: 0.01,
      },
    },
    step: () => {
      const oldLogProb_ntl = batch.oldLogProb_ntl;
      const data = {
        index: 1,
        batch,
        turns: [0],
        trained_ntl: batch.mask_ntl,
        oldLogProb_ntl,
        advantage_ntl,
        weight_ntl,
        carry: new Map(),
      };
      return stepper.step(data)["policy/loss"]!;
    },
  };
}

const own = tabular();

async function main({ numpy }: Peers): Promise<void> {
  const first = Array.from({ length: 4 }, () => own.step());
  const reference = await numpy?.ask({ work: "tabular", reported: false, repetitions: 4 });
  reference?.losses.forEach((loss, i) => {
    if (Math.abs(loss - first[i]!) < 1e-9) return;
    throw new Error(`Cannot compare with NumPy: its loss must be ${first[i]} at update ${i}, got ${loss}.`);
  });
  const labels = { own: "turnwise", numpy: "NumPy", reported: "NumPy, with the trainer's metrics" } as const;
  const names = Object.keys(labels) as (keyof typeof labels)[];
  const times = { own: [] as number[], numpy: [] as number[], reported: [] as number[] };
  const processor = { own: [] as number[], numpy: [] as number[], reported: [] as number[] };
  for (let round = 0; round < Number(values.rounds); round++) {
    // Asking for the processor time costs a tenth of a step: once a round.
    const worked = processorTime();
    for (let i = 0; i < REPETITIONS; i++) {
      const begin = performance.now();
      own.step();
      times.own.push(performance.now() - begin);
    }
    processor.own.push((processorTime() - worked) / REPETITIONS);
    if (!numpy) continue;
    for (const name of ["numpy", "reported"] as const) {
      const question = { work: "tabular", reported: name === "reported", repetitions: REPETITIONS };
      const answer = await numpy.ask(question);
      times[name].push(...answer.times);
      processor[name].push(...answer.processor);
    }
  }
  record(
    names
      .filter((name) => times[name].length > 0)
      .map((name) => ({
        work: "table of 64 x 8, 2048 samples",
        contender: labels[name],
        wall: median(times[name]),
        processor: median(processor[name]),
      })),
  );
  const rows = names
    .filter((name) => times[name].length > 0)
    .map((name) => {
      const middle = median(times[name]);
      const busy = median(processor[name]);
      const ratios = [short(middle / median(times.own)), short(busy / median(processor.own))];
      return [labels[name], short(middle), short(1000 / middle), ratios[0]!, short(busy), ratios[1]!];
    });
  process.stdout.write(
    `${table(["", "ms, median", "updates/s", "times turnwise", "processor, ms", "times turnwise"], rows)}\n`,
  );
  if (!numpy) process.stdout.write("\nNumPy is not here, or not asked for: no ratio to it.\n");
}

void withPeers({ names: values["no-peers"] ? [] : ["numpy"], spec: () => own.spec }, main);
