import type { Claim } from "turnwise/internal/plot/index";
import type { Verdict } from "turnwise/internal/base/verdict";
import { effectText } from "turnwise/internal/verdict/effectText";
import type { Effect } from "turnwise/internal/verdict/effect";

/** Tells claims whose figure is their effect alone: what was measured, its interval and the seeds behind it. */
export function toldBy<K extends string>(
  source: string,
  effects: Readonly<Record<K, Effect>>,
  decided: Readonly<Record<K, Verdict>>,
): (name: K, claim: string, what: string) => Claim {
  return (name, claim, what) => ({
    claim,
    source,
    measured: `${what} ${effectText(effects[name])}, ${String(effects[name].n)} seeds`,
    verdict: decided[name],
  });
}
