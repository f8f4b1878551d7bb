// Uses internals of turnwise/policy.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { createRng, type NeuralPolicy, type Rng } from "turnwise";
import { type History } from "turnwise/internal/policy/index";
import { fusedReport } from "turnwise/tensor";
import { median, short, table, timed } from "../peers/statistics.js";
import { withPeers, type Peers } from "../peers/withPeers.js";
import { record, type Figure } from "../record.js";
import { policyOf } from "../update/work.js";

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "5" },
    batches: { type: "string", default: "1,16,256" },
    milliseconds: { type: "string", default: "300" },
    "no-peers": { type: "boolean", default: false },
  },
});

const LENGTH = 64;
const KINDS = ["gru", "transformer"] as const;

/** A way to draw 64 tokens for each of `batch` sequences; gives the times in milliseconds. */
type Rollout = (batch: number) => Promise<Took> | Took;

interface Took {
  readonly wall: number;
  readonly processor: number;
}

function streams(batch: number): Rng[] {
  const rng = createRng(1);
  return Array.from({ length: batch }, (_, i) => rng.split("sequence", i));
}

const empty: History = { observations: [], actions: [] };

/** State is carried from token to token. */
function carried(policy: NeuralPolicy): Rollout {
  return (batch) =>
    timed(() => {
      policy.sample(
        Array.from({ length: batch }, () => empty),
        streams(batch),
      );
    });
}

/** Every token is computed from the whole sequence again. */
function anew(policy: NeuralPolicy): Rollout {
  return (batch) =>
    timed(() => {
      const context = policy.contextOf(empty);
      for (const rng of streams(batch)) {
        const prefix: number[] = [];
        while (prefix.length < LENGTH) prefix.push(rng.categorical(policy.nextTokenLogProb(context, prefix)));
      }
    });
}

/** For as long as a round lasts, so that code is compiled and caches are warm in most of it. */
async function repeated(rollout: Rollout, batch: number): Promise<Took[]> {
  const end = performance.now() + Number(values.milliseconds);
  const times: Took[] = [];
  do times.push(await rollout(batch));
  while (performance.now() < end);
  return times;
}

const policies = KINDS.map((kind) => ({ kind, policy: policyOf(kind, "wasm") }));

function spec(folder: string): object {
  return Object.fromEntries(
    policies.map(({ kind, policy }) => {
      const weights = join(folder, `${kind}.bin`);
      writeFileSync(weights, Float32Array.from(policy.parameters));
      const sizes = { width: 64, layers: 2, heads: 4, tokenCount: 81, firstPlace: 1, length: LENGTH };
      return [kind, { task: "rollout", kind, table: policy.parameterTable(), weights, ...sizes }];
    }),
  );
}

async function main({ torch }: Peers): Promise<void> {
  const rows: string[][] = [];
  const figures: Figure[] = [];
  for (const { kind, policy } of policies) {
    for (const batch of values.batches.split(",").map(Number)) {
      const ways: { name: string; rollout: Rollout }[] = [
        { name: "fused", rollout: carried(policy) },
        { name: "fused, again", rollout: anew(policy) },
      ];
      if (torch) {
        for (const cached of [true, false]) {
          const question = { work: kind, batch, cached, threads: 1, repetitions: 1 };
          const rollout = async (): Promise<Took> => {
            const { times, processor } = await torch.ask(question);
            return { wall: times[0]!, processor: processor[0]! };
          };
          ways.push({ name: `torch 1T${cached ? "" : ", again"}`, rollout });
        }
      }
      const times = ways.map((): Took[] => []);
      for (const { rollout } of ways) await repeated(rollout, batch);
      for (let round = 0; round < Number(values.rounds); round++) {
        for (const [i, { rollout }] of ways.entries()) times[i]!.push(...(await repeated(rollout, batch)));
      }
      const of = (i: number, which: keyof Took): number => median(times[i]!.map((took) => took[which]));
      ways.forEach(({ name }, i) => {
        const middle = of(i, "wall");
        figures.push({
          work: `${kind}, ${batch}`,
          contender: name,
          wall: middle,
          processor: of(i, "processor"),
        });
        const perSecond = short((1000 * batch * LENGTH) / middle);
        rows.push([
          i === 0 ? `${kind}, ${batch}` : "",
          name,
          perSecond,
          short(middle / of(0, "wall")),
          short(of(i, "processor") / of(0, "processor")),
        ]);
      });
    }
  }
  record(figures);
  process.stdout.write(
    `${table(["sequences", "", "tokens/s, median", "time, times fused", "processor time, times fused"], rows)}\n`,
  );
  process.stdout.write(`\n${fusedReport().reason}\n`);
  if (!torch) process.stdout.write("\nPyTorch is not here, or not asked for: no ratios to it.\n");
}

void withPeers({ names: values["no-peers"] ? [] : ["torch"], spec }, main);
