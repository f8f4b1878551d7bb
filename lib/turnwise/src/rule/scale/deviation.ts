import { flag, number } from "../../schema";

export const deviation = {
  unbiased: flag(true, {
    help: "Standard deviation with n - 1 in the denominator, as torch.std, or with n.",
  }),
  epsilon: number(1e-6, {
    atLeast: 0,
    help: "Added to the standard deviation.",
    unit: "reward",
  }),
};
