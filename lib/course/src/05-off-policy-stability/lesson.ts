import { bootstrapInterval } from "turnwise/internal/base/interval";
import { difference } from "turnwise/internal/base/difference";
import { hypot } from "turnwise/internal/base/elementary/hypot";
import type { Claim } from "turnwise/internal/plot/ledger";
import { leverEffect } from "../shared/echoTrap/leverEffect";
import type { LeverName } from "../shared/echoTrap/levers";
import { cellOf } from "../shared/echoTrap/leverEffect";
import { storedRuns, type StoredRun } from "../shared/echoTrap/stored";
import { measured } from "../shared/measured";
import { retold } from "../shared/retold";
import { shown } from "turnwise/internal/verdict/words";
import { offPolicyClaims } from "./claims";
import { storedGrains } from "./grains";
import { walkSpread } from "./randomWalk";
import { learningRates, type OffPolicyResults } from "./results";
import { judgeRatios, wornBatch } from "./wornBatch";

const STEPS = 16;
const SEEDS = 20;

/** The ledger of the lesson on off-policy stability: from stored runs, and from batches that are worn out again in a few seconds. */
export function offPolicyLesson(): Claim[] {
  const runs = storedRuns(measured("echo-trap"));
  const worn = Array.from({ length: SEEDS }, (_, seed) => wornBatch({ steps: STEPS, seed }));
  const outside = (pooling: "product" | "geometric"): number => walkSpread(40, 0.1, pooling).outside;
  const results: OffPolicyResults = {
    outside40: { product: outside("product"), geometric: outside("geometric") },
    reuses: worn.map(({ steps }) => steps),
    judged: judgeRatios(worn[0]!),
    grains: storedGrains(measured("off-policy-grains")),
    runs,
  };
  return retold(offPolicyClaims(results), [
    {
      of: "The spread of a product ratio grows with the root of its length, that of a geometric mean shrinks with it",
      claim: "The longer the unit, the wilder the product of its ratios, and the tamer their mean",
      measured: togetherness(results),
    },
    {
      of: "A turn's geometric ratio estimates the gradient better than a token's",
      claim: "A turn's mean ratio estimates the gradient with less bias than token ratios",
      measured: lessBias(results),
    },
    {
      of: "Token ratios are better than turn ratios, and these better than trajectory ratios",
      claim: "Token ratios train better than ratios of turns or trajectories",
      measured: finerGrain(runs),
    },
    {
      of: "Turn-level ratios widen the range of safe learning rates",
      claim: "A turn's mean ratio widens the range of safe learning rates",
      measured: gained(runs, "sane", "turn ratio geometric", "Adam .1"),
    },
    {
      of: "Our KL penalty, triggered by clipping, widens it",
      claim: "Our penalty, switched on by clipping, widens it",
      measured: gained(runs, "sane", "SO-GRPO, KL", "Adam .1"),
    },
    {
      of: "It takes a new ratio to survive wild tokens",
      claim: "It takes a new ratio to survive two engines that disagree",
      measured: `an old clip does it: dual clip at 3, noise .5, ${gained(runs, "mismatch", "dual clip 3")}`,
    },
  ]);
}

function togetherness({ reuses }: OffPolicyResults): string {
  const growth = reuses.map((steps) => {
    const { spread } = steps.at(-1)!;
    return spread["turn, product"]!.deviation / spread["token"]!.deviation;
  });
  const mean = bootstrapInterval(growth);
  return `three tokens, ${STEPS} steps: a turn's product spreads ${shown(mean, 2)} times as far as a token, ${SEEDS} seeds; independent tokens: 1.73`;
}

function lessBias({ judged }: OffPolicyResults): string {
  const of = (name: string): OffPolicyResults["judged"][number] => judged.find((one) => one.name === name)!;
  const [token, turn] = [of("token, clipped"), of("turn, geometric, clipped")];
  const reach = 1.96 * hypot(token.noise, turn.noise);
  const mean = token.bias - turn.bias;
  const gap = shown({ mean, low: mean - reach, high: mean + reach }, 2);
  return `clipped at .2, as a share of the gradient: ${token.bias.toFixed(2)} less ${turn.bias.toFixed(2)}, ${gap}`;
}

function finerGrain(runs: readonly StoredRun[]): string {
  const ends = (lever: LeverName): number[] =>
    cellOf(runs, "sane", lever, learningRates["SGD 8"]).map(({ final }) => final);
  const gap = difference(ends("LOOP, token"), ends("LOOP, turn"));
  return `ToolChain, SGD 8: success with token ratios less that with turn ratios ${shown(gap, 2)}`;
}

function gained(
  runs: readonly StoredRun[],
  trap: "sane" | "mismatch",
  lever: LeverName,
  rate?: keyof typeof learningRates,
): string {
  const change = rate === undefined ? "" : learningRates[rate];
  const [own, without] = [lever, "vanilla" as const].map((name) => leverEffect(runs, trap, name, change)!);
  const ends = `success ${without!.final.mean.toFixed(2)} without, ${own!.final.mean.toFixed(2)} with it`;
  return `${rate === undefined ? "" : `${rate}: `}${ends}, gain ${shown(own!.gain, 2)}`;
}
