import { isConstant, positionsByKey } from "../../base/statistics";
import type { Batch } from "../../batch/batch";
import { flag } from "../../schema";
import type { Custom } from "../custom/custom";
import { copyOf } from "../custom/customBatch";
import { callCustom, named, customFunction } from "../custom/customFunction";
import { perUnit, type CustomNumbers } from "../custom/customNumbers";
import { expectBlind } from "../custom/customProbe";
import { withinGroup } from "../scale";
import { advantage, type AdvantageInput } from "./contract";
import { valuesPerTurn, type Credit } from "./credit";
import { divisorOf } from "./groupAdvantage";
import { gamma, valueCoef } from "./knobs";

/** Further inputs that a custom advantage may ask for in addition to the batch. */
export interface AdvantageContext {
  /** The critic's value before each turn, [N, T]; only with `critic: true`. */
  readonly value_nt: Float64Array;
  /** The positions of each group's trajectories in the batch. */
  readonly groups: readonly (readonly number[])[];
}

/**
 * An advantage of your own: numbers for trajectories [N], turns [N, T] or tokens [N, T, L], flat or nested.
 *
 * `return_n` and `reward_nt` of the batch are those that the rule has shaped.
 */
export type AdvantageFunction = (batch: Batch, context: AdvantageContext) => CustomNumbers;

interface Own {
  readonly by: Custom<AdvantageFunction>;
  readonly critic: boolean;
}

const field = "advantage";

export const custom = advantage({
  help: "A function of your own: a batch in, numbers for trajectories, turns or tokens out.",
  equation: String.raw`A=f(\text{batch})`,
  source: "yours",
  fields: {
    by: customFunction<AdvantageFunction>("The function."),
    critic: flag(false, { help: "Trains a value head and hands its values to the function." }),
    gamma: gamma(1),
    valueCoef,
  },
  label: ({ by }) => by.label,
  comparesGroups: true,
  scalesItself: false,
  needsCritic: false,
  criticDiscount: (o) => ({ gamma: o.gamma, perToken: false }),
  wholeTrajectory: false,
  exactBaseline: () => undefined,
  assign: (o, x) => overDeviations(creditOf(o, x), x),
});

function creditOf(o: Own, { batch, reward, values }: AdvantageInput): Credit {
  const groups = [...positionsByKey(batch.groupId).values()];
  const values_nt = o.critic ? valuesPerTurn(batch, values, "value_nt") : undefined;
  const context = (): AdvantageContext => ({
    groups,
    get value_nt() {
      if (values_nt !== undefined) return valuesTaken(batch, values_nt);
      throw new TypeError(
        `value_nt must come from a critic: write advantage: { by: custom("${o.by.label}", f), critic: true }`,
      );
    },
  });
  const of = (seen: Batch): Credit =>
    perUnit(named(field, o), batch, callCustom(field, o, copyOf(seen), context()), [
      "trajectory",
      "turn",
      "token",
    ]);
  const { return_n, reward_nt } = reward;
  const shaped = { ...batch, return_n, reward_nt };
  const credit = of(shaped);
  expectBlind(named(field, o), o.by, shaped, credit.advantage, (seen) => of(seen).advantage);
  return credit;
}

/** The values before turns that were taken; the others are 0, whatever the critic says of padding. */
function valuesTaken({ shape: [, T], turnCount_n }: Batch, value_nt: ArrayLike<number>): Float64Array {
  return Float64Array.from(value_nt, (value, nt) => (nt % T < turnCount_n[Math.floor(nt / T)]! ? value : 0));
}

/**
 * Scale `group` or `mean`: what a group's trajectories get is divided by the deviation of their returns, or by their mean.
 *
 * Where all returns of a group are equal there is nothing to divide by, and the numbers stay as they are.
 */
function overDeviations({ level, advantage }: Credit, { batch, reward, scale }: AdvantageInput): Credit {
  const within = withinGroup(scale);
  if (within.scale === "none") return { level, advantage };
  const { unbiased = true, epsilon = 1e-6 } = within;
  const scaled = Float64Array.from(advantage);
  const width = advantage.length / batch.shape[0];
  for (const members of positionsByKey(batch.groupId).values()) {
    const returns = members.map((n) => reward.return_n[n]!);
    if (isConstant(returns)) continue;
    const divisor = divisorOf(returns, within.scale, unbiased, epsilon);
    for (const n of members) for (let k = n * width; k < (n + 1) * width; k++) scaled[k]! /= divisor;
  }
  return { level, advantage: scaled };
}
