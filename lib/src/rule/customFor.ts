import type { AdvantageFunction } from "./advantage/custom";
import type { AggregateFunction } from "./aggregate/custom";
import { labelled, type Custom, type CustomAbout, type OwnForm } from "./custom";
import type { FilterFunction } from "./filter/custom";
import type { ScalarGate } from "./gate/custom";
import type { TensorGate } from "./gate/tensorGate";
import type { LossFunction } from "./loss/contract";
import type { OrderFunction } from "./order/custom";
import type { RatioFunction } from "./ratio/custom";
import type { RegulariserFunction } from "./regulariser/own";
import type { RewardFunction } from "./reward/own";
import type { ScaleFunction } from "./scale/custom";

/** `custom` for one cell, which tells what the function gets and returns. */
export type CustomFor<Form extends OwnForm> = <F extends Form>(
  label: string,
  f: F,
  about?: string | CustomAbout,
) => Custom<F>;

/** `custom`, and `custom` for each cell of a row. */
export interface CustomMaker {
  <F extends OwnForm>(label: string, f: F, about?: string | CustomAbout): Custom<F>;
  readonly reward: CustomFor<RewardFunction>;
  readonly filter: CustomFor<FilterFunction>;
  readonly advantage: CustomFor<AdvantageFunction>;
  readonly scale: CustomFor<ScaleFunction>;
  readonly ratio: CustomFor<RatioFunction>;
  readonly gate: CustomFor<ScalarGate | TensorGate>;
  readonly aggregate: CustomFor<AggregateFunction>;
  readonly order: CustomFor<OrderFunction>;
  readonly regulariser: CustomFor<RegulariserFunction>;
  readonly loss: CustomFor<LossFunction>;
}

const cells = [
  "reward",
  "filter",
  "advantage",
  "scale",
  "ratio",
  "gate",
  "aggregate",
  "order",
  "regulariser",
  "loss",
] as const satisfies readonly (keyof CustomMaker)[];

const anywhere = <F extends OwnForm>(label: string, f: F, about?: string | CustomAbout): Custom<F> =>
  labelled(label, f, about);

/**
 * Names a function of your own, so that it can stand in a row where a name stands.
 *
 * What the function gets and returns depends on the cell of the row. Completion shows it where `custom(...)` is written into
 * the row; where a function stands alone, `custom.advantage(...)` and its like say which cell it is for. A function must depend on
 * its arguments alone, so that a run can be repeated and resumed.
 *
 * @param label how tables, charts and checkpoints call it
 * @param about one sentence, or sentence, equation and source: `explain(row)` prints them
 * @throws {TypeError} if the label is no text or empty, or `f` is not a function
 * @example
 * import { custom, recipe } from "turnwise";
 * const row = recipe("rloo", { advantage: custom("squared", (batch) => batch.return_n.map((R) => R * R)) });
 * row.advantage.kind; // => "custom"
 */
export const custom: CustomMaker = Object.assign(
  anywhere,
  // They differ in their types alone.
  Object.fromEntries(cells.map((cell) => [cell, anywhere])) as unknown as Pick<
    CustomMaker,
    (typeof cells)[number]
  >,
);
