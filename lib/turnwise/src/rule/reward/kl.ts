import { group, oneOf, orNull } from "../../schema";
import { klClamp, klCoef } from "../regularizer/kl";
import { term } from "../term";

export const kl = term({
  equation: String.raw`-\beta\,\widehat{\mathrm{KL}}(\pi_{old}\,\|\,\pi_{ref})\ \text{on every sampled token}`,
  source: "Ouyang et al., arXiv 2203.02155, Eq. 2; REINFORCE++, arXiv 2501.03262",
  field: orNull(
    group(
      {
        coef: klCoef,
        estimator: oneOf(["k1", "exact", "k2", "k3"], {
          help: "Estimator of the divergence: k1 has the right gradient as a reward, since its score is its own; k3 the right mean alone; k2 neither. exact charges the later contexts without noise, and leaves a token's own to regularizer.klReference.",
        }),
        clamp: klClamp,
        reference: oneOf(["frozen", "shown"], {
          help: "Other policy of the divergence: frozen, the teacher of train or the policy's own beginning; shown, the policy itself before the update, after it has read a demonstration.",
        }),
      },
      {
        help: "The divergence from the reference, taken off the reward of every sampled token; null for none.",
      },
    ),
  ),
  label: (field) =>
    field === null
      ? []
      : [
          `KL in reward ${Number(field.coef.toPrecision(3))}${field.estimator === "k1" ? "" : `, ${field.estimator}`}${(field.clamp ?? null) === null ? "" : " clamped"}${field.reference === "shown" ? ", to itself after a demonstration" : ""}`,
        ],
});
