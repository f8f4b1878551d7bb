import { number } from "../../schema";
import { term } from "../term";

export const entropy = term({
  equation: String.raw`-c\,H(\pi)`,
  source: "PPO, arXiv 1707.06347, Eq. 9",
  field: number(0, {
    atLeast: 0,
    help: "Weight of the entropy bonus; 0 for none.",
    slider: { min: 0, max: 1, step: 0.001 },
  }),
  label: (coef) => (coef === 0 ? [] : [`entropy ${coef}`]),
});
