import { aggregate } from "./contract";
import { per } from "./per";

export const tokenMean = aggregate({
  help: "Every token counts the same.",
  equation: String.raw`\frac1M\ \text{per batch},\quad\frac1{M_t}\ \text{per turn}`,
  source: "DAPO, arXiv 2503.14476",
  fields: { per },
  label: (o) => (o.per === "turn" ? "tokenMean, per turn" : "tokenMean"),
  everywhere: (o, _shape, tokens) => (o.per === "batch" ? tokens() : null),
  of: (_, { tokens_t }, _n, t) => tokens_t[t]!,
});
