import type { Rng } from "../../base/rng";
import type { Played } from "../env";

/** Draws levels of difficulty, and learns from what comes of them. */
export interface Sampler {
  readonly levels: number;
  /** Estimated success rate of a level. */
  estimate(level: number): number;
  /** q(1), ..., q(levels); they sum to 1. */
  probabilities(): number[];
  draw(rng: Rng): number;
  /** An episode of a level has ended. */
  record(level: number, success: boolean): void;
  /** A trajectory of a level has been learned from. */
  observe?(level: number, played: Played): void;
  /** Between updates: what was recorded takes effect. */
  advance(): void;
  /** Plain JSON data for a checkpoint. */
  state(): unknown;
  /** @throws {TypeError} if it is the state of another sampler */
  restore(state: unknown): void;
}
