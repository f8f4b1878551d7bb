import { mean } from "turnwise/internal/base/statistics";
import { cellOf } from "../shared/echoTrap/leverEffect";
import { leverEnds } from "../shared/echoTrap/leverEnds";
import type { LeverName } from "../shared/echoTrap/levers";
import type { StoredRun } from "../shared/echoTrap/stored";
import type { Chart } from "turnwise/internal/plot/chart";

const rows = {
  "PPO's clip alone": "vanilla",
  "one step per batch": "1 step per batch",
  "a turn's arithmetic mean": "turn ratio arithmetic",
  "a turn's geometric mean": "turn ratio geometric",
  "the sequence's mean (GSPO)": "GSPO",
  "clip of the gradient": "gradient clip",
  "dual clip at 3": "dual clip 3",
  "turn's mean, our penalty": "SO-GRPO, KL",
} as const satisfies Readonly<Record<string, LeverName>>;

/** Chart of the runs that survive when the engine that samples and the one that trains disagree about log-probs, run by run. */
export function drawMismatch(runs: readonly StoredRun[]): Chart {
  const end = (lever: LeverName): string =>
    mean(cellOf(runs, "mismatch", lever).map(({ final }) => final)).toFixed(2);
  return leverEnds(runs, "mismatch", rows, {
    title: `Success: ${end("vanilla")} by PPO's clip, ${end("1 step per batch")} in one step, ${end("dual clip 3")} with the dual clip`,
    subtitle: (seeds) =>
      `GRPO on ToolChain-v0, noise of .5 nats with heavy tails, ${seeds} seeds; dots: runs`,
  });
}
