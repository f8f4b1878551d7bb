import type { Claim } from "turnwise/internal/plot/index";
import { gain, type Effect, type SeedValue } from "turnwise/internal/verdict/effect";
import { verdict, type Condition } from "turnwise/internal/verdict/verdict";
import { shown } from "turnwise/internal/verdict/words";
import { echoTrapEffects } from "../shared/echoTrap/effects";
import { inBothHalves } from "../shared/inBothHalves";
import { valuesOf } from "../shared/echoTrap/leverEffect";
import { ragenEnvs, ragenSpans, type RagenJob } from "./ragenRun";
import { ragenReport, type RagenLine, type StoredRagenRun } from "./ragenStored";

type World = RagenLine["env"];
type Row = RagenJob["row"];

/** Claims about RAGEN's own three worlds: PPO, GRPO, and PPO with the filter. */
export function ragenClaims(runs: readonly StoredRagenRun[]): Claim[] {
  const worlds = ragenReport(runs);
  const at = (env: World, row: Row): RagenLine =>
    worlds.find((line) => line.env === env && line.row === row)!;
  const everywhere = (say: (env: World) => string): string =>
    ragenEnvs.map((env) => `${env} ${say(env)}`).join("; ");
  const success = (line: RagenLine, what: "final" | "change"): string => shown(line[what], 2);
  const fell = (row: Row): string =>
    everywhere((env) => {
      const line = at(env, row);
      return `${line.fell} of ${line.runs}, last quarter minus second ${success(line, "change")}`;
    });
  const plain = worlds.filter(({ row }) => row !== "starPoS");
  const silent = plain.filter((line) => line.silent >= 0.5 * line.runs);
  const smallestEffectOfInterest = echoTrapEffects.reward;
  /** Value of a run that is compared, as a share of the way from the random agent to the optimum. */
  const values = (env: World, row: Row, of: (run: StoredRagenRun) => number): SeedValue[] =>
    valuesOf(
      runs.filter((run) => run.env === env && run.row === row),
      (run) => of(run) / ragenSpans[env],
    );
  const final = (env: World, row: Row, over: Row): Effect =>
    inBothHalves(
      values(env, row, (run) => run.final),
      values(env, over, (run) => run.final),
      gain,
    );
  const loss = ({ env, row }: RagenLine): Condition => ({
    setting: { world: env, rule: names[row] },
    effect: inBothHalves(
      values(env, row, ({ q2 }) => q2),
      values(env, row, ({ q4 }) => q4),
      (second, last) => gain(second, last, { paired: true }),
    ),
  });
  return [
    {
      claim: "PPO and GRPO collapse on RAGEN's three worlds: the last quarter pays less than the second",
      source: "RAGEN, section 4.3 [P]",
      measured: `last quarter below 75 % of an earlier one: PPO ${fell("starPo")}; GRPO ${fell("grpo")}`,
      verdict: verdict({ conditions: plain.map(loss), smallestEffectOfInterest }),
    },
    {
      claim: "GRPO does worse than PPO on bandit and Sokoban",
      source: "RAGEN, section 4.3 [P]",
      measured: everywhere((env) => {
        const [ppo, grpo] = [at(env, "starPo"), at(env, "grpo")];
        return (
          `std below a tenth: PPO ${ppo.silent}, GRPO ${grpo.silent} of ${grpo.runs}, ` +
          `final PPO ${success(ppo, "final")}, GRPO ${success(grpo, "final")}`
        );
      }),
      verdict: verdict({
        conditions: (["BiArmBandit-v0", "Sokoban-v0"] as const).map((env) => ({
          setting: { world: env },
          effect: final(env, "starPo", "grpo"),
        })),
        smallestEffectOfInterest,
      }),
    },
    {
      claim: "Where in-group std vanishes in most runs, reward falls later",
      source: "RAGEN, section 4.3 [P]",
      measured:
        silent
          .map(
            (line) =>
              `${line.env}, ${line.row}: std below a tenth in ${silenceOf(line)}, last quarter minus second ${success(line, "change")}`,
          )
          .join("; ") || "std vanished nowhere",
      verdict: verdict({
        ...(silent.length === 0 ? { found: 0, searched: plain.length } : { conditions: silent.map(loss) }),
        smallestEffectOfInterest,
      }),
    },
    {
      claim: "StarPO-S does better than StarPO",
      source: "RAGEN, section 4.4 [P]",
      measured: everywhere(
        (env) =>
          `final ${success(at(env, "starPo"), "final")} and with the filter ${success(at(env, "starPoS"), "final")}`,
      ),
      verdict: verdict({
        conditions: ragenEnvs.map((env) => ({
          setting: { world: env },
          effect: final(env, "starPoS", "starPo"),
        })),
        smallestEffectOfInterest,
      }),
    },
  ];
}

const names: Readonly<Record<Row, string>> = { starPo: "PPO", grpo: "GRPO", starPoS: "PPO with the filter" };

/** In how many runs the in-group std vanished, and when. */
export function silenceOf({ silent, runs, silentAt }: RagenLine): string {
  return `${silent} of ${runs}${silentAt === null ? "" : `, update ${silentAt}`}`;
}
