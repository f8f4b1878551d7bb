import { group, orNull } from "../../schema";
import { klCoef, plainestEstimator } from "../regulariser/kl";
import { term } from "../term";

export const kl = term({
  equation: String.raw`-\beta\,\widehat{\mathrm{KL}}(\pi_{old}\,\|\,\pi_{ref})\ \text{on every sampled token}`,
  source: "Ouyang et al., arXiv 2203.02155, Eq. 2; REINFORCE++, arXiv 2501.03262",
  field: orNull(
    group(
      { coef: klCoef, estimator: plainestEstimator },
      {
        help: "The divergence from the reference, taken off the reward of every sampled token; null for none.",
      },
    ),
  ),
  label: (cell) => (cell === null ? [] : [`KL in reward ${cell.coef}`]),
});
