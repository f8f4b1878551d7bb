import { fusedGru, fusedMlp, fusedTransformer, type FusedNetwork } from "../../tensor/fused";
import type { NeuralSettings } from "../options";

/** The fused form of the network that the options describe; `at` gives the offsets of blocks of weights. */
export function fusedNetworkOf(
  tokenCount: number,
  o: Pick<NeuralSettings, "kind" | "width" | "window" | "layers" | "heads">,
  at: (name: string) => number,
): FusedNetwork {
  const { width, window, layers = 1, heads = 2 } = o;
  if (o.kind === "mlp") return fusedMlp({ tokenCount, window, width, at });
  if (o.kind === "gru") return fusedGru({ width, at });
  return fusedTransformer({ width, layers, heads, at });
}
