import { mean } from "turnwise/internal/base/statistics";
import type { Claim } from "turnwise/internal/plot/index";
import { inBothHalves } from "../shared/inBothHalves";
import { effectText } from "turnwise/internal/verdict/effectText";
import type { StoredRecord } from "../shared/storedTable";
import { gain, type Effect, type SeedValue } from "turnwise/internal/verdict/effect";
import { verdict, verdicts, type Condition } from "turnwise/internal/verdict/verdict";
import { worldModelEffects as smallest } from "./worldModelEffects";
import {
  modeledWorlds,
  simulatorErrors,
  simulatorRates,
  type DynaArm,
  type ModeledWorldName,
  type SimulatorError,
} from "./worldModelRun";

export const worldNames = Object.keys(modeledWorlds) as ModeledWorldName[];
export const errorNames = Object.keys(simulatorErrors) as SimulatorError[];

/** A column of the rows that have these values, with their seeds. */
export function seeded(
  rows: readonly StoredRecord[],
  where: Readonly<Record<string, string | number>>,
  column: string,
): SeedValue[] {
  return rows
    .filter((row) => Object.entries(where).every(([name, value]) => row[name] === value))
    .map((row) => ({ seed: Number(row["seed"]), value: Number(row[column]) }));
}

/**
 * Difference between the ends of a policy that learned in the simulator and of one that learned in the world, in both
 * halves of the seeds.
 */
export function lossInSimulator(
  simulators: readonly StoredRecord[],
  world: ModeledWorldName,
  error: SimulatorError,
  rate: number,
): Effect {
  const at = (r: number): SeedValue[] => seeded(simulators, { world, error, rate: r }, "score");
  return inBothHalves(at(0), at(rate), (a, b) => gain(a, b, { paired: true }));
}

/** The smallest rate that was tried at which the loss surely exceeds what matters; undefined where there is none. */
export function crossing(
  simulators: readonly StoredRecord[],
  world: ModeledWorldName,
  error: SimulatorError,
): number | undefined {
  return simulatorRates.slice(1).find((rate) => {
    const effect = lossInSimulator(simulators, world, error, rate);
    return verdict({ effect, smallestEffectOfInterest: smallest.score }).kind === "holds";
  });
}

