import { aggregate } from "./contract";
import { per } from "./per";

export const sequenceMeanTokenMean = aggregate({
  help: "Every trajectory counts the same, and in it every token.",
  equation: String.raw`\frac1{N\,M_n}\ \text{per batch},\quad\frac1{N_t\,M_{nt}}\ \text{per turn}`,
  source: "GRPO, arXiv 2402.03300; per turn: github.com/modelscope/AgentEvolver, branch seeupo",
  fields: { per },
  label: (o) => (o.per === "turn" ? "sequenceMeanTokenMean, per turn" : "sequenceMeanTokenMean"),
  everywhere: () => null,
  of: (o, { T, rows, rows_t, tokens_n, tokens_nt }, n, t) =>
    o.per === "batch" ? rows * tokens_n[n]! : rows_t[t]! * tokens_nt[n * T + t]!,
});
