// Uses internals of turnwise/env, turnwise/policy, turnwise/rule, turnwise/train.
// The digests also run in pages, where all of turnwise does not load.
import { make } from "turnwise/internal/env/index";
import { toolChainPolicy } from "turnwise/internal/policy/index";
import { recipe } from "turnwise/internal/rule/index";
import { train, type TrainOptions } from "turnwise/internal/train/index";
import { Digest } from "./digest.js";

/** Trap A: GRPO with Adam and 24 steps per batch, in which one last bit makes another run. */
const reuse = recipe("grpo", {
  update: { epochs: 6, minibatches: 4, optimizer: { kind: "adam", learningRate: 0.3 } },
});
const common = { recipe: reuse, updates: 100, groups: 8, groupSize: 8 } as const;

const kinds: Readonly<Record<string, (seed: number) => TrainOptions>> = {
  tabular: (seed) => ({ ...common, env: "TMaze-v0", policy: { kind: "tabular" }, seed }),
  logLinear(seed) {
    const env = make("ToolChain-v0");
    return { ...common, env, policy: toolChainPolicy(env.spec, { beta: 4, seed }), seed };
  },
};

/** Ten runs of each kind of policy. */
export const runNames: readonly string[] = Object.keys(kinds).flatMap((kind) =>
  Array.from({ length: 10 }, (_, seed) => `${kind} ${seed}`),
);

export interface RunDigest {
  /** Of the mean rewards of all updates and the last parameters. */
  readonly run: string;
  /** Of every number of every record: whoever adds a metric changes it. */
  readonly records: string;
}

/** The digests of a run by its name, "tabular 3". */
export async function runDigest(name: string): Promise<RunDigest> {
  const [kind, seed] = name.split(" ");
  const [all, short] = [new Digest(), new Digest()];
  const run = train(kinds[kind!]!(Number(seed)));
  for await (const { metrics, update, samples, optimizerSteps } of run) {
    for (const x of [update, samples, optimizerSteps]) all.add(x);
    for (const [metric, value] of Object.entries(metrics)) {
      all.addText(metric);
      all.add(value);
    }
    short.add(metrics["reward/mean"]!);
  }
  for (const x of run.policy.parameters) short.add(x);
  return { run: short.toString(), records: all.toString() };
}
