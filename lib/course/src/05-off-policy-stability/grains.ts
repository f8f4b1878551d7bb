import { mean } from "turnwise/internal/base/statistics";
import { parseCsv } from "turnwise/internal/base/csv";
import { recipe, type RecipeOverrides } from "turnwise/internal/rule/index";
import { trainSeeds } from "turnwise/internal/sweep/trainSeeds";

/** Mean reward over all updates of every run, by "optimizer, grain" such as "sgd, token". */
export type Grains = ReadonlyMap<string, readonly number[]>;

/** Updates of each run. */
export const GRAIN_UPDATES = 40;

const optimizers = { sgd: 8, adam: 0.3 } as const;
const ratios: Readonly<Record<string, RecipeOverrides["ratio"]>> = {
  token: { level: "token" },
  turn: { level: "turn", pooling: "product" },
  trajectory: { level: "trajectory", pooling: "product" },
};

/**
 * LOOP's question: its rule on LookUp-v0 with the ratio of a token, a turn or a trajectory, 16 steps on each batch, under two
 * optimizers.
 */
export async function compareGrains({ seeds }: { readonly seeds: number }): Promise<Grains> {
  const found = new Map<string, readonly number[]>();
  for (const [kind, learningRate] of Object.entries(optimizers)) {
    for (const [name, ratio] of Object.entries(ratios)) {
      const rule = recipe("loop", {
        ...(ratio && { ratio }),
        update: {
          epochs: 4,
          minibatches: 4,
          optimizer: { kind: kind as keyof typeof optimizers, learningRate },
        },
      });
      const options = {
        env: "LookUp-v0",
        policy: { syntaxPrior: 3 },
        recipe: rule,
        updates: GRAIN_UPDATES,
      } as const;
      const { runs } = await trainSeeds(options, seeds);
      found.set(
        `${kind}, ${name}`,
        runs.map((run) => mean(run.map(({ metrics }) => metrics["reward/mean"]!))),
      );
    }
  }
  return found;
}

/** The runs of `off-policy-grains.csv`. */
export function storedGrains(csv: string): Grains {
  const found = new Map<string, number[]>();
  for (const row of parseCsv("a stored table of ratios", csv)) {
    const key = `${row["optimiser"]}, ${row["ratio"]}`;
    found.set(key, [...(found.get(key) ?? []), Number(row["reward"])]);
  }
  return found;
}
