import { number, wordOr } from "../../schema";
import { aggregate } from "./contract";
import { per } from "./per";

export const constant = aggregate({
  help: "A denominator that does not look at what was sampled.",
  equation: String.raw`\frac1{N\,L_{max}}\ \text{per batch},\quad\frac1{N_t\,L_{max}}\ \text{per turn}`,
  source:
    "Dr. GRPO, arXiv 2503.20783 (maximum); 1 for the sums of REINFORCE and RLOO, arXiv 2402.14740; per turn: HAPPO, github.com/PKU-MARL/HARL",
  fields: {
    length: wordOr("maximum", number(1, { above: 0, help: "Tokens per trajectory." }), {
      help: "Tokens per trajectory; `maximum` is turns x tokens of the batch's layout.",
    }),
    per,
  },
  label: ({ length, per }) =>
    `constant, ${length === "maximum" ? "T·L" : length}${per === "turn" ? ", per turn" : ""}`,
  // A rule from a file of an earlier version has no such field.
  everywhere: ({ length, per }, [N, T, L]) => (per === "turn" ? null : N * tokensOf(length, T, L)),
  of: ({ length, per }, { N, T, L, rows_t }, _n, t) =>
    (per === "turn" ? rows_t[t]! : N) * tokensOf(length, T, L),
});

const tokensOf = (length: number | "maximum", T: number, L: number): number =>
  length === "maximum" ? T * L : length;
