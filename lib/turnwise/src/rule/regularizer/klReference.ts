import { group, orNull } from "../../schema";
import { term } from "../term";
import { klCoef, klFields, klLabel } from "./kl";

export const klReference = term({
  equation: String.raw`\beta\,\mathrm{KL}(\pi\,\|\,\pi_{ref})`,
  source: "GRPO, arXiv 2402.03300, Eq. 3 and 4",
  field: orNull(
    group(
      { coef: klCoef, ...klFields },
      {
        help: 'Charge for the divergence from the frozen reference policy; null for none. { coef, form: "verl" } computes it as a release does.',
      },
    ),
  ),
  label: (field) => (field === null ? [] : [`KL ref ${field.coef}, ${klLabel(field)}`]),
});
