import { clamp } from "../../../base/statistics";
import { number, oneOf } from "../../../schema";
import { carry } from "./contract";

export const clipped = carry({
  help: "Each turn's ratio and the running product are cut to [low, high].",
  equation: String.raw`M_t=\mathrm{clip}\big(\mathrm{clip}(\rho_t,lo,hi)\,M_{t+1},lo,hi\big)`,
  source: "the released code of SeeUPO, github.com/modelscope/AgentEvolver, branch seeupo",
  fields: {
    pooling: oneOf(["geometric", "product"], { help: "Pooling of a turn's token ratios to one." }),
    low: number(0.8, { above: 0, atMost: 1, help: "The least that is carried." }),
    high: number(1.2, { atLeast: 1, help: "The most that is carried." }),
  },
  label: ({ low, high, pooling }) => `clipped [${low}, ${high}], ${pooling}`,
  pooling: ({ pooling }) => pooling,
  after: ({ low, high }, ratio, carried) => clamp(clamp(ratio, low, high) * carried, low, high),
  bounds: ({ low, high }) => [low, high],
});
