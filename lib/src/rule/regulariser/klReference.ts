import { group, orNull } from "../../schema";
import { term } from "../term";
import { estimator, klCoef } from "./kl";

export const klReference = term({
  equation: String.raw`\beta\,\widehat{\mathrm{KL}}(\pi\,\|\,\pi_{ref})`,
  source: "GRPO, arXiv 2402.03300, Eq. 3 and 4",
  field: orNull(
    group(
      { coef: klCoef, estimator },
      { help: "Charge for the divergence from the frozen reference policy; null for none." },
    ),
  ),
  label: (cell) => (cell === null ? [] : [`KL ref ${cell.coef}, ${cell.estimator}`]),
});
