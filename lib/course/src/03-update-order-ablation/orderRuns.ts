import { storedTable } from "../shared/storedTable";
import type { OrderArm, OrderWorld } from "./orderAblation";
import type { OrderStudyPart } from "./orderStudy";

/** A run as `datasets/measured/update-order.csv` holds it. */
export interface OrderRun {
  readonly part: string;
  readonly world: OrderWorld;
  readonly arm: OrderArm;
  readonly scale: Exclude<OrderStudyPart["scale"], undefined | readonly unknown[]>;
  /** Competence of the starting policy; 0 in worlds that know none. */
  readonly beta: number;
  readonly seed: number;
  readonly success: number;
  readonly reward: number;
  readonly steps: number;
}

/** The runs of `update-order.csv`. */
export function storedOrderRuns(csv: string): OrderRun[] {
  return storedTable(csv).map(
    ({ samples: _samples, optimizerSteps, beta, ...row }) =>
      ({ ...row, beta: Number(beta), steps: optimizerSteps }) as unknown as OrderRun,
  );
}