/** Claims about the value of models of worlds: for training without the world, and for planning in addition to it. */
export function worldModelClaims(
  simulators: readonly StoredRecord[],
  dyna: readonly StoredRecord[],
): Claim[] {
  const losses = (
    errors: readonly SimulatorError[],
    rates: readonly number[],
  ): (Condition & { readonly effect: Effect })[] =>
    worldNames.flatMap((world) =>
      errors.flatMap((error) =>
        rates.map((rate) => ({
          setting: { world, error, rate },
          effect: lossInSimulator(simulators, world, error, rate),
        })),
      ),
    );
  const fixedWorse = worldNames.flatMap((world) =>
    (["observation", "reward"] as const).flatMap((of) =>
      [0.1, 0.3].map((rate) => {
        const own = (how: string): SeedValue[] =>
          seeded(simulators, { world, error: `${of}, ${how}`, rate }, "score");
        return {
          setting: { world, of, rate },
          effect: inBothHalves(own("anew"), own("fixed"), (a, b) => gain(a, b, { paired: true })),
        };
      }),
    ),
  );
  const honest = worldNames.flatMap((world) =>
    errorNames.map((error) => {
      const own = (column: string): SeedValue[] => seeded(simulators, { world, error, rate: 0.3 }, column);
      return {
        setting: { world, error },
        effect: inBothHalves(own("promised"), own("score"), (a, b) => gain(a, b, { paired: true })),
      };
    }),
  );
  const planning = (arm: DynaArm, updates: readonly number[]): (Condition & { readonly effect: Effect })[] =>
    worldNames.flatMap((world) =>
      updates.map((update) => {
        const own = (name: DynaArm): SeedValue[] => seeded(dyna, { world, arm: name, update }, "score");
        return {
          setting: { world, update },
          effect: inBothHalves(own(arm), own("no planning"), (a, b) => gain(a, b, { paired: true })),
        };
      }),
    );
  const counted = planning("counts of histories", [10, 20, 40]);
  const erring = planning("a simulator that errs at .3", [10, 20, 40]);
  const decided = verdicts({
    worse: { conditions: losses(errorNames, [0.3]), smallestEffectOfInterest: smallest.score },
    mild: {
      conditions: losses(["observation, anew", "reward, anew"], [0.05]).map(({ setting, effect }) => ({
        setting,
        effect: opposite(effect),
      })),
      claims: "no loss",
      smallestEffectOfInterest: smallest.score,
    },
    fixed: { conditions: fixedWorse, smallestEffectOfInterest: smallest.score },
    honest: { conditions: honest, claims: "same", smallestEffectOfInterest: smallest.promise },
    counted: { conditions: counted, smallestEffectOfInterest: smallest.score },
    erring: { conditions: erring, smallestEffectOfInterest: smallest.score },
  });
  const at = (error: SimulatorError, rate: number): string =>
    worldNames
      .map((world) => `${world} ${effectText(lossInSimulator(simulators, world, error, rate), 2)}`)
      .join(", ");
  const score = (where: Readonly<Record<string, string | number>>, column = "score"): string =>
    mean(seeded("arm" in where ? dyna : simulators, where, column).map(({ value }) => value)).toFixed(2);
  const effects = (
    conditions: readonly (Condition & { readonly effect: Effect })[],
    update: number,
  ): string =>
    conditions
      .filter(({ setting }) => setting["update"] === update)
      .map(({ setting, effect }) => `${setting["world"]} ${effectText(effect, 2)}`)
      .join(", ");
  return [
    {
      claim: "A simulated world is worse to learn in than one that runs as code",
      source: "notes [N]",
      measured: `40 seeds, score lost in the true world where .3 of the replies are made up: rewards by fixed beliefs ${at("reward, fixed", 0.3)}; observations drawn anew ${at("observation, anew", 0.3)}`,
      verdict: decided.worse,
    },
    {
      claim: "Errors that are drawn anew at a rate of .05 cost nothing",
      source: "this notebook",
      measured: `score lost at .05: observations ${at("observation, anew", 0.05)}; rewards ${at("reward, anew", 0.05)}`,
      verdict: decided.mild,
    },
    {
      claim: "Fixed beliefs do more harm than the same rate of errors drawn anew",
      source: "this notebook",
      measured: `score of anew minus fixed, rate .3: ${fixedWorse
        .filter(({ setting }) => setting.rate === 0.3)
        .map(({ setting, effect }) => `${setting.world}, ${setting.of} ${effectText(effect, 2)}`)
        .join("; ")}`,
      verdict: decided.fixed,
    },
    {
      claim: "A simulator's own score says how good the agent is",
      source: "this notebook",
      measured: `rewards by fixed beliefs at .3, promised and true: ${worldNames
        .map((world) => {
          const where = { world, error: "reward, fixed", rate: 0.3 };
          return `${world} ${score(where, "promised")} and ${score(where)}`;
        })
        .join(", ")}`,
      verdict: decided.honest,
    },
    {
      claim: "Planning on counts of what was seen learns more from the same batches of the world",
      source: "Sutton 1990 (Dyna)",
      measured: `score gained by four planned updates after each real one, after 20: ${effects(counted, 20)}; after 40: ${effects(counted, 40)}`,
      verdict: decided.counted,
    },
    {
      claim: "Planning in a simulator that errs is better than no planning",
      source: "this notebook",
      measured: `rewards by fixed beliefs at .3, score gained after 10 updates: ${effects(erring, 10)}; after 40: ${effects(erring, 40)}`,
      verdict: decided.erring,
    },
  ];
}

/** A loss as a gain, and the other way round. */
function opposite({ mean: own, n, method, at }: Effect): Effect {
  return {
    mean: -own,
    n,
    method,
    at: (level) => {
      const { low, high } = at(level);
      return { low: -high, high: -low };
    },
  };
}
