import type { CardRecord } from "./figures";

/** Dimension in which the settings of a world differ. */
export type Axis = "horizon" | "groups" | "groupSize" | "staleness" | "mismatch";

const axes: readonly Axis[] = ["horizon", "groups", "groupSize", "staleness", "mismatch"];

/** Whether a record has the values of its world's first one, its centre, along all axes but for one. */
export function atCentre(records: readonly CardRecord[]): (record: CardRecord, but?: Axis) => boolean {
  const centres = new Map<string, CardRecord>();
  for (const record of records) if (!centres.has(record.world)) centres.set(record.world, record);
  return (record, but) =>
    axes.every((axis) => axis === but || record[axis] === centres.get(record.world)![axis]);
}
