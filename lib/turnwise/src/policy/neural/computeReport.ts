import { fusedReport } from "../../tensor/fused";
import { NeuralPolicy } from "./neuralPolicy";
import type { NeuralOptions } from "../options";

/**
 * For `turnwise doctor`: what the fused kernels run on, and what `compute: "auto"` chooses for each kind at width 32.
 *
 * @public
 */
export function computeReport(): string[] {
  const spec = {
    vocabulary: Array.from({ length: 16 }, (_, i) => String(i)),
    observationVocabulary: ["seen"],
    maxTokens: 4,
  };
  const kinds: readonly NeuralOptions["kind"][] = ["mlp", "gru", "transformer"];
  return [
    `Fused neural policies (compute: "wasm"): ${fusedReport().reason}`,
    ...kinds.map((kind) => {
      const { compute, computeChoice } = new NeuralPolicy(spec, { kind, compute: "auto" });
      return `"auto" takes ${compute} for ${kind}: ${computeChoice!.speedUp.toFixed(1)} times the speed of float64`;
    }),
  ];
}
