import { decimate, type Point } from "../plot/decimate";
import type { TrainRecord } from "../train";

const mostPoints = 600;
const mostRecords = 5000;

/** Points of a curve that may go on for ever: at most so many are kept, with all spikes. */
export class Track {
  #points: readonly Point[] = [];

  get points(): readonly Point[] {
    return this.#points;
  }

  add(point: Point): void {
    const all = this.#points as Point[];
    all.push(point);
    if (all.length >= 2 * mostPoints) this.#points = [...decimate(all, mostPoints)];
  }
}

/** The latest records of a run that may go on for ever. */
export class LatestRecords {
  readonly all: TrainRecord[] = [];

  add(record: TrainRecord): void {
    this.all.push(record);
    if (this.all.length >= 1.1 * mostRecords) this.all.splice(0, this.all.length - mostRecords);
  }
}
