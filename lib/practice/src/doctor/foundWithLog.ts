import { short } from "turnwise/internal/base/curve";
import type { Found, LintReport, Severity } from "../lint";
import type { View } from "./view";

const order: readonly Severity[] = ["error", "warning", "note"];
/** A KL that is never above this is one of two equal policies, but for the noise of two forward passes. */
const NOISE = 1e-3;

/** Trainers that compute no KL where its coefficient is 0. */
const chargesWhatItLogs = (lint: LintReport): boolean =>
  lint.trainer === "trl" && (lint.dialect === undefined || lint.dialect === "open-r1");

/**
 * Findings of the configuration, the worst first. That nothing holds the policy to its reference is a warning where the log shows such
 * a KL: whoever watches it may take it for a leash.
 */
export function foundWithLog({ run, config, subject }: View): readonly Found[] {
  const found = config?.lint.found ?? [];
  const logged = (run?.records ?? []).flatMap(({ metrics }) => {
    const kl = metrics["policy/klReference"];
    return kl !== undefined && Number.isFinite(kl) ? [kl] : [];
  });
  if (subject === undefined || !logged.some((kl) => Math.abs(kl) > NOISE)) return found;
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
  return found
    .map((one): Found =>
      one.id !== "no-anchor"
        ? one
        : {
            ...one,
            severity: "warning",
            confidence: "certain",
            title: "The KL to the reference is logged, and nothing charges it",
            evidence: `it goes up to ${short(Math.max(...logged))} in the log, while ${off.map((name) => subject.shown(name)).join(" and ")}, so it is measured and does not hold the policy`,
          },
    )
    .sort((a, b) => order.indexOf(a.severity) - order.indexOf(b.severity));
}
