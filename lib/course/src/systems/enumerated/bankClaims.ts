import type { Claim } from "turnwise/internal/plot/ledger";
import { exactly } from "turnwise/internal/verdict/effect";
import { verdicts } from "turnwise/internal/verdict/verdict";
import { addedOptimum, type BankArmName } from "./bank";
import { enumeratedEffects } from "./design";
import { effect, reader, text, type Rows, type Sample } from "./rows";

const { score } = enumeratedEffects;

const constant = (like: Sample, value: number): Sample => like.map(({ seed }) => ({ seed, value }));

/** The claims about a manager of memories. */
export function bankClaims(runs: Rows): Claim[] {
  const of = reader(runs, "memory bank");
  const right = (arm: BankArmName): Sample => of({ arm, column: "success" });
  const managed = right("all four, GRPO");
  const best = addedOptimum();
  const smallestEffectOfInterest = score;
  const found = verdicts({
    needed: { effect: exactly(1 - best), smallestEffectOfInterest },
    trained: { effect: effect(managed, right("adds everything")), smallestEffectOfInterest },
    beyond: { effect: effect(managed, constant(managed, best)), smallestEffectOfInterest },
    optimum: {
      effect: effect(managed, constant(managed, 1)),
      claims: "no loss",
      smallestEffectOfInterest,
    },
    ppo: {
      effect: effect(right("all four, PPO"), managed),
      claims: "same",
      smallestEffectOfInterest,
    },
  });
  const source = "Memory-R1, 2508.19828 [P], in small";
  return [
    {
      claim: "A memory to which everything is added loses facts that four operations keep",
      source: "derived [D]",
      measured: `success at the optimum: ${best.toFixed(3)} against 1.000`,
      verdict: found.needed,
    },
    {
      claim: "Trained by the answer alone, a manager of four operations beats adding everything",
      source,
      measured: `${text(managed)} against ${text(right("adds everything"))}`,
      verdict: found.trained,
    },
    {
      claim: "It beats the best reader of a memory to which everything is added",
      source: "derived [D]",
      measured: `${text(managed)} against ${best.toFixed(3)}`,
      verdict: found.beyond,
    },
    {
      claim: "It comes to the optimum",
      source: "derived [D]",
      measured: `${text(managed)}, optimum 1`,
      verdict: found.optimum,
    },
    {
      claim: "PPO and GRPO train it equally well",
      source,
      measured: `${text(right("all four, PPO"))} against ${text(managed)}`,
      verdict: found.ppo,
    },
  ];
}
