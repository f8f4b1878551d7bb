import type { Row } from "../../logs/row";
import type { StoredTrajectory } from "../trace";

/** A form in which trajectories are stored, as far as it is read. */
export interface ReadFormat {
  readonly title: string;
  /** Whether a record has this form. */
  readonly is: (record: Row) => boolean;
  /**
   * The trajectories of a record.
   *
   * @param number of the record in its file, from 0
   * @throws {TypeError} if a part of it has another form
   */
  readonly read: (record: Row, number: number) => StoredTrajectory[];
}

/** A form that is read and written. */
export interface TraceFormat extends ReadFormat {
  /**
   * A record that is read back as these trajectories, as far as the form can hold them. Who writes compares both, so that it need not
   * say what it leaves out.
   *
   * @throws {RangeError} if there is nothing in them that the form could hold, such as text where it wants numbers
   */
  readonly write: (group: readonly StoredTrajectory[]) => Row;
  /** Whether a record holds a whole group; else one trajectory. */
  readonly grouped?: true;
}

/** @throws {RangeError} always: what a form wants is not there */
export function refuseToWrite(title: string, wants: string, has: string): never {
  throw new RangeError(`Cannot write ${title}: they must have ${wants}, but ${has}.`);
}

/** @throws {TypeError} unless it is a list that is as long as it must be */
export function listOf<T>(value: unknown, name: string, where: string, length?: number): readonly T[] {
  if (Array.isArray(value) && (length === undefined || value.length === length)) return value as T[];
  const must = length === undefined ? "a list" : `a list of ${length}`;
  const is = Array.isArray(value) ? `a list of ${value.length}` : typeof value;
  throw new TypeError(`Cannot read a trajectory: ${name} must be ${must}, but ${where} has ${is}.`);
}

/** @throws {TypeError} unless it is a finite number */
export function numberOf(value: unknown, name: string, where: string): number {
  const number = typeof value === "bigint" ? Number(value) : value;
  if (typeof number === "number" && Number.isFinite(number)) return number;
  throw new TypeError(
    `Cannot read a trajectory: ${name} must be a finite number, but ${where} has ${String(JSON.stringify(value))}.`,
  );
}

/** A record without the parts that have been read. */
export const without = (record: Row, names: readonly string[]): Row =>
  Object.fromEntries(Object.entries(record).filter(([name]) => !names.includes(name)));
