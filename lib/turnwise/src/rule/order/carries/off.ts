import { carry } from "./contract";

export const off = carry({
  help: "Every turn is updated as if no other had moved.",
  equation: "M_t=1",
  source: "the comparison in SeeUPO, arXiv 2602.06554",
  fields: {},
  label: () => "off",
  pooling: () => null,
  after: (_, _ratio, carried) => carried,
  bounds: () => null,
});
