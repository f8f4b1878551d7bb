import type { MonitorRecord } from "turnwise/internal/monitor/signals";
import type { Framework } from "./framework";
import type { OwnNames } from "./names";
import { plainName } from "./plainName";

/** The name in a log that success is read by; undefined where no record has it. */
export function sourceOf(
  records: readonly MonitorRecord[],
  names: Framework,
  seen: ReadonlySet<string>,
  map: OwnNames = {},
): string | undefined {
  const metric = (["success/mean", "reward/mean"] as const).find((one) =>
    records.some(({ metrics }) => metrics[one] !== undefined),
  );
  if (metric === undefined) return undefined;
  const own = Object.entries(map).find(([, to]) => to === metric)?.[0];
  const listed = (names.metrics[metric] ?? [metric]).flatMap((name) =>
    ["", ...names.prefixes].map((prefix) => prefix + name),
  );
  const found = listed.find((name) => seen.has(name));
  return plainName(own ?? found ?? [...seen].find((name) => names.patterns[metric]?.test(name)) ?? metric);
}
