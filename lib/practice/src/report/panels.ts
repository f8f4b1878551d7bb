import type { SignalName } from "turnwise/internal/monitor/signals";
import type { AnatomyPanel } from "turnwise/internal/plot/index";

/** Look of a panel's signal. */
export type PanelLook = Pick<AnatomyPanel, "log" | "domain">;

/** The signals that a log is drawn by, from top to bottom. Those that it has no metric for are left out. */
export const panels: readonly (readonly [SignalName, string, PanelLook])[] = [
  ["success", "success", {}],
  ["stdShare", "in-group std, share of its highest", { domain: [0, 1] }],
  ["unearnedSilence", "unearned silence", {}],
  // A share of the highest so far is 1 throughout where entropy rises.
  ["tokenEntropy", "entropy, nats per token", {}],
  ["gradNorm", "gradient norm", { log: true }],
  ["clipFraction", "clipped tokens", {}],
  ["informationLoss", "information lost", {}],
  ["mismatch", "mismatch, nats per token", {}],
  ["staleness", "staleness, updates", {}],
  ["turns", "turns", {}],
  ["toolFailures", "failed tool calls", {}],
];
