import type { Claim } from "turnwise/internal/plot/ledger";
import { exactly } from "turnwise/internal/verdict/effect";
import { verdicts } from "turnwise/internal/verdict/verdict";
import { enumeratedEffects } from "./design";
import { omissionOptimum, type OmissionArm } from "./omission";
import type { OmissionPay } from "./omissionWorld";
import { effect, reader, text, type Rows, type Sample } from "./rows";

/** Weights of the saving whose optimum is computed. */
const omissionWeights = [0.2, 0.5, 0.8] as const;

const { score, units } = enumeratedEffects;

/** The claims about leaving out thoughts and observations. */
export function omissionClaims(runs: Rows): Claim[] {
  const of = reader(runs, "omission");
  const right = (arm: OmissionArm): Sample => of({ arm, column: "success" });
  const read = (arm: OmissionArm): Sample => of({ arm, column: "second" });
  const optima = (pay: OmissionPay) =>
    omissionWeights.map((weight) => ({ weight, ...omissionOptimum({ pay, weight }) }));
  const gated = optima("answer and saving");
  const always = optima("answer and saving, not gated");
  const lost = (all: typeof gated) =>
    all.map(({ weight, success }) => ({ setting: { weight }, effect: exactly(success - 1) }));
  const lostText = (all: typeof gated): string =>
    all.map(({ weight, success }) => `${success.toFixed(3)} at weight ${weight}`).join(", ");
  const found = verdicts({
    right: {
      effect: effect(right("paid for saving too"), right("reads everything")),
      claims: "no loss",
      smallestEffectOfInterest: score,
    },
    less: {
      effect: effect(read("reads everything"), read("paid for saving too")),
      smallestEffectOfInterest: units,
    },
    rightUnpaid: {
      effect: effect(right("paid for saving too"), right("paid for the answer")),
      claims: "no loss",
      smallestEffectOfInterest: score,
    },
    lessUnpaid: {
      effect: effect(read("paid for the answer"), read("paid for saving too")),
      smallestEffectOfInterest: units,
    },
    gate: {
      effect: effect(right("paid for saving too"), right("paid for saving always")),
      smallestEffectOfInterest: score,
    },
    optimum: {
      conditions: lost(gated),
      claims: "no loss",
      smallestEffectOfInterest: score,
    },
    optimumAlways: {
      conditions: lost(always),
      claims: "no loss",
      smallestEffectOfInterest: score,
    },
  });
  const source = "Agent-Omit, 2602.04284 [P], in small";
  const both = (column: typeof right, a: OmissionArm, b: OmissionArm): string =>
    `${text(column(a))} against ${text(column(b))}`;
  return [
    {
      claim: "Paid for what it leaves out, an agent answers right as often as one that reads everything",
      source,
      measured: both(right, "paid for saving too", "reads everything"),
      verdict: found.right,
    },
    {
      claim: "It reads and writes less",
      source,
      measured: `units of 12: ${both(read, "paid for saving too", "reads everything")}`,
      verdict: found.less,
    },
    {
      claim: "It answers right as often as an agent that may leave out and is paid for the answer alone",
      source: "derived [D]",
      measured: both(right, "paid for saving too", "paid for the answer"),
      verdict: found.rightUnpaid,
    },
    {
      claim: "It reads and writes less than that one",
      source,
      measured: `units of 12: ${both(read, "paid for saving too", "paid for the answer")}; optimum ${gated[0]!.units.toFixed(3)}`,
      verdict: found.lessUnpaid,
    },
    {
      claim: "Paid for saving after right answers only, it is right more often than paid for saving always",
      source: "derived [D]",
      measured: both(right, "paid for saving too", "paid for saving always"),
      verdict: found.gate,
    },
    {
      claim: "Pay for saving after right answers leaves the optimum right",
      source: "derived [D]",
      measured: `success of the optimum: ${lostText(gated)}`,
      verdict: found.optimum,
    },
    {
      claim: "So does pay for saving always",
      source: "derived [D]",
      measured: `success of the optimum: ${lostText(always)}`,
      verdict: found.optimumAlways,
    },
  ];
}
