import { demonstrationCells } from "../demonstrations";
import type { GateBlock } from "../gate/contract";
import type { SurrogateInput } from "./surrogateInput";

/** Computes on demand, for a batch whose units are `unitSize` neighboring cells, the values that few gates ask for. */
export function onDemand(
  { shape, logProb_ntl, oldLogProb_ntl, rolloutLogProb_ntl, demonstration_n, standing_nt }: SurrogateInput,
  active_ntl: ArrayLike<number>,
  unitSize: number,
): Pick<GateBlock, "demonstration" | "rowSize" | "logRatio" | "samplerLogRatio" | "unitTokens" | "standing"> {
  const size = active_ntl.length;
  const logRatioTo = (others_ntl: ArrayLike<number>): Float64Array => {
    const logRatio = new Float64Array(size);
    for (let i = 0; i < size; i++) if (active_ntl[i] === 1) logRatio[i] = logProb_ntl[i]! - others_ntl[i]!;
    return logRatio;
  };
  return {
    demonstration: demonstrationCells(shape, demonstration_n),
    rowSize: shape[1] * shape[2],
    logRatio: () => logRatioTo(oldLogProb_ntl),
    samplerLogRatio: () => logRatioTo(rolloutLogProb_ntl ?? oldLogProb_ntl),
    unitTokens: () => {
      const tokens = new Float64Array(size);
      for (let start = 0; start < size; start += unitSize) {
        let count = 0;
        for (let i = start; i < start + unitSize; i++) if (active_ntl[i] === 1) count += 1;
        tokens.fill(count, start, start + unitSize);
      }
      return tokens;
    },
    standing: () => {
      const standing = new Float64Array(size);
      if (standing_nt === undefined) return standing;
      for (let i = 0; i < size; i++) {
        if (active_ntl[i] === 1) standing[i] = standing_nt[Math.floor(i / shape[2])]!;
      }
      return standing;
    },
  };
}
