import type { AdvantageFunction } from "../advantage/custom";
import type { AggregateFunction } from "../aggregate/custom";
import { labeled, type Custom, type CustomAbout, type CustomForm } from "./custom";
import type { FilterFunction } from "../filter/custom";
import type { ScalarGate } from "../gate/custom";
import type { TensorGate } from "../gate/tensorGate";
import type { LossFunction } from "../loss/contract";
import type { OrderFunction } from "../order/custom";
import type { RatioFunction } from "../ratio/custom";
import type { RegularizerFunction } from "../regularizer/own";
import type { RewardFunction } from "../reward/own";
import type { ScaleFunction } from "../scale/custom";

/** `custom` for one field, which tells what the function gets and returns. */
export type CustomFor<Form extends CustomForm> = <F extends Form>(
  label: string,
  f: F,
  about?: string | CustomAbout,
) => Custom<F>;

/**
 * Names a function of your own, so that it can stand in a rule where a name stands.
 *
 * What the function gets and returns depends on the field of the rule. Completion shows it where `custom(...)` is written into
 * the rule; where a function stands alone, `custom.advantage(...)` and its like say which field it is for. A function must depend on
 * its arguments alone, so that a run can be repeated and resumed.
 *
 * @param label how tables, charts and checkpoints call it
 * @param about one sentence, or sentence, equation and source: `explain(rule)` prints them
 * @throws {TypeError} if the label is no text or empty, or `f` is not a function
 * @example
 * import { custom, recipe } from "turnwise";
 * const rule = recipe("rloo", { advantage: custom("squared", (batch) => batch.return_n.map((R) => R * R)) });
 * rule.advantage.kind; // => "custom"
 * @see notebooks/appendix/custom-rules.ipynb, which takes an idea from a function in a cell to twenty seeds
 */
export function custom<F extends CustomForm>(label: string, f: F, about?: string | CustomAbout): Custom<F> {
  return labeled(label, f, about);
}

// For the functions that do not stand inside a rule: they differ in their types alone.
custom.reward = custom as CustomFor<RewardFunction>;
custom.filter = custom as CustomFor<FilterFunction>;
custom.advantage = custom as CustomFor<AdvantageFunction>;
custom.scale = custom as CustomFor<ScaleFunction>;
custom.ratio = custom as CustomFor<RatioFunction>;
custom.gate = custom as CustomFor<ScalarGate | TensorGate>;
custom.aggregate = custom as CustomFor<AggregateFunction>;
custom.order = custom as CustomFor<OrderFunction>;
custom.regularizer = custom as CustomFor<RegularizerFunction>;
custom.loss = custom as CustomFor<LossFunction>;
