import { bootstrapInterval } from "../../base/interval";
import { median } from "../../base/statistics";
import type { Claim } from "../../plot";
import { shown, type Gap } from "../verdict";
import { eventOrder } from "./eventOrder";
import { leverClaims } from "./leverClaims";
import { ragenClaims } from "./ragenClaims";
import type { StoredRagenRun } from "./ragenStored";
import type { StoredRun } from "./stored";
import type { TrapName } from "./traps";

/** What the claims about echo traps are measured on, as `datasets/measured` holds it. */
export interface EchoTrapResults {
  readonly runs: readonly StoredRun[];
  readonly ragen: readonly StoredRagenRun[];
}

const success = (gap: Gap): string => shown(gap, 2);

/** The claims of notebook 03, about 20 seeds of every setting. */
export function echoTrapClaims({ runs, ragen }: EchoTrapResults): Claim[] {
  return [...anatomy(runs), gradientSpikes(runs), ...leverClaims(runs), ...ragenClaims(ragen)];
}

const vanillaOf = (runs: readonly StoredRun[], trap: TrapName): StoredRun[] =>
  runs.filter((run) => run.trap === trap && run.lever === "vanilla" && run.change === "");

/** The three traps, and the order of events in trap A. */
function anatomy(runs: readonly StoredRun[]): Claim[] {
  const end = (trap: TrapName): { final: Gap; low: number; collapsed: number } => {
    const own = vanillaOf(runs, trap);
    return {
      final: bootstrapInterval(own.map(({ final }) => final)),
      low: own.filter(({ final }) => final < 0.5).length,
      collapsed: own.filter((run) => run.collapsed).length,
    };
  };
  const [sane, reuse, cost, mismatch] = [end("sane"), end("reuse"), end("cost"), end("mismatch")] as const;
  const order = eventOrder(vanillaOf(runs, "reuse"));
  const at = (event: string): number => order.events.find((e) => e.event === event)?.median ?? NaN;
  return [
    {
      claim: "Multi-turn GRPO collapses into an echo trap",
      source: "RAGEN, Finding 2 [P]",
      measured:
        `20 seeds each, final success: sane ${success(sane.final)}, A ${success(reuse.final)} (${reuse.collapsed} collapsed), ` +
        `B ${success(cost.final)} (${cost.low} below .5), C ${success(mismatch.final)} (${mismatch.low} below .5)`,
      verdict:
        sane.final.low > 0.9 && [reuse, cost, mismatch].every(({ final }) => final.high < 0.9)
          ? "holds only if Adam takes many large steps per batch, or a cost meets group std, or log-probs disagree"
          : "not reproduced",
    },
    {
      claim: "In-group std falls first, entropy next",
      source: "RAGEN, Fig. 6 caption [P]",
      measured:
        `trap A: std below .05 at update ${at("stdCliff")}, entropy below 25 % at ${at("entropyCliff")} (medians); ` +
        `entropy first in ${order.entropyFirst} of ${order.runs}, at the same update in ${order.together}`,
      verdict:
        order.entropyFirst > 0.75 * order.runs
          ? "not reproduced: entropy falls first here"
          : "not reproduced: they fall together",
    },
    {
      claim: "A gradient burst comes right before the fall",
      source: "RAGEN, Finding 2 [P]",
      measured:
        `trap A: ${order.fell} of ${order.runs} runs fell at some time; ` +
        `the last KL burst was at most 10 updates before in ${order.burstBefore}`,
      verdict: order.burstBefore >= 0.75 * order.fell ? "holds" : "holds only if Adam comes out of silence",
    },
    {
      claim: "The fall is irreversible",
      source: "RAGEN, Finding 2 [P]",
      measured: `trap A: of ${order.fell} runs that fell, ${order.recovered} were back above 75 % of their peak after 500 updates`,
      verdict:
        order.recovered === 0
          ? "holds"
          : "holds only if no later burst brings the policy back: some runs recover",
    },
  ];
}

function gradientSpikes(runs: readonly StoredRun[]): Claim {
  const norms = (trap: TrapName): number[] => vanillaOf(runs, trap).map(({ maxGradNorm }) => maxGradNorm);
  const typical = (trap: TrapName): string => median(norms(trap)).toPrecision(2);
  const largest = (trap: TrapName): string => Math.max(...norms(trap)).toPrecision(2);
  const isSpike = (norm: number): boolean => norm > 10 * median(norms("sane"));
  const spiked = (trap: TrapName): number => norms(trap).filter(isSpike).length;
  const fell = vanillaOf(runs, "mismatch").filter(({ fall }) => fall !== null);
  return {
    claim: "Gradient spikes mark the trap",
    source: "RAGEN, section 4.3 [P]",
    measured:
      `largest gradient norm, median (maximum) of 20 seeds: A ${typical("reuse")} (${largest("reuse")}), ` +
      `C ${typical("mismatch")} (${largest("mismatch")}), sane ${typical("sane")}; above ten times the sane median: ` +
      `A ${spiked("reuse")}, C ${spiked("mismatch")} of 20, and of the ${fell.length} runs of C that fell ` +
      String(fell.filter(({ maxGradNorm }) => isSpike(maxGradNorm)).length),
    verdict:
      spiked("reuse") > 0
        ? "holds"
        : spiked("mismatch") > 0
          ? "holds only if rollout and trainer disagree about log-probs, and not in every such run"
          : "not reproduced",
  };
}
