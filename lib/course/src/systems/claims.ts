import { enumerateReturn, optimalReturn } from "turnwise/internal/exact/index";
import { optimalPolicy } from "turnwise/internal/exact/optimalPolicy";
import type { Claim } from "turnwise/internal/plot/ledger";
import { mean } from "turnwise/internal/base/statistics";
import { exactly, gain, type Effect } from "turnwise/internal/verdict/effect";
import { verdicts } from "turnwise/internal/verdict/verdict";
import { inBothHalves } from "../shared/inBothHalves";
import { measured } from "../shared/measured";
import { storedTable } from "../shared/storedTable";
import { enumeratedClaims } from "./enumerated/claims";
import { systemEffects } from "./effects";
import { kindsClaim } from "./kindsClaim";
import { sampledClaims } from "./sampled/claims";
import type { SampledRun } from "./sampled/run";
import { systemSeeds, type SystemArmName, type SystemRun } from "./run";
import { toolCallsEnv, toolPayEnv } from "./toolPay";

/** Payments for a call whose optimum is computed. */
export const systemPays = Object.freeze([0.03, 0.1, 0.3] as const);

/** The claims about published systems in small, decided on the stored runs. */
export const systemsLesson = (): Claim[] => [
  ...systemClaims(storedTable(measured("systems")) as unknown as SystemRun[]),
  kindsClaim(storedTable(measured("subgoals"))),
  ...sampledClaims(storedTable(measured("systems-sampled")) as unknown as SampledRun[]),
  ...enumeratedClaims(storedTable(measured("systems-enumerated"))),
];

/** Return without pay that is lost by a policy that is optimal with pay. */
export function lostByPay(pay: number, when: "eachCall" | "ifRight"): number {
  const paid = optimalPolicy(toolPayEnv({ pay, when }), { softness: 0 });
  return optimalReturn(toolPayEnv()).J - enumerateReturn(toolPayEnv(), paid, { gradient: false }).J;
}

/** Tool calls an episode of the policy that is optimal without pay. */
export const optimalCalls = (): number =>
  enumerateReturn(toolCallsEnv(), optimalPolicy(toolPayEnv(), { softness: 0 }), { gradient: false }).J;

/**
 * Decides the questions of both systems, each a family.
 *
 * @throws {RangeError} if an arm was not run
 */
export function systemClaims(runs: readonly SystemRun[]): Claim[] {
  const of = (
    arm: SystemArmName,
    column: "honest" | "attacked" | "calls",
  ): { readonly seed: number; readonly value: number }[] =>
    runs.filter((run) => run.arm === arm).map((run) => ({ seed: run.seed, value: run[column] }));
  type Sample = ReturnType<typeof of>;
  const effect = (a: Sample, b: Sample): Effect =>
    inBothHalves(a, b, (x, y) => gain(x, y), { confirmFrom: systemSeeds.confirmFrom });
  const text = (sample: Sample): string => mean(sample.map(({ value }) => value)).toFixed(3);
  const none = "no pay for tools";
  const each = "pay for each call";
  const ifRight = "pay for each call of a right answer";
  const calls = of(none, "calls");
  const best = optimalCalls();
  const lost = (when: "eachCall" | "ifRight") =>
    systemPays.map((pay) => ({ pay, lost: lostByPay(pay, when) }));
  const tools = verdicts({
    collapse: {
      effect: effect(
        calls.map(({ seed }) => ({ seed, value: best })),
        calls,
      ),
      smallestEffectOfInterest: systemEffects.calls,
    },
    each: {
      effect: effect(of(each, "honest"), of(none, "honest")),
      smallestEffectOfInterest: systemEffects.score,
    },
    ifRight: {
      effect: effect(of(ifRight, "honest"), of(none, "honest")),
      smallestEffectOfInterest: systemEffects.score,
    },
    optimum: {
      conditions: lost("eachCall").map(({ pay, lost: value }) => ({
        setting: { pay },
        effect: exactly(value),
      })),
      claims: "same",
      smallestEffectOfInterest: systemEffects.score,
    },
    optimumIfRight: {
      conditions: lost("ifRight").map(({ pay, lost: value }) => ({
        setting: { pay },
        effect: exactly(value),
      })),
      claims: "same",
      smallestEffectOfInterest: systemEffects.score,
    },
  });
  const honestTeam = "trained with honest scouts";
  const mixedTeam = "trained with three compromised of ten";
  const team = verdicts({
    attack: {
      effect: effect(of(honestTeam, "honest"), of(honestTeam, "attacked")),
      smallestEffectOfInterest: systemEffects.score,
    },
    guard: {
      effect: effect(of(mixedTeam, "attacked"), of(honestTeam, "attacked")),
      smallestEffectOfInterest: systemEffects.score,
    },
    price: {
      effect: effect(of(mixedTeam, "honest"), of(honestTeam, "honest")),
      claims: "no loss",
      smallestEffectOfInterest: systemEffects.score,
    },
  });
  const lostText = (when: "eachCall" | "ifRight"): string =>
    lost(when)
      .map(({ pay, lost: value }) => `${value.toFixed(3)} at ${pay}`)
      .join(", ");
  const pyVision = "PyVision-RL, 2602.20739 [P]";
  return [
    {
      claim:
        "Interaction collapse: paid for the answer alone, GRPO ends with fewer tool calls than the optimum",
      source: pyVision,
      measured: `calls an episode: ${text(calls)}, optimum ${best.toFixed(3)}`,
      verdict: tools.collapse,
    },
    {
      claim: "Paying .1 for each call, as released, raises the return without the pay",
      source: pyVision,
      measured: `${text(of(each, "honest"))} against ${text(of(none, "honest"))}; calls ${text(of(each, "calls"))}`,
      verdict: tools.each,
    },
    {
      claim: "Paying .1 for each call of a right answer raises it",
      source: "derived [D]",
      measured: `${text(of(ifRight, "honest"))} against ${text(of(none, "honest"))}; calls ${text(of(ifRight, "calls"))}`,
      verdict: tools.ifRight,
    },
    {
      claim: "Pay for each call leaves the optimum where it is",
      source: "derived [D]",
      measured: `return lost by the optimum with pay: ${lostText("eachCall")}`,
      verdict: tools.optimum,
    },
    {
      claim: "So does pay for each call of a right answer",
      source: "derived [D]",
      measured: `the same: ${lostText("ifRight")}`,
      verdict: tools.optimumIfRight,
    },
    {
      claim: "A team that was trained with honest agents loses where one of them is compromised",
      source: "G-Safeguard, 2502.11127 [P]",
      measured: `${text(of(honestTeam, "honest"))} against ${text(of(honestTeam, "attacked"))}`,
      verdict: team.attack,
    },
    {
      claim: "Trained with three compromised scouts of ten, it earns more then",
      source: "derived [D] from G-Safeguard",
      measured: `${text(of(mixedTeam, "attacked"))} against ${text(of(honestTeam, "attacked"))}`,
      verdict: team.guard,
    },
    {
      claim: "That costs nothing where all are honest",
      source: "derived [D]",
      measured: `${text(of(mixedTeam, "honest"))} against ${text(of(honestTeam, "honest"))}`,
      verdict: team.price,
    },
  ];
}
