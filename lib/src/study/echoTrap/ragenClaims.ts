import type { Claim } from "../../plot";
import { inCases, shown } from "../verdict";
import { ragenEnvs } from "./ragenRun";
import { ragenReport, type RagenLine, type StoredRagenRun } from "./ragenStored";

type World = RagenLine["env"];

/** What became of RAGEN's own three worlds: PPO, GRPO, and PPO with the filter. */
export function ragenClaims(runs: readonly StoredRagenRun[]): Claim[] {
  const worlds = ragenReport(runs);
  const at = (env: World, row: RagenLine["row"]): RagenLine =>
    worlds.find((line) => line.env === env && line.row === row)!;
  const everywhere = (say: (env: World) => string): string =>
    ragenEnvs.map((env) => `${env} ${say(env)}`).join("; ");
  const success = (line: RagenLine, what: "final" | "change"): string => shown(line[what], 2);
  const fell = (row: RagenLine["row"]): string =>
    everywhere((env) => {
      const line = at(env, row);
      return `${line.fell} of ${line.runs}, last quarter minus second ${success(line, "change")}`;
    });
  const only = (names: readonly string[]): string => `it is ${names.join(", ")}`;
  const nameOf = ({ row, env }: RagenLine): string => `${row} on ${env}`;
  const plain = worlds.filter(({ row }) => row !== "starPoS");
  const silent = plain.filter((line) => line.silent >= 0.5 * line.runs);
  return [
    {
      claim: "PPO and GRPO collapse on RAGEN's three worlds",
      source: "RAGEN, section 4.3 [P]",
      measured: `last quarter below 75 % of an earlier one: PPO ${fell("starPo")}; GRPO ${fell("grpo")}`,
      verdict: inCases(
        plain.map((line) => [nameOf(line), line.fell >= 0.5 * line.runs || line.change.high < 0]),
        only,
      ),
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
      verdict: inCases(
        (["BiArmBandit-v0", "Sokoban-v0"] as const).map((env) => [
          env,
          at(env, "grpo").final.high < at(env, "starPo").final.low,
        ]),
        only,
      ),
    },
    {
      claim: "When in-group std vanishes, reward falls later",
      source: "RAGEN, section 4.3 [P]",
      measured:
        silent
          .map(
            (line) =>
              `${line.env}, ${line.row}: std below a tenth in ${silenceOf(line)}, last quarter minus second ${success(line, "change")}`,
          )
          .join("; ") || "std vanished nowhere",
      verdict: inCases(
        silent.map((line) => [nameOf(line), line.change.high < 0]),
        only,
      ),
    },
    {
      claim: "StarPO-S does better than StarPO",
      source: "RAGEN, section 4.4 [P]",
      measured: everywhere(
        (env) =>
          `final ${success(at(env, "starPo"), "final")} and with the filter ${success(at(env, "starPoS"), "final")}`,
      ),
      verdict: inCases(
        ragenEnvs.map((env) => [env, at(env, "starPoS").final.low > at(env, "starPo").final.high]),
        only,
      ),
    },
  ];
}

/** In how many runs the in-group std vanished, and when. */
export function silenceOf({ silent, runs, silentAt }: RagenLine): string {
  return `${silent} of ${runs}${silentAt === null ? "" : `, update ${silentAt}`}`;
}
