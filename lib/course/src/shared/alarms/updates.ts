import type { Stratum, WarningWindow } from "turnwise/internal/monitor/index";

/** Updates of one run: how many, how many of them an onset follows, and how many one would follow at their age anyway. */
export interface UpdateCount {
  readonly up: number;
  readonly followed: number;
  /** The sum, over the updates counted in `up`, of the share of runs at risk then whose onset follows. */
  readonly expected: number;
}

/**
 * For each run of the strata, the updates at risk at which a rule is up at a rung; without a rule, all updates at risk.
 *
 * An update is at risk from the end of the warm-up to the one before the onset; a survivor's last `horizon` updates are not
 * counted, as nobody knows what follows them.
 */
export function countUpdates(
  strata: readonly Stratum[],
  { horizon, warmUp }: WarningWindow,
  rule?: { readonly name: string; readonly rung: number },
): readonly UpdateCount[] {
  return strata.flatMap(({ falls, survivors }) => {
    const runs = [...falls, ...survivors].map((run) => {
      const last = run.onset === null ? run.updates - horizon : run.onset - 1;
      return { run, last, follows: (u: number) => run.onset !== null && run.onset - u <= horizon };
    });
    const longest = Math.max(...runs.map(({ last }) => last));
    const base_u = Array.from({ length: longest + 1 }, (_, u) => {
      const atRisk = runs.filter(({ last }) => u <= last);
      return atRisk.filter(({ follows }) => follows(u)).length / atRisk.length;
    });
    return runs.map(({ run, last, follows }) => {
      const count = { up: 0, followed: 0, expected: 0 };
      for (let u = warmUp + 1; u <= last; u++) {
        if (rule && (run.levels[rule.name]?.[u - 1] ?? 0) <= rule.rung) continue;
        count.up += 1;
        count.followed += Number(follows(u));
        count.expected += base_u[u]!;
      }
      return count;
    });
  });
}
