import { number, wordOr } from "../../schema";
import { aggregate } from "./contract";

export const constant = aggregate({
  help: "A denominator that does not look at what was sampled.",
  equation: String.raw`\frac1{N\,L_{max}}`,
  source: "Dr. GRPO, arXiv 2503.20783 (maximum); 1 for the sums of REINFORCE and RLOO, arXiv 2402.14740",
  fields: {
    length: wordOr("maximum", number(1, { above: 0, help: "Tokens per trajectory." }), {
      help: "Tokens per trajectory; `maximum` is turns x tokens of the batch's layout.",
    }),
  },
  label: ({ length }) => `constant, ${length === "maximum" ? "T·L" : length}`,
  everywhere: ({ length }, [N, T, L]) => N * (length === "maximum" ? T * L : length),
  of: ({ length }, { N, T, L }) => N * (length === "maximum" ? T * L : length),
  tensor: ({ length }, { shape: [N, T, L] }) => N * (length === "maximum" ? T * L : length),
});
