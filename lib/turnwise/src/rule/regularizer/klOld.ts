import { group, orNull } from "../../schema";
import { term } from "../term";
import { klCoef, klFields, klLabel } from "./kl";

export const klOld = term({
  equation: String.raw`\beta\,\mathrm{KL}(\pi\,\|\,\pi_{old})`,
  source: "PPO, arXiv 1707.06347, section 4",
  field: orNull(
    group(
      { coef: klCoef, ...klFields },
      {
        help: "Charge for the divergence from the policy before the update; null for none.",
      },
    ),
  ),
  label: (field) => (field === null ? [] : [`KL old ${field.coef}, ${klLabel(field)}`]),
});
