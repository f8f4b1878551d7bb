import { group, orNull } from "../../schema";
import { term } from "../term";
import { estimator, klCoef } from "./kl";

export const klOld = term({
  equation: String.raw`\beta\,\widehat{\mathrm{KL}}(\pi\,\|\,\pi_{old})`,
  source: "PPO, arXiv 1707.06347, section 4",
  field: orNull(
    group(
      { coef: klCoef, estimator },
      { help: "Charge for the divergence from the policy that sampled; null for none." },
    ),
  ),
  label: (cell) => (cell === null ? [] : [`KL old ${cell.coef}, ${cell.estimator}`]),
});
