import { oneOf } from "../../../schema";
import { carry } from "./contract";

export const exact = carry({
  help: "The product of the ratios as measured.",
  equation: String.raw`M_t=\rho_tM_{t+1}`,
  source: "SeeUPO, arXiv 2602.06554, Eq. 7 and 8; HAPPO's factor, github.com/PKU-MARL/HARL",
  fields: {
    pooling: oneOf(["product", "geometric"], { help: "Pooling of a turn's token ratios to one." }),
  },
  label: ({ pooling }) => `exact, ${pooling}`,
  pooling: ({ pooling }) => pooling,
  after: (_, ratio, carried) => ratio * carried,
  bounds: () => null,
});
