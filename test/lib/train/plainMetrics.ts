// Uses internals of turnwise/base.
/** What a record reports besides the rule's own numbers, as plainly as `plainRule.ts`. */
import { log } from "turnwise/internal/base/elementary/log";
import type { Batch, Metrics } from "turnwise";
import { mean, sum } from "./plainRule";

/** One number per name: the largest of "...Max", the smallest of "...Min", the mean of everything else. */
export function merged(steps: readonly Metrics[]): Metrics {
  const names = new Set(steps.flatMap((step) => Object.keys(step) as (keyof Metrics)[]));
  const merge = (name: keyof Metrics): number => {
    const values = steps.flatMap((step) => step[name] ?? []);
    if (name.endsWith("Max")) return Math.max(...values);
    return name.endsWith("Min") ? Math.min(...values) : mean(values);
  };
  return Object.fromEntries([...names].map((name) => [name, merge(name)]));
}

/** H = -sum p log p + (K - 1) / (2 N), with K different values among N (Miller and Madow). */
function entropy(values: readonly string[]): number {
  const different = [...new Set(values)];
  const p = different.map((value) => values.filter((other) => other === value).length / values.length);
  return -sum(p.map((x) => x * log(x))) + (different.length - 1) / (2 * values.length);
}

/** What was sampled, before any filter. */
export function rolloutMetrics(batch: Batch): Metrics {
  const [N, T, L] = batch.shape;
  const rows = Array.from({ length: N }, (_, n) => n);
  const response = rows.map((n) =>
    Array.from({ length: batch.turnCount_n[n]! }, (_, t) => (n * T + t) * L)
      .map((i) => batch.token_ntl.slice(i, i + L).filter((_, l) => batch.mask_ntl[i + l] === 1))
      .join(";"),
  );
  const task = batch.groupId.map((id) => id.split(":").at(-1)!);
  const both = rows.map((n) => `${task[n]!} ${response[n]!}`);
  const times = (value: string): number => response.filter((other) => other === value).length;
  const infos = batch.info_nt!.map((turns) => turns as readonly Info[]);
  const calls = (kind: string): number => infos.flat().filter(({ call }) => call === kind).length / N;
  const last = infos.map((turns) => turns.at(-1)!);
  const scores = last.flatMap(({ trueScore }) => trueScore ?? []);
  return {
    "reward/mean": mean([...batch.return_n]),
    "turns/mean": mean([...batch.turnCount_n]),
    "rollout/steps": sum([...batch.turnCount_n].map((turns, n) => turns - (batch.fork_n?.[n]?.turn ?? 0))),
    "tokens/mean": sum([...batch.mask_ntl]) / N,
    "response/distinct": new Set(response).size / N,
    "response/topShare": Math.max(...response.map(times)) / N,
    "response/mutualInformation": Math.max(0, entropy(task) + entropy(response) - entropy(both)),
    ...(infos.flat().some(({ call }) => call !== undefined) && {
      "tools/calls": calls("tool"),
      "tools/malformed": calls("malformed"),
    }),
    ...(last.some(({ success }) => success !== undefined) && {
      "success/mean": last.filter(({ success }) => success === true).length / N,
    }),
    ...(scores.length === N && { "reward/trueScore": mean(scores) }),
  };
}

interface Info {
  readonly call?: string;
  readonly success?: boolean;
  readonly trueScore?: number;
}
