import { group, orNull, renamed } from "../schema";
import { advantageChoice } from "./advantage";
import { aggregateChoice } from "./aggregate";
import { correctionChoice } from "./correction";
import { demonstrationsField } from "./demonstrations";
import { filterChoice } from "./filter";
import { forksChoice } from "./forks";
import { gateChoice } from "./gate";
import type { LossFunction } from "./loss/contract";
import { orderChoice } from "./order";
import { customFunction } from "./custom/customFunction";
import { ratioChoice } from "./ratio";
import { regularizerFields } from "./regularizer";
import { rewardFields } from "./reward";
import { scaleChoice } from "./scale";
import { updateFields } from "./update";

/** Every field of a rule. Types, overrides, refusals, menus and sliders are made from it; what is not here is refused. */
export const recipeSchema = group({
  reward: rewardFields,
  forks: forksChoice,
  demonstrations: demonstrationsField,
  filter: filterChoice,
  advantage: advantageChoice,
  scale: scaleChoice,
  correction: correctionChoice,
  ratio: ratioChoice,
  gate: gateChoice,
  aggregate: aggregateChoice,
  order: orderChoice,
  regularizer: renamed("regulariser", regularizerFields),
  loss: orNull(
    customFunction<LossFunction>("A whole loss of your own; null composes it from the fields above."),
  ),
  update: updateFields,
});
