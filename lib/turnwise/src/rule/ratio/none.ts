import { ratio } from "./contract";

export const none = ratio({
  help: "No ratio: the batch counts as sampled from the present policy.",
  equation: "1",
  source: "Williams, Machine Learning 8 (1992), https://doi.org/10.1007/BF00992696",
  fields: {},
  label: () => "none",
  formed: false,
  unitSize: () => 1,
  axes: [],
});
