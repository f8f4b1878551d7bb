import type { CardRecord } from "./figures";

/** Dimension in which the settings of a world differ. */
export type Axis = "horizon" | "groups" | "groupSize" | "staleness" | "mismatch";

const axes: readonly Axis[] = ["horizon", "groups", "groupSize", "staleness", "mismatch"];

/** Whether a record has the values of its world's first one, its center, along all axes but for one. */
export function atCenter(records: readonly CardRecord[]): (record: CardRecord, but?: Axis) => boolean {
  const centers = new Map<string, CardRecord>();
  for (const record of records) if (!centers.has(record.world)) centers.set(record.world, record);
  return (record, but) =>
    axes.every((axis) => axis === but || record[axis] === centers.get(record.world)![axis]);
}
