import { tf } from "../../tensor/backend";
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
  tensor: (o, { rows, tokens_n11, tokens_nt1, turns_nt1 }) =>
    o.per === "batch" ? tf.mul(rows, tokens_n11) : tf.mul(tf.sum(turns_nt1, [0], true), tokens_nt1),
});
