import { short } from "turnwise/internal/base/curve";
import type { MetricName } from "turnwise/internal/base/glossary";
import { mean } from "turnwise/internal/base/statistics";
import { FEWEST } from "turnwise/internal/monitor/fallWatch";
import type { FindingId, Found, LintReport, Severity } from "../lint";
import { valuesOf } from "../report/klSign";
import { eventInWords, eventsIn } from "./causes/contract";
import { gaps } from "./causes/enginesApart";
import { gapFromStart } from "./causes/gapFromStart";
import type { View } from "./view";

const order: readonly Severity[] = ["error", "warning", "note"];
/** A KL that is never above this is one of two equal policies, but for the noise of two forward passes. */
const NOISE = 1e-3;
/** A share of cut answers that teaches. */
const MANY_CUT = 0.1;
/** Steps that tell how a run ended. */
const LAST = 10;

/** Trainers that compute no KL where its coefficient is 0. */
const chargesWhatItLogs = (lint: LintReport): boolean =>
  lint.trainer === "trl" && (lint.dialect === undefined || lint.dialect === "open-r1");

/** Effect of a setting that nearly every run has, as a log shows it: evidence, that it does nothing, or undefined if it is not logged. */
type Measured = { readonly evidence: string } | "harmless" | undefined;

/** The findings that nearly every configuration has: a log decides what they are worth. */
const measured: Partial<Record<FindingId, (view: View) => Measured>> = {
  "engine-without-correction": (view) => {
    const [grown] = eventsIn(view, gaps, true);
    const evidence = grown === undefined ? gapFromStart.look(view)?.evidence[0] : eventInWords(grown);
    if (evidence !== undefined) return { evidence };
    return gaps.some((metric) => logged(view, metric).length >= FEWEST) ? "harmless" : undefined;
  },
  "truncated-as-failures": (view) => {
    const metric = "tokens/fracTruncated";
    const [risen] = eventsIn(view, [metric], true);
    if (risen !== undefined) return { evidence: eventInWords(risen) };
    const shares = logged(view, metric);
    if (shares.length === 0) return undefined;
    const share = Math.max(mean(shares), mean(shares.slice(-LAST)));
    if (share > MANY_CUT) return { evidence: `${Math.round(100 * share)}% of answers are cut` };
    return shares.length >= FEWEST ? "harmless" : undefined;
  },
};

const logged = ({ run }: View, metric: MetricName): readonly number[] => valuesOf(run?.records ?? [], metric);

/** Whether a finding is one that nearly every configuration has, and no log shows that it does something. */
export const isOpen = ({ id, severity }: Found): boolean => id in measured && severity === "note";

/**
 * Findings of the configuration, the worst first. Those that nearly every configuration has are warnings where the log shows what they do,
 * are left out where it shows that they do nothing, and come last where it shows neither.
 */
export function foundWithLog(view: View): readonly Found[] {
  const found = withKl(view).flatMap((one): Found[] => {
    const shown = measured[one.id]?.(view);
    if (shown === "harmless") return [];
    if (shown === undefined) return [one];
    return [
      { ...one, severity: "warning", confidence: "certain", evidence: `${one.evidence}; ${shown.evidence}` },
    ];
  });
  return found.sort(
    (a, b) => Number(isOpen(a)) - Number(isOpen(b)) || order.indexOf(a.severity) - order.indexOf(b.severity),
  );
}

/**
 * Findings of the configuration. That nothing holds the policy to its reference is a warning where the log shows such a KL: whoever
 * watches it may take it for a leash.
 */
function withKl({ run, config, subject }: View): readonly Found[] {
  const found = config?.lint.found ?? [];
  const kls = (run?.records ?? []).flatMap(({ metrics }) => {
    const kl = metrics["policy/klReference"];
    return kl !== undefined && Number.isFinite(kl) ? [kl] : [];
  });
  if (subject === undefined || !kls.some((kl) => Math.abs(kl) > NOISE)) return found;
  const off = (["klInLoss", "klInReward", "klLossCoef"] as const).filter(
    (name) => subject.canSet(name) && (name !== "klLossCoef" || !subject.canSet("klInLoss")),
  );
  // A default that the log refutes is another release's.
  if (config !== undefined && chargesWhatItLogs(config.lint) && !subject.gives("klLossCoef")) {
    return found.map((one): Found =>
      one.id !== "no-anchor"
        ? one
        : {
            ...one,
            severity: "note",
            confidence: "certain",
            title: "The run's release has other defaults than those assumed here",
            why: "TRL computes a KL to the reference only where beta is above 0.",
            evidence:
              "a KL to the reference is logged, which TRL computes only where beta is above 0, and beta is not given: before 0.19 its default was 0.04; --release names the release",
            change: [],
            instead: [],
            advice: undefined,
          },
    );
  }
  return found.map((one): Found =>
    one.id !== "no-anchor"
      ? one
      : {
          ...one,
          severity: "warning",
          confidence: "certain",
          title: "The KL to the reference is logged, and nothing charges it",
          evidence: `it goes up to ${short(Math.max(...kls))} in the log, while ${off.map((name) => subject.shown(name)).join(" and ")}, so it is measured and does not hold the policy`,
        },
  );
}
