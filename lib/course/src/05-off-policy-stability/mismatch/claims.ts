import type { Claim } from "turnwise/internal/plot/ledger";
import { effectText } from "turnwise/internal/verdict/effectText";
import { exactly, gain, gainInHalves, type Effect, type SeedValue } from "turnwise/internal/verdict/effect";
import { verdict, verdicts, type Condition } from "turnwise/internal/verdict/verdict";
import type { EngineName, MismatchArm } from "./arms";
import { correctionBias } from "./correctionBias";
import { smallestMismatchBias, smallestMismatchEffect } from "./effects";
import { hotEngine } from "./hotEngine";
import type { MismatchRun } from "./stored";

/** Seeds from here on confirm what the others found. */
const CONFIRM_FROM = 20;

const apart: readonly EngineName[] = ["noise", "stale", "top-p", "all three", "hot"];
const weighting = ["TIS", "IcePop", "MIS", "Geo-RS"] as const satisfies readonly MismatchArm[];

/** The claims about corrections of the mismatch between trainer and rollout engine. All comparisons of runs are one family. */
export function mismatchClaims(runs: readonly MismatchRun[]): Claim[] {
  return [...trainingClaims(runs), ...biasClaims()];
}

function trainingClaims(runs: readonly MismatchRun[]): Claim[] {
  const of = (engine: EngineName, arm: MismatchArm): SeedValue[] =>
    runs
      .filter((run) => run.engine === engine && run.arm === arm)
      .map(({ seed, end }) => ({ seed, value: end }));
  const ends = (engine: EngineName, arm: MismatchArm): number[] => of(engine, arm).map(({ value }) => value);
  const halves = (engine: EngineName, a: MismatchArm, b: MismatchArm): Condition => ({
    setting: { engine },
    effect: gainInHalves(of(engine, a), of(engine, b), { confirmFrom: CONFIRM_FROM }),
  });
  const over = (a: MismatchArm, b: MismatchArm): Condition[] => apart.map((engine) => halves(engine, a, b));
  const whole = (engine: EngineName, a: MismatchArm, b: MismatchArm): Effect =>
    gain(ends(engine, a), ends(engine, b));
  const told = (a: MismatchArm, b: MismatchArm): string =>
    apart.map((engine) => `${engine} ${effectText(whole(engine, a, b), 2)}`).join("; ");
  const smallestEffectOfInterest = smallestMismatchEffect;
  const arms: readonly MismatchArm[] = ["decoupled", ...weighting];
  const decided = verdicts({
    decoupled: { conditions: over("decoupled", "bypass"), smallestEffectOfInterest },
    TIS: { conditions: over("TIS", "decoupled"), smallestEffectOfInterest },
    IcePop: { conditions: over("IcePop", "decoupled"), smallestEffectOfInterest },
    MIS: { conditions: over("MIS", "decoupled"), smallestEffectOfInterest },
    "Geo-RS": { conditions: over("Geo-RS", "decoupled"), smallestEffectOfInterest },
    free: {
      conditions: arms.map((arm) => ({
        setting: { correction: arm },
        effect: gainInHalves(of("agrees", arm), of("agrees", "bypass"), { confirmFrom: CONFIRM_FROM }),
      })),
      claims: "no loss",
      smallestEffectOfInterest,
    },
    support: {
      conditions: arms.map((arm) => ({
        setting: { correction: arm },
        effect: gainInHalves(of("agrees", arm), of("top-p", arm), { confirmFrom: CONFIRM_FROM }),
      })),
      smallestEffectOfInterest,
    },
  });
  const gains = (arm: (typeof weighting)[number], source: string): Claim => ({
    claim: `${arm} gains over old log-probs of the trainer alone`,
    source,
    measured: told(arm, "decoupled"),
    verdict: decided[arm],
  });
  return [
    {
      claim: "Old log-probs of the trainer are better than the engine's",
      source: "verl, rollout_corr_helper.py: decoupled mode [P]",
      measured: told("decoupled", "bypass"),
      verdict: decided.decoupled,
    },
    gains("TIS", "Yao et al., off-policy RL [P]"),
    gains("IcePop", "arXiv 2510.18855 [S]"),
    gains("MIS", "richardli.xyz, rl-collapse part 3 [P]"),
    gains("Geo-RS", "richardli.xyz, rl-collapse part 3 [P]"),
    {
      claim: "Where engine and trainer agree, a correction costs nothing",
      source: "this study",
      measured: arms.map((arm) => `${arm} ${effectText(whole("agrees", arm, "bypass"), 2)}`).join("; "),
      verdict: decided.free,
    },
    {
      claim: "No correction brings back what top-p never draws",
      source: "this study",
      measured: `lost by top-p: ${arms
        .map((arm) => `${arm} ${effectText(gain(ends("agrees", arm), ends("top-p", arm)), 2)}`)
        .join("; ")}`,
      verdict: decided.support,
    },
  ];
}

/** Computed over all trajectories of a small world, so that nothing is sampled. */
function biasClaims(): Claim[] {
  const world = hotEngine();
  const bias = (correction: Parameters<typeof correctionBias>[2]): number =>
    correctionBias(world.env, world, correction).bias;
  const ways = {
    "token, C = 2": bias({ kind: "truncate", level: "token", high: 2 }),
    "token, no C": bias({ kind: "truncate", level: "token", high: null }),
    "trajectory, C = 1.2": bias({ kind: "truncate", level: "trajectory", high: 1.2 }),
    "trajectory, no C": bias({ kind: "truncate", level: "trajectory", high: null }),
  };
  return [
    {
      claim: "A truncated importance weight leaves no bias",
      source: "exact, LookUp-v0 with 2 facts, an engine at temperature 1.6",
      measured:
        `bias over the gradient's length: without weight ${bias("none").toFixed(3)}; ` +
        Object.entries(ways)
          .map(([weight, found]) => `${weight} ${found.toFixed(3)}`)
          .join("; "),
      verdict: verdict({
        conditions: Object.entries(ways).map(([weight, found]) => ({
          setting: { weight },
          effect: exactly(found),
        })),
        claims: "same",
        smallestEffectOfInterest: smallestMismatchBias,
      }),
    },
  ];
}
